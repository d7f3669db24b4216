public import JSONRPC

/// What a client may know.
public struct AuthorizationObject: DescribedObject {
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

  public static let fields: [FieldDescription] = [
    FieldDescription(
      "state", .choice(of: State.self), example: "whenInUse",
      "Whether, and when, the client may know the position."),
    FieldDescription(
      "precision", .choice(of: Precision.self), example: "precise",
      "How precisely it may know it."),
    FieldDescription(
      "rule", .string(maximumBytes: nil), .optional, example: "family",
      "The rule that decided."),
    FieldDescription(
      "remedy", .string(maximumBytes: nil), .optional, example: "adduser ada position, and a new login",
      "Where the answer is no, or less than everything: who can change that, and how."),
  ]

  public enum State: String, Codable, Hashable, Sendable, CaseIterable {
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

  public enum Precision: String, Codable, Hashable, Sendable, CaseIterable {
    case precise, reduced
  }

  /// What can be asked for, and be granted by a person.
  public enum Level: String, Codable, Hashable, Sendable, CaseIterable {
    /// While connected.
    case whenInUse
    /// Also for what outlives the connection.
    case always
  }
}
