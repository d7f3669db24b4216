public import JSONRPC

/// Ends a subscription.
public struct SubscriptionCancelRequest: RequestType, WireObject, Hashable {
  public static let method = "subscription.cancel"
  public static let summary = "Ends a subscription."
  public static let errors: [RPCError.Code] = [.notFound]
  public static let usual: Set<String> = ["subscription"]

  /// The subscription's number on this connection.
  public var subscription: Int

  public init(subscription: Int) {
    self.subscription = subscription
  }

  public static let wire = ObjectCodec<SubscriptionCancelRequest>(blank: SubscriptionCancelRequest(subscription: 0)) {
    Field.required(
      "subscription", \.subscription, .integer(minimum: 1), example: 1, "The subscription's number on this connection.")
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "The state of the subscription: ended.")
}
