public import JSONRPC

/// Lists the subscriptions of this connection.
public struct SubscriptionListRequest: RequestType, Hashable {
  public static let method = "subscription.list"
  public static let summary = "Lists the subscriptions of this connection."

  public init() {}

  public static let parameters: [FieldDescription] = []

  /// The subscriptions of this connection.
  public struct Result: DescribedObject {
    /// In the order of their numbers.
    public var subscriptions: [SubscriptionObject]

    public init(subscriptions: [SubscriptionObject]) {
      self.subscriptions = subscriptions
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "subscriptions", .array(.reference(SubscriptionObject.schemaName)),
        example: [DescribedExample.of(SubscriptionObject.self)],
        "In the order of their numbers.")
    ]
  }

  public static let result = ResultDescription(
    "result", .object(Result.fields), "The subscriptions of this connection.")
}
