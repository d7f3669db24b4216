public import JSONRPC
public import Positioning

extension DaemonStatus.OnPeriod: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.OnPeriod>(blank: DaemonStatus.OnPeriod(from: .boot)) {
    Field.required("from", \.from, .wallClock, example: "2026-01-31T12:00:00.000Z", "When it was turned on.")
    Field.optional(
      "until", \.until, .wallClock, example: "2026-01-31T12:00:05.000Z",
      "When it was turned off; absent while it is on.")
  }
}

extension DaemonStatus.NextStart: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.NextStart>(
    blank: DaemonStatus.NextStart(at: .boot, reason: .fallback)
  ) {
    Field.required("at", \.at, .wallClock, example: "2026-01-31T12:09:55.000Z", "When it is turned on.")
    Field.required(
      "reason", \.reason, Reason.codec, example: "due",
      "`due`: a fix is due; `retry`: the last search was without a fix; `keepHot`: so that a later start is quick.")
    Field.optional("due", \.due, .wallClock, example: "2026-01-31T12:10:00.000Z", "When a fix is due.")
    Field.optional("what", \.what, .string, example: "position.subscribe", "The method that needs it.")
  }
}

extension DaemonStatus.StartTimes: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.StartTimes>(blank: DaemonStatus.StartTimes()) {
    Field.optional(
      "last", \.last, .seconds(.nonNegative), example: 2.5, "Seconds of the last start, since the daemon started.")
    Field.optional(
      "hot", \.hot, DaemonStatus.StartTime.codec, example: DaemonStatus.StartTime.example,
      "After less than 2 hours off; absent if there was no such start.")
    Field.optional(
      "warm", \.warm, DaemonStatus.StartTime.codec, example: DaemonStatus.StartTime.example,
      "After less than 4 hours off; absent if there was no such start.")
    Field.optional(
      "cold", \.cold, DaemonStatus.StartTime.codec, example: DaemonStatus.StartTime.example,
      "After longer; absent if there was no such start.")
  }
}

extension DaemonStatus.StartTime: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.StartTime>(
    blank: DaemonStatus.StartTime(count: 0, mean: .zero, most: .zero)
  ) {
    Field.required("count", \.count, .integer(minimum: 0), example: 240, "How many starts are known.")
    Field.required("mean", \.mean, .seconds(.nonNegative), example: 2.4, "Seconds on average.")
    Field.required(
      "most", \.most, .seconds(.nonNegative), example: 6.1, "Seconds within which 99.5 % of them have a fix.")
  }
}
