public import JSONRPC

/// One delivery of a status subscription: the whole status. On the wire its members stand beside `subscription`.
public struct StatusUpdateNotification: NotificationType, Hashable {
  public static let method = "status.update"
  public static let summary = "One delivery of a status subscription: the whole status."

  /// Its number.
  public var subscription: Int
  public var status: StatusObject

  public init(subscription: Int, status: StatusObject) {
    self.subscription = subscription
    self.status = status
  }

  public static let parameters: [FieldDescription] = [SubscriptionNumber.field] + StatusObject.fields

  public init(from decoder: any Decoder) throws {
    self.subscription = try SubscriptionNumber(from: decoder).subscription
    self.status = try StatusObject(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try SubscriptionNumber(subscription: self.subscription).encode(to: encoder)
    try self.status.encode(to: encoder)
  }
}
