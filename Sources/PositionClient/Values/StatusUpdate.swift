public import PositionProtocol

/// One delivery of `PositionClient.statusUpdates`: how the daemon does, or what became of the connection.
public struct StatusUpdate: Hashable, Sendable {
  /// The whole status; absent where the connection is what changed.
  public var status: StatusObject?
  /// Which of its parts changed since the update before; all at first.
  public var changed: [StatusObject.Part] = []
  /// ``DeliveryReason/disconnected`` or ``DeliveryReason/reconnected`` where the connection changed, else absent.
  public var reason: DeliveryReason?
}

extension StatusUpdate: SubscriptionUpdate {
  static let disconnected = Self(reason: .disconnected)
  static func reconnected(_ answer: StatusSubscribeRequest.Result) -> Self { Self(reason: .reconnected) }

  init(_ update: StatusUpdateNotification) {
    self.init(status: update.status, changed: update.changed)
  }

  typealias Request = StatusSubscribeRequest
}
