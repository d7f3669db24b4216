package import Positioning

/// One region of a monitor, whose tables refer to it by the number of its slot: holder and id would take more memory.
struct RegionEntry: Sendable {
  let holder: Holder
  var region: Region
  var tracker: RegionTracker
  /// In the order of adding.
  let serial: UInt64
  var expiry: Instant?
  var hasDwelled = false
  /// From when on nothing kept the daemon from looking, so that the stay counts; `nil`: nobody has looked since it was
  /// restored.
  var watchedSince: Instant?
  /// Until when the newest fix inside shows that the device is there; `nil` if there was none since it was restored.
  var seenUntil: Instant?
  /// Whether a vote is pending and the receiver stays on for another.
  var isAwaited = false
  /// When the stay becomes a dwell, as in `deadlines`.
  var dwellArmed: Instant?
  /// Its index in `active`.
  var activePlace: Int?
  /// Set while it waits to be judged: where the path to the newest fix begins.
  var waits: Trail.Continuation?

  var snapshot: RegionSnapshot {
    RegionSnapshot(
      state: self.tracker.state, since: self.tracker.since, hasDwelled: self.hasDwelled, expiry: self.expiry)
  }

  var isForCrossing: Bool { self.region.notify.contains(.crossed) }

  var awaitsDwell: Bool { self.region.notify.contains(.dwell) && !self.hasDwelled }

  /// When the stay becomes a dwell, if it lasts; `nil` if `dwell` is not to be reported or was, and during a vote to
  /// leave.
  private var dwellDue: Instant? {
    guard self.awaitsDwell, self.tracker.state == .inside, self.tracker.candidate == nil,
      let dwellTime = self.region.dwellTime, let since = self.tracker.since, let watchedSince
    else { return nil }
    return max(since, watchedSince) + dwellTime
  }

  /// When the stay becomes a dwell without another fix; `nil`: nobody knows that it will last until then.
  var dwellDeadline: Instant? {
    guard let due = self.dwellDue, let seenUntil = self.seenUntil, due <= seenUntil else { return nil }
    return due
  }

  /// Whether the stay is a dwell now: it has lasted for long enough, and the device is known to be inside still.
  func isDwell(at now: Instant) -> Bool {
    guard let due = self.dwellDue, let seenUntil = self.seenUntil else { return false }
    return due <= now && now <= seenUntil
  }

  /// The fix shows that the device is inside, and for how long: until it can have reached the edge at its greatest
  /// speed.
  ///
  /// - Parameter absenceEnd: When the daemon last began to look again. Unless the look before still shows the device
  ///   inside then, the stay counts from this fix on.
  mutating func seen(_ observation: RegionObservation, absenceEnd: Instant?) {
    let isMissed = absenceEnd.map { end in
      self.watchedSince.map { $0 < end } ?? true && self.seenUntil.map { $0 < end } ?? true
    }
    if self.watchedSince == nil || isMissed ?? false { self.watchedSince = observation.moment }
    let depth = max(self.tracker.geometry.depth(of: observation.place), 0)
    let way = Duration.seconds(depth / observation.speedBound)
    self.seenUntil = observation.moment + max(way, RegionObservation.lifetime)
  }

  /// - Parameter observation: The fix that decided it; `nil`: only time did.
  func event(_ kind: RegionEventKind, observation: RegionObservation?, at moment: Instant) -> RegionFinding {
    let geometry = self.tracker.geometry
    let event = RegionEvent(
      id: self.region.id, kind: kind, state: self.tracker.state, fix: observation?.fix,
      probability: observation.map { geometry.probability(depth: geometry.depth(of: $0.place), sigma: $0.sigma) })
    return RegionFinding(holder: self.holder, region: self.region, event: event, at: moment)
  }

  func stored(_ snapshot: RegionSnapshot) -> StoredRegion {
    StoredRegion(region: self.region, snapshot: snapshot, geometry: self.tracker.geometry)
  }
}

/// An event of one region.
struct RegionFinding: Hashable, Sendable {
  var holder: Holder
  var region: Region
  var event: RegionEvent
  /// When it was decided: when the device was at the fix, else the deadline.
  var at: Instant
}

/// A changed state, for the store.
struct RegionChange: Hashable, Sendable {
  var holder: Holder
  var id: String
  /// `nil`: the region has expired.
  var snapshot: RegionSnapshot?
}

/// A region that was removed from a feed, with what is needed to add it to another.
struct DepartedRegion: Sendable {
  let holder: Holder
  let region: Region
  let geometry: RegionGeometry
  let snapshot: RegionSnapshot
  /// Whether its holder is gone, so that it is added nowhere.
  let isForgotten: Bool
}

/// The state of one region, which must outlive a restart with it.
package struct RegionSnapshot: Hashable, Sendable {
  package var state: RegionState
  /// When the state was decided; `nil` while it is unknown.
  package var since: Instant?
  /// Whether `dwell` of this stay was reported.
  package var hasDwelled: Bool
  /// When the region ends; `nil`: never.
  package var expiry: Instant?

  package init(
    state: RegionState = .unknown, since: Instant? = nil, hasDwelled: Bool = false, expiry: Instant? = nil
  ) {
    self.state = state
    self.since = since
    self.hasDwelled = hasDwelled
    self.expiry = expiry
  }
}

/// One region and its state.
package struct MonitoredRegion: Hashable, Sendable {
  package var region: Region
  package var snapshot: RegionSnapshot

  package var state: RegionState { self.snapshot.state }
  package var since: Instant? { self.snapshot.since }
}
