import JSONRPC

/// The member that says whose an update is, for those whose other members are an object's of its own.
struct SubscriptionNumber: Codable {
  var subscription: Int

  static let field = FieldDescription(
    "subscription", .integer(minimum: 1), example: 1, "Its number.")
}
