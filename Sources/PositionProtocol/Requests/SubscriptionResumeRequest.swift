public import JSONRPC

/// Lets a paused subscription go on.
public struct SubscriptionResumeRequest: RequestType, Hashable {
  public static let method = "subscription.resume"
  public static let summary = "Lets a paused subscription go on."

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
