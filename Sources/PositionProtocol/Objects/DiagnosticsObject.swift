public import JSONRPC
public import Positioning

/// What stands between the client and a better answer.
public struct DiagnosticsObject: WireObject, Hashable {
  /// Why there is or is not a fresh fix.
  public var availability: Availability
  /// How many dimensions the receiver solves for; absent without a fix.
  public var mode: Fix.Mode?
  /// How many satellites the receiver sees.
  public var satellitesSeen: Int?
  /// How many of them its solution uses.
  public var satellitesUsed: Int?
  /// Seconds since the newest fix.
  public var lastFixAge: Double?
  /// The receiver's path.
  public var receiver: String?
  /// What is known of the receiver's power.
  public var power: StatusObject.Power.State
  /// The state of the path to the receiver in words, where there is something to say.
  public var detail: String?

  public init(
    availability: Availability, mode: Fix.Mode? = nil, satellitesSeen: Int? = nil, satellitesUsed: Int? = nil,
    lastFixAge: Double? = nil, receiver: String? = nil, power: StatusObject.Power.State, detail: String? = nil
  ) {
    self.availability = availability
    self.mode = mode
    self.satellitesSeen = satellitesSeen
    self.satellitesUsed = satellitesUsed
    self.lastFixAge = lastFixAge
    self.receiver = receiver
    self.power = power
    self.detail = detail
  }

  public static let wire = ObjectCodec<DiagnosticsObject>(
    "Diagnostics", blank: DiagnosticsObject(availability: .fallback, power: .fallback)
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
    Field.optional("lastFixAge", \.lastFixAge, .number(.nonNegative), example: 754.2, "Seconds since the newest fix.")
    Field.optional("receiver", \.receiver, .string, example: "/dev/ttyACM0", "The receiver's path.")
    Field.required(
      "power", \.power, StatusObject.Power.State.codec, example: "on",
      "What is known of the receiver's power.")
    Field.optional(
      "detail", \.detail, .string, example: "gpsd has no device",
      "The state of the path to the receiver in words, where there is something to say.")
  }
}
