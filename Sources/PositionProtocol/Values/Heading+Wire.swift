public import JSONRPC
public import Positioning

extension Heading: WireObject {
  public static let wire = ObjectCodec<Heading>("Heading", blank: Heading(source: .fallback, arrival: .boot)) {
    Field.optional("trueHeading", \.trueHeading, .direction, example: 271.5, "Degrees from true north.")
    Field.optional("magneticHeading", \.magneticHeading, .direction, example: 267.2, "Degrees from magnetic north.")
    Field.optional(
      "accuracy", \.accuracy, .number(.nonNegative, decimals: 3), example: 4,
      "Degrees: the heading is that close with a probability of 68 %.")
    Field.required("source", \.source, Source.codec, example: "sensor", "Where the heading comes from.")
    Field.optional(
      "time", \.time, Timestamp.codec, example: "2026-01-31T12:00:00.000Z",
      "The receiver's own time, if it reported one.")
    Field.arrival(\.arrival, of: "the report")
  }
}

extension Codec where Value == Double {
  /// Rounded to thousandths of a degree; 360 becomes 0.
  fileprivate static var direction: Codec {
    let base = Codec.number(.direction, decimals: 3)
    return base.map(to: { $0 }, from: { $0.toThousandths.wrappedCourse })
  }
}
