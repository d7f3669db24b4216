public import JSONRPC
public import Positioning

extension DaemonStatus.Power: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.Power>(
    blank: DaemonStatus.Power(
      current: PowerState(state: .fallback, since: .boot), onTime: .zero,
      dutyCycle: DaemonStatus.DutyCycle.wire.blank, starts: DaemonStatus.Starts.wire.blank)
  ) {
    Field.required(
      "state", \.current.state, PowerState.State.codec, example: "on", "The receiver's power, as far as it is known.")
    Field.required(
      "rung", \.current.rung, PowerRung.codec, example: "watch",
      "How the receiver is turned off and on; not as configured, where that failed.")
    Field.optional(
      "verifiedBy", \.current.verifiedBy, .string, example: "gpsd's device list",
      "How the state was verified; absent if it was not.")
    Field.optional(
      "problem", \.current.problem, .string, example: "gpsd calls the receiver NMEA0183, not u-blox",
      "What keeps the receiver from being turned off as configured; absent if nothing does.")
    Field.required(
      "since", \.current.since, .wallClock, example: "2026-01-31T12:00:00.000Z", "Since when.")
    Field.required(
      "onSeconds", \.onTime, .seconds(.nonNegative), example: 321.5,
      "Seconds that the receiver was on since the daemon started.")
    Field.required(
      "dutyCycle", \.dutyCycle, DaemonStatus.DutyCycle.codec, example: ["day": 0.01, "hour": 0.05],
      "The share of the time that the receiver was on.")
    Field.required(
      "starts", \.starts, DaemonStatus.Starts.codec, example: ["total": 3], "How often the receiver was started.")
    Field.defaulted(
      "periods", \.periods, .array(of: DaemonStatus.OnPeriod.codec), namesDefault: false,
      example: [DaemonStatus.OnPeriod.example],
      "When the receiver was on last, the oldest first; at most 32 times.")
    Field.optional(
      "nextStart", \.nextStart, DaemonStatus.NextStart.codec, example: DaemonStatus.NextStart.example,
      "When the receiver is turned on next; absent if nothing is due.")
    Field.defaulted(
      "timeToFirstFix", \.timeToFirstFix, DaemonStatus.StartTimes.codec, namesDefault: false,
      example: DaemonStatus.StartTimes.example,
      "How long its starts take, by how long it was off before.")
  }
}

/// To a hundredth of a percent.
extension DaemonStatus.DutyCycle: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.DutyCycle>(blank: DaemonStatus.DutyCycle(hour: 0, day: 0)) {
    Field.required("hour", \.hour, .number(.share, decimals: 4), example: 0.05, "In the last hour.")
    Field.required("day", \.day, .number(.share, decimals: 4), example: 0.01, "In the last day.")
  }
}

extension DaemonStatus.Starts: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.Starts>(blank: DaemonStatus.Starts(total: 0)) {
    Field.required("total", \.total, .integer(minimum: 0), example: 3, "In all.")
  }
}
