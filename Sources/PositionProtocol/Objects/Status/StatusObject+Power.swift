public import JSONRPC
public import Positioning

extension StatusObject {
  /// Whether the receiver uses power, and how much of the time it did.
  public struct Power: WireObject, Hashable {
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

    public static let wire = ObjectCodec<Power>(
      blank: Power(
        state: .fallback, rung: "", since: .epoch, onSeconds: 0, dutyCycle: DutyCycle.wire.blank,
        starts: Starts.wire.blank)
    ) {
      Field.required("state", \.state, State.codec, example: "on", "What is known of it now.")
      Field.required(
        "rung", \.rung, .string, example: "watch",
        "The way in which the receiver is turned on and off: the rung of the power ladder.")
      Field.optional(
        "verifiedBy", \.verifiedBy, .string, example: "gpsd's device list",
        "How that was verified; absent where it was not.")
      Field.required(
        "since", \.since, Timestamp.codec, example: "2026-01-31T12:00:00.000Z",
        "Since when that has held.")
      Field.required(
        "onSeconds", \.onSeconds, .number(.nonNegative), example: 321.5,
        "Seconds that the receiver was on since the daemon started.")
      Field.required(
        "dutyCycle", \.dutyCycle, DutyCycle.codec, example: ["day": 0.01, "hour": 0.05],
        "The share of the time that the receiver was on.")
      Field.required("starts", \.starts, Starts.codec, example: ["total": 3], "How often the receiver was started.")
    }

    public enum State: String, Hashable, Sendable, CaseIterable {
      case on
      /// Nobody holds it any more; whether it sleeps is up to gpsd and the receiver.
      case released
      case off, turningOn, turningOff, unknown
    }
  }
}
