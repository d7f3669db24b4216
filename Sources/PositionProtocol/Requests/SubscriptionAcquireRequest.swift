public import JSONRPC

/// Gets a position subscription a fix now, whatever its mode.
public struct SubscriptionAcquireRequest: RequestType, WireObject, Hashable {
  public static let method = "subscription.acquire"
  public static let summary = "Gets a position subscription a fix now, whatever its mode."

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

  public static let wire = ObjectCodec<SubscriptionAcquireRequest>(blank: SubscriptionAcquireRequest()) {
    SubscriptionTarget.fields(\.subscription, \.durable)
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "Where the subscription stands.")
}
