import JSONRPC

/// The members that say whose an event is: a subscription's of this connection, or a durable name's.
enum UpdateSource {
  static let subscription = FieldDescription(
    "subscription", .integer(minimum: 1), .optional, example: 1,
    "Its number on this connection; absent where it is durable.")

  static let durable = FieldDescription(
    "durable", .string(maximumBytes: nil), .optional, example: "tracker",
    "The durable name that it belongs to.")

  static let eventId = FieldDescription(
    "eventId", .integer(minimum: 1), .optional, example: 1234,
    "The event's number, to acknowledge it by; where it is durable.")
}
