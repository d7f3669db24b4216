public import JSONRPC

/// Stops what a position subscription delivers, and what it needs, until it is resumed.
public struct SubscriptionPauseRequest: RequestType, WireObject, Hashable {
  public static let method = "subscription.pause"
  public static let summary = "Stops what a position subscription delivers, and what it needs, until it is resumed."

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

  public static let wire = ObjectCodec<SubscriptionPauseRequest>(blank: SubscriptionPauseRequest()) {
    SubscriptionTarget.fields(\.subscription, \.durable)
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "Where the subscription stands: paused.")
}
