public import JSONRPC

/// What makes a registration outlive its connection: it belongs to the user and the name.
public struct DurableParameter: WireObject, Hashable {
  /// The name that it belongs to, with the user: 1 to 64 bytes without control characters.
  public var name: String
  /// A unit of the system that its events start when no client is attached.
  public var wake: String?

  public init(name: String, wake: String? = nil) {
    self.name = name
    self.wake = wake
  }

  public static let wire = ObjectCodec<DurableParameter>(blank: DurableParameter(name: "")) {
    Field.required(
      "name", \.name, .string(maximumBytes: DurableParameter.maximumBytes), example: "tracker",
      "The name that it belongs to, with the user: 1 to 64 bytes without control characters.")
    Field.optional(
      "wake", \.wake, .string, example: "tracker.service",
      "A unit of the system that its events start when no client is attached.")
  }

  /// The most bytes that a name may have.
  public static let maximumBytes = 64
}

/// Which durable name is meant.
public struct DurableNameParameter: WireObject, Hashable {
  /// The name.
  public var name: String

  public init(name: String) {
    self.name = name
  }

  public static let wire = ObjectCodec<DurableNameParameter>(blank: DurableNameParameter(name: "")) {
    Field.required(
      "name", \.name, .string(maximumBytes: DurableParameter.maximumBytes), example: "tracker",
      "The name.")
  }
}
