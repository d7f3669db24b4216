package import Positioning

/// What is known of one region, and must outlive a restart with it.
package struct RegionStanding: Hashable, Sendable {
  package var state: RegionState
  /// When the state was decided; `nil` while it is unknown.
  package var since: Instant?
  /// Whether `dwell` was told of this stay.
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

/// One region and what is known of it.
package struct MonitoredRegion: Hashable, Sendable {
  package var region: Region
  package var standing: RegionStanding

  package var state: RegionState { self.standing.state }
  package var since: Instant? { self.standing.since }
}

/// A standing that changed, for whoever keeps it on disk.
package struct RegionChange<Holder: Hashable & Sendable>: Hashable, Sendable {
  package var holder: Holder
  package var id: String
  /// `nil`: the region expired, and is gone.
  package var standing: RegionStanding?
}
