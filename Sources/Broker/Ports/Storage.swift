package import Positioning

/// One change of what lasts. Changes are kept in the order in which they are given; making one again changes nothing.
/// What belongs to a name, or to a region, that is not there cannot be changed: that is an error.
package enum StoreChange: Hashable, Sendable {
  /// The name exists, with this unit to wake. Its registrations and events stay as they are.
  case putName(DurableID, user: String?, wake: String?)
  /// The name goes with all that belongs to it. Its events' numbers are not used again.
  case removeName(DurableID)
  /// The name exists, and all that belongs to it is this.
  case replaceName(StoredName)
  case putRegion(DurableID, StoredRegion)
  case removeRegion(DurableID, id: String)
  /// Replaces what is known of a region that is there.
  case setRegionStanding(DurableID, id: String, RegionStanding)
  /// Nothing is known any more of any region of the name; when they end stays.
  case forgetStandings(DurableID)
  case putPosition(DurableID, StoredPosition)
  case removePosition(DurableID)
  case putVisits(DurableID)
  case putEvent(DurableID, DurableEvent)
  /// The events up to this one were acknowledged.
  case acknowledge(DurableID, through: UInt64)
  /// The events up to this one did not fit into the inbox any more; `dropped` in all were lost since its client was told.
  case overflow(DurableID, through: UInt64, dropped: Int)
  /// What the detector of visits remembers.
  case putVisitMemory(VisitDetector.Snapshot)
  /// By which fixes the name's states and events came about; `nil`: it may know none.
  case setFeed(DurableID, FixFeedKey?)
  case putDecision(UInt32, Decision)
  case removeDecision(UInt32)
  /// The master switch; where it is off because nobody knows what was decided before: why, in words.
  case putEnabled(Bool, unread: String? = nil)
  /// How the position is fuzzed for those who may know it roughly.
  case putFuzzer(LocationFuzzer.Snapshot)
  /// When the unit was started last for an event.
  case putWakeStart(WakeTarget, Instant)
  case removeWakeStart(WakeTarget)
}

/// All that lasts, as it was when the daemon ended.
///
/// Moments are on this boot's clock. Those from an earlier boot lie before zero, placed by the wall clock: see
/// `Instant.isBeforeBoot`.
package struct StoredState: Hashable, Sendable {
  package var names: [StoredName] = []
  package var visitMemory: VisitDetector.Snapshot?
  package var decisions: [UInt32: Decision] = [:]
  package var isEnabled = true
  /// Why nobody knows what was decided of permission, in words: then `isEnabled` is false.
  package var unread: String?
  package var fuzzer: LocationFuzzer.Snapshot?
  /// The greatest number that an event of a removed name had, for each user: numbers are not used again.
  package var retired: [UInt32: UInt64] = [:]
  /// When units were started last for events.
  package var wakeStarts: [WakeTarget: Instant] = [:]

  package init() {}
}

/// One durable name.
package struct StoredName: Hashable, Sendable {
  package var id: DurableID
  /// Whose it was by name: a number that another user has now is not theirs.
  package var user: String?
  /// The groups of that user now; not kept, but asked of the system.
  package var groups: [UInt32] = []
  /// Whether the system says that the user is there; where it has not said so yet the name waits as it is.
  package var isOwnerKnown = true
  package var feed: FixFeedKey?
  package var wake: String?
  /// In the order in which they were added.
  package var regions: [StoredRegion] = []
  package var position: StoredPosition?
  package var hasVisits = false
  /// What waits for a client, in order.
  package var events: [DurableEvent] = []
  /// The number of the newest event ever, 0 before the first.
  package var lastEvent: UInt64 = 0
  /// How many events were lost since the client was told of it.
  package var dropped = 0

  package init(id: DurableID, user: String? = nil, wake: String? = nil) {
    self.id = id
    self.user = user
    self.wake = wake
  }
}

package struct StoredRegion: Hashable, Sendable {
  package var region: Region
  package var standing: RegionStanding
  /// How far from its edge a place in it can be, in metres, so that it need not be found again; `nil`: it is not known.
  package var reach: Double?
  /// What holds its polygon, for the same reason.
  package var cap: Cap?

  package init(region: Region, standing: RegionStanding, reach: Double? = nil, cap: Cap? = nil) {
    self.region = region
    self.standing = standing
    self.reach = reach
    self.cap = cap
  }

  /// With what is dear to find.
  init(region: Region, standing: RegionStanding, geometry: RegionGeometry) {
    let cap = geometry.cap
    self.init(region: region, standing: standing, reach: cap == nil ? nil : geometry.reach, cap: cap)
  }
}

/// A significant or deferred subscription that lasts, with what it delivered last: its baseline.
package struct StoredPosition: Hashable, Sendable {
  package var parameters: SubscriptionParameters
  package var lastDelivered: Fix?
  /// When it expires.
  package var expiry: Instant?
  package var updates: Int
  /// Whether its client paused it.
  package var isPaused: Bool

  package init(
    parameters: SubscriptionParameters, lastDelivered: Fix? = nil, expiry: Instant? = nil, updates: Int = 0,
    isPaused: Bool = false
  ) {
    self.parameters = parameters
    self.lastDelivered = lastDelivered
    self.expiry = expiry
    self.updates = updates
    self.isPaused = isPaused
  }
}
