public import JSONRPC
public import Positioning

/// Lists the subscriptions of this connection.
public struct SubscriptionListRequest: RequestType, WireObject, Hashable {
  public static let method = "subscription.list"
  public static let summary = "Lists the subscriptions of this connection."

  public init() {}

  public static let wire = ObjectCodec<SubscriptionListRequest>(blank: SubscriptionListRequest()) {}

  /// The subscriptions of this connection.
  public struct Result: WireObject, Hashable {
    /// In the order of their numbers.
    public var subscriptions: [SubscriptionInfo]

    public init(subscriptions: [SubscriptionInfo]) {
      self.subscriptions = subscriptions
    }

    public static let wire = ObjectCodec<Result>(blank: Result(subscriptions: [])) {
      Field.required(
        "subscriptions", \.subscriptions, .array(of: SubscriptionInfo.codec), example: [SubscriptionInfo.example],
        "In the order of their numbers.")
    }
  }

  public static let result = ResultDescription(
    "result", Result.wire.schema, "The subscriptions of this connection.")
}
