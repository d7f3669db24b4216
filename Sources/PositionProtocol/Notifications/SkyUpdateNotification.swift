public import JSONRPC

/// One delivery of a sky subscription. On the wire the sky's members stand beside `subscription`.
public struct SkyUpdateNotification: NotificationType, Hashable {
  public static let method = "sky.update"
  public static let summary = "One delivery of a sky subscription."

  /// Its number.
  public var subscription: Int
  public var sky: SkyObject

  public init(subscription: Int, sky: SkyObject) {
    self.subscription = subscription
    self.sky = sky
  }

  public static let parameters: [FieldDescription] = [SubscriptionNumber.field] + SkyObject.fields

  public init(from decoder: any Decoder) throws {
    self.subscription = try SubscriptionNumber(from: decoder).subscription
    self.sky = try SkyObject(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try SubscriptionNumber(subscription: self.subscription).encode(to: encoder)
    try self.sky.encode(to: encoder)
  }
}
