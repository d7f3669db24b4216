package import Positioning

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
