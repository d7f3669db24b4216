public import JSONRPC
public import Positioning

extension ReceiverTime: WireObject {
  public static let wire = ObjectCodec<ReceiverTime>(blank: ReceiverTime()) {
    Field.optional(
      "receiver", \.reading, Reading.codec, example: Reading.example,
      "The time in the receiver's newest fix; absent without one, or without precise permission.")
    Field.optional(
      "clock", \.clock, ClockFigure.codec, example: ClockFigure.example,
      "What chrony said of this machine's clock; absent if it did not answer.")
  }
}

extension ReceiverTime.Reading: WireObject {
  public static let wire = ObjectCodec<ReceiverTime.Reading>(
    blank: ReceiverTime.Reading(time: Timestamp(seconds: 0), arrival: .boot)
  ) {
    Field.required("time", \.time, Timestamp.codec, example: "2026-01-31T11:59:59.550Z", "The receiver's time.")
    Field.required(
      "system", \.arrival, .wallClock, example: "2026-01-31T11:59:59.750Z",
      "When its report arrived, less its lag, by this machine's clock.")
    Field.derived(
      "difference", .number(.any, decimals: 3), example: -0.2,
      "Seconds by which the receiver's time was ahead of that."
    ) { reading, moment in (reading.time - Timestamp(of: reading.arrival, at: moment)).seconds }
    Field.derived(
      "uncertainty", .seconds(), example: 2, "Seconds by which it may really have been more."
    ) { _, _ in Self.uncertainty }
    Field.derived("age", .seconds(.nonNegative), example: 0.25, "Seconds since the arrival when this was sent.") {
      reading, moment in max(moment.now - reading.arrival, .zero)
    }
  }
}

extension ClockFigure: WireObject {
  public static let wire = ObjectCodec<ClockFigure>(
    "Clock", blank: ClockFigure(updated: .boot, asked: .boot)
  ) {
    Field.optional(
      "reference", \.reference, .string, example: "GPS",
      "The clock or the server that chrony follows; absent: none.")
    Field.flag("referenceClock", \.isReferenceClock, "True if that is a clock of this machine; else absent.")
    Field.optional(
      "error", \.error, .seconds(.nonNegative, decimals: 6), example: 0.000035,
      "Seconds by which its time was wrong at most when it was asked; absent: it has none.")
    Field.required(
      "drift", \.drift, .number(.share, decimals: 9), example: 0.000001, "By how much that grows each second.")
    Field.required(
      "correction", \.correction, .seconds(.any, decimals: 6), example: 0.000012,
      "Seconds by which its time is ahead of this machine's clock.")
    Field.age(\.updated, named: "updatedAge", example: 12.5, "Seconds since it last learned the time.")
    Field.age(\.asked, example: 3.5, "Seconds since it was asked.")
  }
}

extension DaemonStatus.Clock: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.Clock>("KeptClock", blank: DaemonStatus.Clock()) {
    Field.optional(
      "figure", \.figure, ClockFigure.codec, example: ClockFigure.example,
      "What chrony said of it; absent if it did not answer.")
    Field.optional(
      "keep", \.keep, .seconds(), example: 0.001,
      "Seconds by which it may become wrong; absent: the receiver is not turned on for it.")
    Field.flag("needed", \.isNeeded, "True if it needs the receiver now; else absent.")
    Field.optional(
      "problem", \.problem, .string, example: "chrony does not answer", "Why it is not kept; absent if it is.")
  }
}

extension Codec where Value == Duration {
  /// Seconds, finer than to the millisecond.
  fileprivate static func seconds(_ range: Schema.NumberRange, decimals: Int) -> Codec {
    Codec<Double>.number(range, decimals: decimals).map(to: { .bounded(seconds: $0) }, from: { $0.seconds })
  }
}
