public import Positioning

/// One delivery of `PositionClient.regionEvents`: what happened with a region, or what became of the connection.
public struct RegionUpdate: Hashable, Sendable {
  /// What happened; absent where the connection is what changed.
  public var event: RegionEvent?
  /// How many events were passed over since the update before, because more than 1000 were not taken in time.
  public var dropped: Int
  /// `.disconnected`, `.suspended` or `.reconnected` where the connection changed, or what may be told on it; else
  /// absent.
  public var reason: DeliveryReason?

  /// An update as a test of a program may want one.
  public init(event: RegionEvent? = nil, dropped: Int = 0, reason: DeliveryReason? = nil) {
    self.event = event
    self.dropped = dropped
    self.reason = reason
  }

  /// How many are kept for who is late: what happened once comes no second time.
  static let kept = 1000

  mutating func passOver(_ older: Self) {
    self.dropped = self.dropped.plus(older.dropped).plus(1)
  }
}
