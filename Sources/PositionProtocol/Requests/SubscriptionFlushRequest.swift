public import JSONRPC

/// Has a subscription of mode deferred deliver what it has collected.
public struct SubscriptionFlushRequest: RequestType, Hashable {
  public static let method = "subscription.flush"
  public static let summary = "Has a subscription of mode deferred deliver what it has collected."

  /// Its number; either this or durable.
  public var subscription: Int?
  /// The name whose position registration is meant.
  public var durable: DurableNameParameter?

  public init(subscription: Int) {
    self.subscription = subscription
  }

  public init(durable: DurableNameParameter) {
    self.durable = durable
  }

  public static let parameters = SubscriptionTarget.fields

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", .reference(SubscriptionResult.schemaName), "Where the subscription stands.")
}
