public import JSONRPC
public import Positioning

/// One delivery of a sky subscription. On the wire the sky's members stand beside `subscription`.
public struct SkyUpdateNotification: NotificationType, WireObject, Hashable {
  public static let method = "sky.update"
  public static let summary = "One delivery of a sky subscription."

  /// The subscription's number on this connection.
  public var subscription: Int
  public var sky: Sky

  public init(subscription: Int, sky: Sky) {
    self.subscription = subscription
    self.sky = sky
  }

  public static let wire = ObjectCodec<SkyUpdateNotification>(
    blank: SkyUpdateNotification(subscription: 0, sky: Sky.wire.blank)
  ) {
    Field.required(
      "subscription", \.subscription, .integer(minimum: 1), example: 1, "The subscription's number on this connection.")
    Sky.wire.fields(within: \SkyUpdateNotification.sky)
  }
}
