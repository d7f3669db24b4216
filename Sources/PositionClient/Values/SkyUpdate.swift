import EventLoop
public import PositionProtocol
public import Positioning

/// One delivery of `PositionClient.skyUpdates`: what the receiver sees, or what became of the connection.
public struct SkyUpdate: Hashable, Sendable {
  /// What the receiver sees; absent where it has told nothing, and where the connection is what changed.
  public var sky: Sky?
  /// ``DeliveryReason/disconnected`` or ``DeliveryReason/reconnected`` where the connection changed, else absent.
  public var reason: DeliveryReason?
}

extension SkyUpdate: SubscriptionUpdate {
  static let disconnected = Self(reason: .disconnected)
  static func reconnected(_ answer: SkySubscribeRequest.Result) -> Self { Self(reason: .reconnected) }

  init(_ update: SkyUpdateNotification) {
    self.init(sky: Sky(update.sky, now: EventLoop.readClock()))
  }

  typealias Request = SkySubscribeRequest
}
