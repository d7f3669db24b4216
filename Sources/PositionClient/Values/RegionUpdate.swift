public import Positioning

/// One delivery of `PositionClient.regionEvents`: an event of a region, or a change of the connection.
public struct RegionUpdate: Hashable, Sendable {
  /// The event; absent if the connection changed.
  public var event: RegionEvent?
  /// How many events were dropped since the last update because more than 1000 were not taken in time.
  public var dropped: Int
  /// `.disconnected`, `.suspended` or `.reconnected` if the connection or the permission on it changed; else
  /// absent.
  public var reason: DeliveryReason?

  /// Creates an update, for a program's tests.
  public init(event: RegionEvent? = nil, dropped: Int = 0, reason: DeliveryReason? = nil) {
    self.event = event
    self.dropped = dropped
    self.reason = reason
  }

  /// The most events that wait for a slow reader. It is large, because an event is delivered only once.
  static let kept = 1000

  mutating func passOver(_ older: Self) {
    self.dropped = self.dropped.plus(older.dropped).plus(1)
  }
}

extension RegionEvent {
  /// The precision that it reveals. Only time decides that a region expires; of others without a fix it is not known.
  var reveals: Precision? { self.kind == .expired && self.state == .unknown ? nil : self.fix?.reveals ?? .precise }
}
