public import Positioning

/// One delivery of `PositionClient.regionEvents`: what happened with a region, or what became of the connection.
public struct RegionUpdate: Hashable, Sendable {
  /// What happened; absent if the connection changed.
  public var event: RegionEvent?
  /// How many events were dropped since the last update because more than 1000 were not taken in time.
  public var dropped: Int
  /// `.disconnected`, `.suspended` or `.reconnected` if the connection or the permission on it changed; else
  /// absent.
  public var reason: DeliveryReason?

  /// An update, for a program's tests.
  public init(event: RegionEvent? = nil, dropped: Int = 0, reason: DeliveryReason? = nil) {
    self.event = event
    self.dropped = dropped
    self.reason = reason
  }

  /// How many events wait for a slow reader, since an event is delivered only once.
  static let kept = 1000

  mutating func passOver(_ older: Self) {
    self.dropped = self.dropped.plus(older.dropped).plus(1)
  }
}
