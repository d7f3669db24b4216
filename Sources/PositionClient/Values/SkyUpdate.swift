import PositionProtocol
public import Positioning

/// One delivery of `PositionClient.skyUpdates`: what the receiver sees, or what became of the connection.
public struct SkyUpdate: Hashable, Sendable {
  /// What the receiver sees; absent where it has told nothing, and where the connection is what changed.
  public var sky: Sky?
  /// `.disconnected`, `.suspended` or `.reconnected` where the connection changed, or what may be told on it; else
  /// absent.
  public var reason: DeliveryReason?

  /// An update as a test of a program may want one.
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

  typealias Request = SkySubscribeRequest
}
