import JSONRPC

/// The members that say to which subscription or durable name an event belongs.
enum UpdateSource {
  static func subscription<Root>(_ path: FieldPath<Root, Int?>) -> Field<Root> {
    .optional(
      "subscription", path, .integer(minimum: 1), example: 1,
      "The subscription's number on this connection; absent for a durable one.")
  }

  static func durable<Root>(_ path: FieldPath<Root, String?>) -> Field<Root> {
    .optional("durable", path, .string, example: "tracker", "The durable name to which it belongs.")
  }

  static func eventId<Root>(_ path: FieldPath<Root, Int?>) -> Field<Root> {
    .optional(
      "eventId", path, .integer(minimum: 1), example: 1234,
      "The number with which to acknowledge the event, if it is durable.")
  }
}
