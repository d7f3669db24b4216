import JSONRPC

/// The members that say whose an event is: a subscription's of this connection, or a durable name's.
enum UpdateSource {
  static func subscription<Root>(_ path: FieldPath<Root, Int?>) -> Field<Root> {
    .optional(
      "subscription", path, .integer(minimum: 1), example: 1,
      "Its number on this connection; absent where it is durable.")
  }

  static func durable<Root>(_ path: FieldPath<Root, String?>) -> Field<Root> {
    .optional("durable", path, .string, example: "tracker", "The durable name that it belongs to.")
  }

  static func eventId<Root>(_ path: FieldPath<Root, Int?>) -> Field<Root> {
    .optional(
      "eventId", path, .integer(minimum: 1), example: 1234,
      "The event's number, to acknowledge it by; where it is durable.")
  }
}
