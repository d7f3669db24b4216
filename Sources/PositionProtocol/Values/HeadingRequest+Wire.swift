public import JSONRPC
public import Positioning

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
