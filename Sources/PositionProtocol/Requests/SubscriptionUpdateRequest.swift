public import JSONRPC
public import Positioning

/// Changes a subscription in place; what is absent stays as it is, and what is null goes back to its default.
public struct SubscriptionUpdateRequest: RequestType, WireObject, Hashable {
  public static let method = "subscription.update"
  public static let summary =
    "Changes a subscription in place; what is absent stays as it is, what is null goes back to its default."

  /// Its number.
  public var subscription: Int
  public var change: SubscriptionChange

  public init(subscription: Int, _ change: SubscriptionChange = SubscriptionChange()) {
    self.subscription = subscription
    self.change = change
  }

  public static let wire = ObjectCodec<SubscriptionUpdateRequest>(blank: SubscriptionUpdateRequest(subscription: 0)) {
    Field.required("subscription", \.subscription, .integer(minimum: 1), example: 1, "Its number.")
    SubscriptionChange.wire.fields(within: \SubscriptionUpdateRequest.change)
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "Where the subscription stands.")
}
