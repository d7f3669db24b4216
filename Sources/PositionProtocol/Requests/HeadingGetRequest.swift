public import JSONRPC
public import Positioning

/// Gets one heading: at once where a young one is known, else within the timeout.
public struct HeadingGetRequest: RequestType, WireObject, Hashable {
  public static let method = "heading.get"
  public static let summary = "Gets one heading: at once where a young one is known, else within the timeout."
  public static let isAllowedInBatch = false

  /// Seconds that the heading may be old.
  public var maxAge: Double?
  /// Seconds to wait; 0 is no limit but the daemon's own.
  public var timeout: Double?

  public init(maxAge: Double? = nil, timeout: Double? = nil) {
    self.maxAge = maxAge
    self.timeout = timeout
  }

  public static let wire = ObjectCodec<HeadingGetRequest>(blank: HeadingGetRequest()) {
    Field.optional(
      "maxAge", \.maxAge, .number(.seconds), default: 5, example: 2,
      "Seconds that the heading may be old.")
    Field.optional(
      "timeout", \.timeout, .number(.seconds), default: 30, example: 20,
      "Seconds to wait; 0 is no limit but the daemon's own.")
  }

  /// The heading, if one came in time.
  public struct Result: WireObject, Hashable {
    /// Whether there is a heading.
    public var status: Status
    /// The heading; absent where none came in time.
    public var heading: Heading?

    public init(status: Status, heading: Heading? = nil) {
      self.status = status
      self.heading = heading
    }

    public static let wire = ObjectCodec<Result>(blank: Result(status: .fallback)) {
      Field.required("status", \.status, Status.codec, example: "success", "Whether there is a heading.")
      Field.optional(
        "heading", \.heading, Heading.codec, example: Heading.example,
        "The heading; absent where none came in time.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "The heading, if one came in time.")

  public enum Status: String, Hashable, Sendable, CaseIterable {
    case success
    /// No heading came in time.
    case timedOut
  }
}
