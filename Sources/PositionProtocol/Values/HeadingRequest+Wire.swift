public import JSONRPC
public import Positioning

extension HeadingRequest: WireObject {
  public static let wire = ObjectCodec<HeadingRequest>(blank: HeadingRequest()) {
    Field.defaulted(
      "maxAge", \.maximumAge, .seconds(.seconds), example: 2, "Seconds that the heading may be old.")
    Field.defaulted(
      "timeout", \.timeout, .seconds(.seconds), example: 20, "Seconds to wait; 0 is no limit but the daemon's own.")
  }
}

extension HeadingResult: WireObject {
  public static let wire = ObjectCodec<HeadingResult>(blank: HeadingResult()) {
    Field.derived("status", FixResult.Status.codec, example: "success", "Whether there is a heading.") { result, _ in
      result.heading == nil ? .timedOut : .success
    }
    Field.optional(
      "heading", \.heading, Heading.codec, example: Heading.example,
      "The heading; absent where none came in time.")
  }
}

extension HeadingParameters: WireObject {
  public static let wire = ObjectCodec<HeadingParameters>(blank: HeadingParameters()) {
    Field.defaulted(
      "minChange", \.minChange, .number(.turn), example: 5,
      "Degrees around the circle from the last delivered heading.")
    Field.defaulted(
      "minInterval", \.minInterval, .seconds(.seconds), example: 0.5, "Seconds between two deliveries.")
    Field.optional(
      "maxInterval", \.maxInterval, .seconds(.heartbeat), example: 60,
      "Seconds without a delivery after which the newest heading is told again.")
  }
}
