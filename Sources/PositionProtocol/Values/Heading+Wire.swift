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

extension HeadingRequest: WireObject {
  public static let wire = ObjectCodec<HeadingRequest>(blank: HeadingRequest()) {
    Field.defaulted(
      "maxAge", \.maximumAge, .seconds(.seconds), example: 2, "The greatest age of the heading in seconds.")
    Field.defaulted(
      "timeout", \.timeout, .seconds(.seconds), example: 20, "Seconds to wait; 0 means as long as the daemon allows.")
  }
}

extension HeadingResult: WireObject {
  public static let wire = ObjectCodec<HeadingResult>(blank: HeadingResult()) {
    Field.derived("status", FixResult.Status.codec, example: "success", "Whether there is a heading.") { result, _ in
      result.heading == nil ? .timedOut : .success
    }
    Field.optional(
      "heading", \.heading, Heading.codec, example: Heading.example,
      "The heading; absent if none arrived in time.")
  }
}

extension HeadingParameters: WireObject {
  public static let wire = ObjectCodec<HeadingParameters>(blank: HeadingParameters()) {
    Field.defaulted(
      "minChange", \.minChange, .number(.turn), example: 5,
      "The least angle in degrees from the last delivered heading.")
    Field.defaulted(
      "minInterval", \.minInterval, .seconds(.seconds), example: 0.5, "Seconds between two deliveries.")
    Field.optional(
      "maxInterval", \.maxInterval, .seconds(.heartbeat), example: 60,
      "Seconds without a delivery after which the newest heading is delivered again.")
  }
}

/// The daemon always sends the state.
extension HeadingUpdate: WireObject {
  public static let wire = ObjectCodec<HeadingUpdate>(blank: HeadingUpdate(state: .fallback)) {
    Field.required(
      "state", \.knownState, HeadingState.codec, example: "valid", "Whether the heading is known.")
    Field.optional(
      "heading", \.heading, Heading.codec, example: Heading.example,
      "The heading; absent unless the state is valid.")
    Field.flag(
      "repeat", \.isRepeat, "True for a heartbeat, which repeats the last value because nothing new came; else absent.")
    Field.count(
      "dropped", \.dropped, example: 2,
      "How many headings were dropped since the last delivery because the client did not read in time.")
  }

  fileprivate var knownState: HeadingState {
    get { self.state ?? .fallback }
    set { self.state = newValue }
  }
}
