import PositionProtocol
public import Positioning

/// One delivery of `PositionClient.skyUpdates`: the satellites, or a change of the connection.
public struct SkyUpdate: Hashable, Sendable {
  /// The satellites; absent if the receiver has reported none, or the connection changed.
  public var sky: Sky?
  /// `.disconnected`, `.suspended` or `.reconnected` if the connection or the permission on it changed; else
  /// absent.
  public var reason: DeliveryReason?

  /// Creates an update, for a program's tests.
  public init(sky: Sky? = nil, reason: DeliveryReason? = nil) {
    self.sky = sky
    self.reason = reason
  }
}

extension SkyUpdate: SubscriptionUpdate {
  static let disconnected = Self(reason: .disconnected)
  static let suspended = Self(reason: .suspended)
  static func reconnected(_ answer: SkySubscribeRequest.Result) -> Self { Self(reason: .reconnected) }

  init?(_ notification: any AddressedNotification) {
    guard let update = notification as? SkyUpdateNotification else { return nil }
    self.init(sky: update.sky)
  }

  var reveals: Precision? { self.sky.map { _ in .precise } }

  typealias Request = SkySubscribeRequest
}
