public import JSONRPC
public import Positioning

/// Changes a subscription's parameters; absent ones stay the same, null resets one to its default.
public struct SubscriptionUpdateRequest: RequestType, WireObject, Hashable {
  public static let method = "subscription.update"
  public static let summary =
    "Changes a subscription's parameters; absent ones stay the same, null resets one to its default."
  public static let errors: [RPCError.Code] = [.notFound]
  public static let usual: Set<String> = ["minDistance", "subscription"]

  /// The subscription's number on this connection.
  public var subscription: Int
  public var change: SubscriptionChange

  public init(subscription: Int, _ change: SubscriptionChange = SubscriptionChange()) {
    self.subscription = subscription
    self.change = change
  }

  public static let wire = ObjectCodec<SubscriptionUpdateRequest>(blank: SubscriptionUpdateRequest(subscription: 0)) {
    Field.required(
      "subscription", \.subscription, .integer(minimum: 1), example: 1, "The subscription's number on this connection.")
    SubscriptionChange.wire.fields(within: \SubscriptionUpdateRequest.change)
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "The state of the subscription.")
}
