public import JSONRPC
public import Positioning

extension Diagnostics: WireObject {
  public static let wire = ObjectCodec<Diagnostics>(
    "Diagnostics", blank: Diagnostics(availability: .fallback, power: .fallback)
  ) {
    Field.required(
      "availability", \.availability, Availability.codec, example: "searching",
      "Why there is or is not a fresh fix.")
    Field.optional(
      "mode", \.mode, Fix.Mode.codec, example: "2d",
      "How many dimensions the receiver solves for; absent without a fix.")
    Field.optional(
      "satellitesSeen", \.satellitesSeen, .integer(minimum: 0), example: 7,
      "How many satellites the receiver sees.")
    Field.optional(
      "satellitesUsed", \.satellitesUsed, .integer(minimum: 0), example: 3,
      "How many of them its solution uses.")
    Field.optional(
      "lastFixAge", \.lastFixAge, .seconds(.nonNegative), example: 754.2, "Seconds since the newest fix.")
    Field.optional("receiver", \.receiver, .string, example: "/dev/ttyACM0", "The receiver's path.")
    Field.required(
      "power", \.power, PowerState.State.codec, example: "on", "What is known of the receiver's power.")
    Field.optional(
      "detail", \.detail, .string, example: "gpsd has no device",
      "The state of the receiver and gpsd in words, if there is something to say.")
    Field.optional(
      "problem", \.problem, ReceiverProblem.codec, example: "late",
      "What is wrong with the receiver's reports; absent if nothing is.")
    Field.optional(
      "lag", \.lag, .seconds(.nonNegative), example: 4.5,
      "Seconds by which positions arrive later than the receiver's best ones; absent up to 2 s.")
  }
}
