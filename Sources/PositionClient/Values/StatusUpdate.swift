import PositionProtocol
public import Positioning

/// One delivery of `PositionClient.statusUpdates`: how the daemon does, or what became of the connection.
public struct StatusUpdate: Hashable, Sendable {
  /// The whole status; absent where the connection is what changed.
  public var status: DaemonStatus?
  /// Which of its parts changed since the update before; all at first.
  public var changed: [DaemonStatus.Part]
  /// `.disconnected` or `.reconnected` where the connection changed, else absent.
  public var reason: DeliveryReason?

  /// An update as a test of a program may want one.
  public init(status: DaemonStatus? = nil, changed: [DaemonStatus.Part] = [], reason: DeliveryReason? = nil) {
    self.status = status
    self.changed = changed
    self.reason = reason
  }
}

extension StatusUpdate: SubscriptionUpdate {
  static let disconnected = Self(reason: .disconnected)
  static let suspended = Self(reason: .suspended)
  static func reconnected(_ answer: StatusSubscribeRequest.Result) -> Self { Self(reason: .reconnected) }

  init?(_ notification: any AddressedNotification) {
    guard let update = notification as? StatusUpdateNotification else { return nil }
    self.init(status: update.status, changed: update.changed)
  }

  typealias Request = StatusSubscribeRequest

  mutating func passOver(_ older: Self) {
    self.changed = DaemonStatus.Part.allCases.filter { older.changed.contains($0) || self.changed.contains($0) }
  }
}
