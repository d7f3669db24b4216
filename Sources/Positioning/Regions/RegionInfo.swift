/// A region and where the device is with regard to it.
public struct RegionInfo: Hashable, Sendable {
  public var region: Region
  /// Where the device is, as far as the fixes decided it.
  public var state: RegionState
  /// Since when; `nil` while that is unknown.
  public var since: Instant?
  /// Until it ends; `nil` where it does not.
  public var remaining: Duration?
  /// Whether its state was judged by the reduced position.
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
