public import JSONRPC
public import Positioning

/// A subscription, or the attachment to a durable name, has ended; nothing more is delivered for it.
public struct SubscriptionEndedNotification: NotificationType, WireObject, Hashable {
  public static let method = "subscription.ended"
  public static let summary =
    "A subscription, or the attachment to a durable name, has ended; nothing more is delivered for it."

  /// The subscription's number; absent if the attachment to a durable name ended.
  public var subscription: Int?
  /// The durable name to which the connection is no longer attached.
  public var durable: String?
  /// Why.
  public var reason: EndReason

  private init(reason: EndReason) { self.reason = reason }

  public init(subscription: Int, reason: EndReason) {
    self.subscription = subscription
    self.reason = reason
  }

  public init(durable: String, reason: EndReason) {
    self.durable = durable
    self.reason = reason
  }

  public static let wire = ObjectCodec<SubscriptionEndedNotification>(
    blank: SubscriptionEndedNotification(reason: EndReason(rawValue: ""))
  ) {
    Field.optional(
      "subscription", \.subscription, .integer(minimum: 1), example: 1,
      "The subscription's number; absent if the attachment to a durable name ended.")
    Field.optional(
      "durable", \.durable, .string, example: "tracker",
      "The durable name to which the connection is no longer attached.")
    Field.required("reason", \.reason, EndReason.codec, example: "expired", "Why.")
  }
}
