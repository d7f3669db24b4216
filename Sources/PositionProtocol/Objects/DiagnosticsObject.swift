public import JSONRPC
public import Positioning

/// What stands between the client and a better answer.
public struct DiagnosticsObject: DescribedObject {
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

  public static let fields: [FieldDescription] = [
    FieldDescription(
      "availability", .choice(of: Availability.self), example: "searching",
      "Why there is or is not a fresh fix."),
    FieldDescription(
      "mode", .choice(of: Fix.Mode.self), .optional, example: "2d",
      "How many dimensions the receiver solves for; absent without a fix."),
    FieldDescription(
      "satellitesSeen", .integer(minimum: 0), .optional, example: 7,
      "How many satellites the receiver sees."),
    FieldDescription(
      "satellitesUsed", .integer(minimum: 0), .optional, example: 3,
      "How many of them its solution uses."),
    FieldDescription(
      "lastFixAge", .number(.nonNegative), .optional, example: 754.2,
      "Seconds since the newest fix."),
    FieldDescription(
      "receiver", .string(maximumBytes: nil), .optional, example: "/dev/ttyACM0",
      "The receiver's path."),
    FieldDescription(
      "power", .choice(of: StatusObject.Power.State.self), example: "on",
      "What is known of the receiver's power."),
    FieldDescription(
      "detail", .string(maximumBytes: nil), .optional, example: "gpsd has no device",
      "The state of the path to the receiver in words, where there is something to say."),
  ]
}
