public import JSONRPC

/// Has a subscription of mode deferred deliver what it has collected.
public struct SubscriptionFlushRequest: RequestType, WireObject, Hashable {
  public static let method = "subscription.flush"
  public static let summary = "Has a subscription of mode deferred deliver what it has collected."

  /// Its number; either this or durable.
  public var subscription: Int?
  /// The name whose position registration is meant.
  public var durable: DurableNameParameter?

  private init() {}

  public init(subscription: Int) {
    self.subscription = subscription
  }

  public init(durable: DurableNameParameter) {
    self.durable = durable
  }

  public static let wire = ObjectCodec<SubscriptionFlushRequest>(blank: SubscriptionFlushRequest()) {
    SubscriptionTarget.fields(\.subscription, \.durable)
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "Where the subscription stands.")
}
