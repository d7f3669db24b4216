public import JSONRPC

/// A subscription has ended; nothing more is delivered for it.
public struct SubscriptionEndedNotification: NotificationType, Hashable {
  public static let method = "subscription.ended"
  public static let summary = "A subscription has ended; nothing more is delivered for it."

  /// Its number.
  public var subscription: Int
  /// Why.
  public var reason: EndReason

  public init(subscription: Int, reason: EndReason) {
    self.subscription = subscription
    self.reason = reason
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "subscription", .integer(minimum: 1), example: 1,
      "Its number."),
    FieldDescription(
      "reason", .string(maximumBytes: nil), example: "expired",
      "Why."),
  ]
}
