public import JSONRPC
public import Positioning

/// Where the device pointed at one moment. One of the two headings is there at least.
public struct HeadingObject: DescribedObject {
  /// Degrees from true north.
  public var trueHeading: Double?
  /// Degrees from magnetic north.
  public var magneticHeading: Double?
  /// Degrees: the heading is that close with a probability of 68 %.
  public var accuracy: Double?
  /// What it was taken from.
  public var source: Heading.Source
  /// The receiver's own time, where it told one.
  public var time: Timestamp?
  /// When the report arrived: seconds on CLOCK_BOOTTIME, for readers on the same machine.
  public var arrival: Double
  /// Seconds since the arrival, when this was written.
  public var age: Double

  public init(
    trueHeading: Double? = nil, magneticHeading: Double? = nil, accuracy: Double? = nil, source: Heading.Source,
    time: Timestamp? = nil, arrival: Double, age: Double
  ) {
    self.trueHeading = trueHeading
    self.magneticHeading = magneticHeading
    self.accuracy = accuracy
    self.source = source
    self.time = time
    self.arrival = arrival
    self.age = age
  }

  public static let wire = ObjectCodec<HeadingObject>(
    "Heading", blank: HeadingObject(source: .fallback, arrival: 0, age: 0)
  ) {
    Field.optional("trueHeading", \.trueHeading, .number(.direction), example: 271.5, "Degrees from true north.")
    Field.optional(
      "magneticHeading", \.magneticHeading, .number(.direction), example: 267.2,
      "Degrees from magnetic north.")
    Field.optional(
      "accuracy", \.accuracy, .number(.nonNegative), example: 4,
      "Degrees: the heading is that close with a probability of 68 %.")
    Field.required("source", \.source, Heading.Source.codec, example: "sensor", "What it was taken from.")
    Field.optional(
      "time", \.time, Timestamp.codec, example: "2026-01-31T12:00:00.000Z",
      "The receiver's own time, where it told one.")
    Field.required(
      "arrival", \.arrival, .number(.nonNegative), example: 1234.567,
      "When the report arrived: seconds on CLOCK_BOOTTIME, for readers on the same machine.")
    Field.required(
      "age", \.age, .number(.nonNegative), example: 0.25,
      "Seconds since the arrival, when this was written.")
  }
}
