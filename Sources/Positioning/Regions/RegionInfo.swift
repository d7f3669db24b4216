/// A region, and whether the device is inside.
public struct RegionInfo: Hashable, Sendable {
  public var region: Region
  /// Where the device is, as decided by the fixes.
  public var state: RegionState
  /// Since when; `nil` while that is unknown.
  public var since: Instant?
  /// The time until it ends; `nil` if it does not.
  public var remaining: Duration?
  /// Whether the reduced position decides its state.
  package var isReduced = false

  public init(region: Region, state: RegionState, since: Instant? = nil, remaining: Duration? = nil) {
    self.region = region
    self.state = state
    self.since = since
    self.remaining = remaining
  }

  package init(region: Region, state: RegionState, since: Instant?, remaining: Duration?, isReduced: Bool) {
    self.init(region: region, state: state, since: since, remaining: remaining)
    self.isReduced = isReduced
  }
}
