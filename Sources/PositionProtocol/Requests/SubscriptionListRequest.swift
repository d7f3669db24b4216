public import JSONRPC

/// Lists the subscriptions of this connection.
public struct SubscriptionListRequest: RequestType, WireObject, Hashable {
  public static let method = "subscription.list"
  public static let summary = "Lists the subscriptions of this connection."

  public init() {}

  public static let wire = ObjectCodec<SubscriptionListRequest>(blank: SubscriptionListRequest()) {}

  /// The subscriptions of this connection.
  public struct Result: WireObject, Hashable {
    /// In the order of their numbers.
    public var subscriptions: [SubscriptionObject]

    public init(subscriptions: [SubscriptionObject]) {
      self.subscriptions = subscriptions
    }

    public static let wire = ObjectCodec<Result>(blank: Result(subscriptions: [])) {
      Field.required(
        "subscriptions", \.subscriptions, .array(of: SubscriptionObject.codec), example: [SubscriptionObject.example],
        "In the order of their numbers.")
    }
  }

  public static let result = ResultDescription(
    "result", Result.wire.schema, "The subscriptions of this connection.")
}
