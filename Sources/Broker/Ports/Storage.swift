package import Positioning

/// One change of the stored state. Changes are committed in order; committing one again changes nothing. Changing
/// something of a name or region that does not exist is an error.
package enum StoreChange: Hashable, Sendable {
  /// Creates the name with this unit, if necessary. Its registrations and events are unchanged.
  case putName(DurableID, user: String?, wake: String?)
  /// Removes the name with all that belongs to it. Its events' numbers are not used again.
  case removeName(DurableID)
  /// Replaces the name with all that belongs to it.
  case replaceName(StoredName)
  case putRegion(DurableID, StoredRegion)
  case removeRegion(DurableID, id: String)
  /// Replaces the snapshot of an existing region.
  case setRegionSnapshot(DurableID, id: String, RegionSnapshot)
  /// Forgets the snapshots of all regions of the name, except when they end.
  case resetRegions(DurableID)
  case putPosition(DurableID, StoredPosition)
  case removePosition(DurableID)
  case putVisits(DurableID)
  case putEvent(DurableID, DurableEvent)
  /// Removes the events up to this one, which were acknowledged.
  case acknowledge(DurableID, through: UInt64)
  /// Drops the events up to this one from a full inbox; the client was not notified of `dropped` in all.
  case overflow(DurableID, through: UInt64, dropped: Int)
  /// The memory of the detector of visits.
  case putVisitMemory(VisitDetector.Snapshot)
  /// The feed from which the name's states and events come; `nil`: its user may know nothing.
  case setFeed(DurableID, FixFeedKey?)
  case putDecision(UInt32, Decision)
  case removeDecision(UInt32)
  /// The master switch; and why, if it is off because earlier decisions could not be read.
  case putEnabled(Bool, unread: String? = nil)
  /// The fuzzer's state.
  case putFuzzer(LocationFuzzer.Snapshot)
  /// When the unit was last started for an event.
  case putWakeStart(WakeTarget, Instant)
  case removeWakeStart(WakeTarget)
  /// The receiver that is turned off, so that the next daemon turns it on; `nil`: none.
  case putStoppedReceiver(StoppedReceiver?)
  /// What is known of the receiver's starts.
  case putReceiver(ReceiverMemory)
}

/// What a change of the store is about.
enum StoreSubject: Hashable, Sendable {
  case name(DurableID)
  case visitMemory
  case decision(UInt32)
  case enabled
  case fuzzer
  case wakeStart(WakeTarget)
  case stoppedReceiver
  case receiver
}

extension StoreChange {
  var subject: StoreSubject {
    switch self {
    case .putName(let id, _, _), .removeName(let id), .putRegion(let id, _), .removeRegion(let id, _),
      .setRegionSnapshot(let id, _, _), .resetRegions(let id), .putPosition(let id, _), .removePosition(let id),
      .putVisits(let id), .putEvent(let id, _), .acknowledge(let id, _),
      .overflow(let id, _, _), .setFeed(let id, _):
      .name(id)
    case .replaceName(let name): .name(name.id)
    case .putVisitMemory: .visitMemory
    case .putDecision(let uid, _), .removeDecision(let uid): .decision(uid)
    case .putEnabled: .enabled
    case .putFuzzer: .fuzzer
    case .putWakeStart(let target, _), .removeWakeStart(let target): .wakeStart(target)
    case .putStoppedReceiver: .stoppedReceiver
    case .putReceiver: .receiver
    }
  }

  /// Its size in memory while it waits, in fixes and their equivalents: about 1 KB each.
  var weight: Int {
    switch self {
    case .putEvent(_, let event): event.weight
    case .putRegion(_, let stored): stored.region.shape.weight
    case .replaceName(let name):
      1 + name.regions.reduce(0) { $0 + $1.region.shape.weight } + name.events.reduce(0) { $0 + $1.weight }
    case .putName, .removeName, .removeRegion, .setRegionSnapshot, .resetRegions, .putPosition,
      .removePosition, .putVisits, .acknowledge, .overflow, .putVisitMemory, .setFeed, .putDecision,
      .removeDecision, .putEnabled, .putFuzzer, .putWakeStart, .removeWakeStart, .putStoppedReceiver,
      .putReceiver:
      1
    }
  }
}

extension RegionShape {
  fileprivate var weight: Int {
    switch self {
    case .circle: 1
    case .polygon(let corners): 1 + corners.count / 16
    }
  }
}

/// The stored state when the daemon ended.
///
/// Moments are on this boot's clock. Those from an earlier boot are before zero, converted by the wall clock: see
/// `Instant.isBeforeBoot`.
package struct StoredState: Hashable, Sendable {
  package var names: [StoredName] = []
  package var visitMemory: VisitDetector.Snapshot?
  package var decisions: [UInt32: Decision] = [:]
  package var isEnabled = true
  /// Why the decisions cannot be read: then `isEnabled` is false.
  package var unread: String?
  package var fuzzer: LocationFuzzer.Snapshot?
  /// The greatest number of an event of a removed name, for each user, because numbers are not used again.
  package var retired: [UInt32: UInt64] = [:]
  /// When units were last started for events.
  package var wakeStarts: [WakeTarget: Instant] = [:]
  /// The receiver that was turned off.
  package var stoppedReceiver: StoppedReceiver?
  /// What is known of the receiver's starts.
  package var receiver = ReceiverMemory()

  package init() {}
}

/// One durable name.
package struct StoredName: Hashable, Sendable {
  package var id: DurableID
  /// The user's name: the durable name does not belong to another user who has the number now.
  package var user: String?
  /// The user's present groups, which are looked up, not stored.
  package var groups: [UInt32] = []
  /// Whether the lookup found the user; until then the name waits unchanged.
  package var isOwnerKnown = true
  package var feed: FixFeedKey?
  package var wake: String?
  /// In the order in which they were added.
  package var regions: [StoredRegion] = []
  package var position: StoredPosition?
  package var hasVisits = false
  /// The waiting events in order.
  package var events: [DurableEvent] = []
  /// The number of the newest event; 0 before the first.
  package var lastEvent: UInt64 = 0
  /// How many events were dropped since the client was notified of it.
  package var dropped = 0

  package init(id: DurableID, user: String? = nil, wake: String? = nil) {
    self.id = id
    self.user = user
    self.wake = wake
  }
}

package struct StoredRegion: Hashable, Sendable {
  package var region: Region
  package var snapshot: RegionSnapshot
  /// The largest distance of a place inside from the edge, in metres, which is expensive to compute; `nil`: unknown.
  package var reach: Double?
  /// The cap around its polygon, for the same reason.
  package var cap: Cap?

  package init(region: Region, snapshot: RegionSnapshot, reach: Double? = nil, cap: Cap? = nil) {
    self.region = region
    self.snapshot = snapshot
    self.reach = reach
    self.cap = cap
  }

  /// With the values that are expensive to compute.
  init(region: Region, snapshot: RegionSnapshot, geometry: RegionGeometry) {
    let cap = geometry.cap
    self.init(region: region, snapshot: snapshot, reach: cap == nil ? nil : geometry.reach, cap: cap)
  }
}

/// A durable significant or deferred subscription, with its last delivery, the baseline.
package struct StoredPosition: Hashable, Sendable {
  package var parameters: SubscriptionParameters
  package var lastDelivered: Fix?
  /// When it expires.
  package var expiry: Instant?
  package var updates: Int
  /// Whether its client paused it.
  package var isPaused: Bool
  /// Whether it searches for a fix, and so owes its client the outcome.
  package var isAcquiring: Bool

  package init(
    parameters: SubscriptionParameters, lastDelivered: Fix? = nil, expiry: Instant? = nil, updates: Int = 0,
    isPaused: Bool = false, isAcquiring: Bool = false
  ) {
    self.parameters = parameters
    self.lastDelivered = lastDelivered
    self.expiry = expiry
    self.updates = updates
    self.isPaused = isPaused
    self.isAcquiring = isAcquiring
  }
}
