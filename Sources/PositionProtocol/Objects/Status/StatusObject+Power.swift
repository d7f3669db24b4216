public import JSONRPC

extension StatusObject {
  /// Whether the receiver uses power, and how much of the time it did.
  public struct Power: DescribedObject {
    /// What is known of it now.
    public var state: State
    /// The way in which the receiver is turned on and off: the rung of the power ladder.
    public var rung: String
    /// How that was verified; absent where it was not.
    public var verifiedBy: String?
    /// Since when that has held.
    public var since: Timestamp
    /// Seconds that the receiver was on since the daemon started.
    public var onSeconds: Double
    /// The share of the time that the receiver was on.
    public var dutyCycle: DutyCycle
    /// How often the receiver was started.
    public var starts: Starts

    public init(
      state: State, rung: String, verifiedBy: String? = nil, since: Timestamp, onSeconds: Double,
      dutyCycle: DutyCycle, starts: Starts
    ) {
      self.state = state
      self.rung = rung
      self.verifiedBy = verifiedBy
      self.since = since
      self.onSeconds = onSeconds
      self.dutyCycle = dutyCycle
      self.starts = starts
    }

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "state", .choice(of: State.self), example: "on",
        "What is known of it now."),
      FieldDescription(
        "rung", .string(maximumBytes: nil), example: "watch",
        "The way in which the receiver is turned on and off: the rung of the power ladder."),
      FieldDescription(
        "verifiedBy", .string(maximumBytes: nil), .optional, example: "gpsd's device list",
        "How that was verified; absent where it was not."),
      FieldDescription(
        "since", .time, example: "2026-01-31T12:00:00.000Z",
        "Since when that has held."),
      FieldDescription(
        "onSeconds", .number(.nonNegative), example: 321.5,
        "Seconds that the receiver was on since the daemon started."),
      FieldDescription(
        "dutyCycle", .object(DutyCycle.fields), example: ["day": 0.01, "hour": 0.05],
        "The share of the time that the receiver was on."),
      FieldDescription(
        "starts", .object(Starts.fields), example: ["total": 3],
        "How often the receiver was started."),
    ]

    public enum State: String, Codable, Hashable, Sendable, CaseIterable {
      case on
      /// Nobody holds it any more; whether it sleeps is up to gpsd and the receiver.
      case released
      case off, turningOn, turningOff, unknown
    }
  }
}
