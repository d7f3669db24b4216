public import JSONRPC

/// From the daemon to an agent: asks a person whether a program may know the position.
///
/// The daemon ends a question that needs no answer any more with `$/cancelRequest`.
public struct AgentAuthorizeRequest: RequestType, Hashable {
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

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "principal", .reference(PrincipalObject.schemaName), example: DescribedExample.of(PrincipalObject.self),
      "Who asks; its name and purpose are what the program says of itself."),
    FieldDescription(
      "level", .choice(of: AuthorizationObject.Level.self), example: "whenInUse",
      "What it asks for: while connected, or also for what outlives the connection."),
    FieldDescription(
      "precision", .choice(of: AuthorizationObject.Precision.self), example: "precise",
      "How precisely it wants to know the position."),
    FieldDescription(
      "expiresIn", .number(.seconds), example: 60,
      "Seconds that an answer counts."),
  ]

  /// What the person says.
  public struct Result: DescribedObject {
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

    public static let fields: [FieldDescription] = [
      FieldDescription(
        "decision", .choice(of: Decision.self), example: "allow",
        "Yes or no."),
      FieldDescription(
        "level", .choice(of: AuthorizationObject.Level.self), .optional, example: "whenInUse",
        "What is allowed, where that is less than was asked for."),
      FieldDescription(
        "precision", .choice(of: AuthorizationObject.Precision.self), .optional, example: "reduced",
        "How precisely, where that is less than was asked for."),
      FieldDescription(
        "remember", .boolean, .defaulted(true), example: false,
        "Whether it holds for later too; else for the connections that waited for it."),
    ]
  }

  public static let result = ResultDescription("result", .object(Result.fields), "What the person says.")

  public enum Decision: String, Codable, Hashable, Sendable, CaseIterable {
    case allow, deny
  }
}

extension AgentAuthorizeRequest.Result {
  private enum CodingKeys: CodingKey { case decision, level, precision, remember }

  /// The daemon reads it, and a word that it does not know must not pass for one that is absent: that would allow all
  /// that was asked for.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.decision = try container.decode(AgentAuthorizeRequest.Decision.self, forKey: .decision)
    self.level = try container.decodeKnownIfPresent(AuthorizationObject.Level.self, forKey: .level)
    self.precision = try container.decodeKnownIfPresent(AuthorizationObject.Precision.self, forKey: .precision)
    self.remember = try container.decodeIfPresent(Bool.self, forKey: .remember)
  }
}
