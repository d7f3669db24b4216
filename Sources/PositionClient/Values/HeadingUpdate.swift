public import PositionProtocol
public import Positioning

/// One delivery of `PositionClient.headingUpdates`: a heading, or a change of whether there is one, or of the connection.
public struct HeadingUpdate: Hashable, Sendable {
  /// Whether it is known where the device points; absent where the connection is what was lost.
  public var state: HeadingUpdateNotification.State?
  /// Absent unless the state is valid.
  public var heading: Heading?
  /// Whether it is a heartbeat, which comes because nothing else did.
  public var isRepeat: Bool
  /// How many updates were passed over since the one before, because they were not taken in time.
  public var dropped: Int
  /// `.disconnected`, `.suspended` or `.reconnected` where the connection changed, or what may be told on it; else
  /// absent.
  public var reason: DeliveryReason?

  /// An update as a test of a program may want one.
  public init(
    state: HeadingUpdateNotification.State? = nil, heading: Heading? = nil, isRepeat: Bool = false, dropped: Int = 0,
    reason: DeliveryReason? = nil
  ) {
    self.state = state
    self.heading = heading
    self.isRepeat = isRepeat
    self.dropped = dropped
    self.reason = reason
  }
}

extension HeadingUpdate: SubscriptionUpdate {
  static let disconnected = Self(reason: .disconnected)
  static let suspended = Self(reason: .suspended)
  static func reconnected(_ answer: HeadingSubscribeRequest.Result) -> Self { Self(reason: .reconnected) }

  init?(_ notification: any AddressedNotification) {
    guard let update = notification as? HeadingUpdateNotification else { return nil }
    self.init(
      state: update.state, heading: update.heading, isRepeat: update.isRepeat,
      dropped: max(0, update.dropped ?? 0))
  }

  mutating func passOver(_ older: Self) { self.dropped = self.dropped.plus(older.dropped).plus(1) }

  typealias Request = HeadingSubscribeRequest
}
