import JSONRPC

/// The parameters of what steers a subscription of the connection or a durable registration: one of them is needed.
enum SubscriptionTarget {
  static let fields: [FieldDescription] = [
    FieldDescription(
      "subscription", .integer(minimum: 1), .optional, example: 1,
      "Its number; either this or durable."),
    FieldDescription(
      "durable", .object(DurableNameParameter.fields), .optional,
      example: DescribedExample.of(DurableNameParameter.self),
      "The name whose position registration is meant."),
  ]
}
