public import JSONRPC

/// Lets a paused subscription go on.
public struct SubscriptionResumeRequest: RequestType, WireObject, Hashable {
  public static let method = "subscription.resume"
  public static let summary = "Lets a paused subscription go on."

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

  public static let wire = ObjectCodec<SubscriptionResumeRequest>(blank: SubscriptionResumeRequest()) {
    SubscriptionTarget.fields(\.subscription, \.durable)
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "Where the subscription stands.")
}
