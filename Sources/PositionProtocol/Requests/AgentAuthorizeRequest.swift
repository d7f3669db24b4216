public import JSONRPC

/// From the daemon to an agent: asks a person whether a program may know the position.
///
/// The daemon ends a question that needs no answer any more with `$/cancelRequest`.
public struct AgentAuthorizeRequest: RequestType, WireObject, Hashable {
  public static let method = "agent.authorize"
  public static let summary = "From the daemon to an agent: asks a person whether a program may know the position."
  public static let isAllowedInBatch = false

  /// Who asks; its name and purpose are what the program says of itself.
  public var principal: PrincipalObject
  /// What it asks for: while connected, or also for what outlives the connection.
  public var level: AuthorizationObject.Level
  /// How precisely it wants to know the position.
  public var precision: AuthorizationObject.Precision
  /// Seconds that an answer counts.
  public var expiresIn: Double

  public init(
    principal: PrincipalObject, level: AuthorizationObject.Level, precision: AuthorizationObject.Precision,
    expiresIn: Double
  ) {
    self.principal = principal
    self.level = level
    self.precision = precision
    self.expiresIn = expiresIn
  }

  public static let wire = ObjectCodec<AgentAuthorizeRequest>(
    blank: AgentAuthorizeRequest(
      principal: PrincipalObject.wire.blank, level: .fallback, precision: .fallback, expiresIn: 0)
  ) {
    Field.required(
      "principal", \.principal, PrincipalObject.codec, example: PrincipalObject.example,
      "Who asks; its name and purpose are what the program says of itself.")
    Field.required(
      "level", \.level, AuthorizationObject.Level.codec, example: "whenInUse",
      "What it asks for: while connected, or also for what outlives the connection.")
    Field.required(
      "precision", \.precision, AuthorizationObject.Precision.codec, example: "precise",
      "How precisely it wants to know the position.")
    Field.required("expiresIn", \.expiresIn, .number(.seconds), example: 60, "Seconds that an answer counts.")
  }

  /// What the person says.
  public struct Result: WireObject, Hashable {
    /// Yes or no.
    public var decision: Decision
    /// What is allowed, where that is less than was asked for.
    public var level: AuthorizationObject.Level?
    /// How precisely, where that is less than was asked for.
    public var precision: AuthorizationObject.Precision?
    /// Whether it holds for later too; else for the connections that waited for it.
    public var remember: Bool?

    public init(
      decision: Decision, level: AuthorizationObject.Level? = nil, precision: AuthorizationObject.Precision? = nil,
      remember: Bool? = nil
    ) {
      self.decision = decision
      self.level = level
      self.precision = precision
      self.remember = remember
    }

    public static let wire = ObjectCodec<Result>(blank: Result(decision: .deny)) {
      Field.required("decision", \.decision, Decision.codec, example: "allow", "Yes or no.")
      Field.optional(
        "level", \.level, AuthorizationObject.Level.codec, example: "whenInUse",
        "What is allowed, where that is less than was asked for.")
      Field.optional(
        "precision", \.precision, AuthorizationObject.Precision.codec, example: "reduced",
        "How precisely, where that is less than was asked for.")
      Field.optional(
        "remember", \.remember, .boolean, default: true, example: false,
        "Whether it holds for later too; else for the connections that waited for it.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "What the person says.")

  public enum Decision: String, Hashable, Sendable, CaseIterable {
    case allow, deny
  }
}

extension AgentAuthorizeRequest.Decision {
  static let codec = Codec<Self>.word
}
