import JSONRPC

/// The parameters of what steers a subscription of the connection or a durable registration: one of them is needed.
enum SubscriptionTarget {
  @FieldsBuilder<Root>
  static func fields<Root>(
    _ subscription: FieldPath<Root, Int?>, _ durable: FieldPath<Root, DurableNameParameter?>
  ) -> [Field<Root>] {
    Field.optional(
      "subscription", subscription, .integer(minimum: 1), example: 1, "Its number; either this or durable.")
    Field.optional(
      "durable", durable, DurableNameParameter.codec, example: DurableNameParameter.example,
      "The name whose position registration is meant.")
  }
}
