public import JSONRPC

/// What a client may know.
public struct AuthorizationObject: WireObject, Hashable {
  /// Whether, and when, the client may know the position.
  public var state: State
  /// How precisely it may know it.
  public var precision: Precision
  /// The rule that decided.
  public var rule: String?
  /// Where the answer is no, or less than everything: who can change that, and how.
  public var remedy: String?

  public init(state: State, precision: Precision, rule: String? = nil, remedy: String? = nil) {
    self.state = state
    self.precision = precision
    self.rule = rule
    self.remedy = remedy
  }

  public static let wire = ObjectCodec<AuthorizationObject>(
    "Authorization", blank: AuthorizationObject(state: .fallback, precision: .fallback)
  ) {
    Field.required(
      "state", \.state, State.codec, example: "whenInUse",
      "Whether, and when, the client may know the position.")
    Field.required("precision", \.precision, Precision.codec, example: "precise", "How precisely it may know it.")
    Field.optional("rule", \.rule, .string, example: "family", "The rule that decided.")
    Field.optional(
      "remedy", \.remedy, .string, example: "adduser ada position, and a new login",
      "Where the answer is no, or less than everything: who can change that, and how.")
  }

  public enum State: String, Hashable, Sendable, CaseIterable {
    /// No rule says yes or no, and nobody was asked.
    case notDetermined
    /// A person answered no.
    case denied
    /// A rule says no.
    case restricted
    /// The master switch is off.
    case disabled
    /// While connected.
    case whenInUse
    /// Also for what outlives the connection.
    case always
  }

  public enum Precision: String, Hashable, Sendable, CaseIterable {
    case precise, reduced
  }

  /// What can be asked for, and be granted by a person.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    /// While connected.
    case whenInUse
    /// Also for what outlives the connection.
    case always
  }
}
