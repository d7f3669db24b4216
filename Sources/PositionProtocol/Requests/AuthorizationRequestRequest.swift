public import JSONRPC

/// Asks for permission: a person is asked where no rule decides and an agent is there.
public struct AuthorizationRequestRequest: RequestType, Hashable {
  public static let method = "authorization.request"
  public static let summary = "Asks for permission: a person is asked where no rule decides and an agent is there."
  public static let isAllowedInBatch = false

  /// While connected, or also for what outlives the connection.
  public var level: AuthorizationObject.Level?
  /// How precisely the client wants to know the position.
  public var precision: AuthorizationObject.Precision?
  /// Whether to ask again after a person's no; a rule is never asked past.
  public var force: Bool?

  public init(
    level: AuthorizationObject.Level? = nil, precision: AuthorizationObject.Precision? = nil, force: Bool? = nil
  ) {
    self.level = level
    self.precision = precision
    self.force = force
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "level", .choice(of: AuthorizationObject.Level.self), .defaulted("whenInUse"), example: "always",
      "While connected, or also for what outlives the connection."),
    FieldDescription(
      "precision", .choice(of: AuthorizationObject.Precision.self), .defaulted("precise"), example: "reduced",
      "How precisely the client wants to know the position."),
    FieldDescription(
      "force", .boolean, .defaulted(false), example: true,
      "Whether to ask again after a person's no; a rule is never asked past."),
  ]

  public typealias Result = AuthorizationObject
  public static let result = ResultDescription(
    "authorization", .reference(AuthorizationObject.schemaName), "What the client may know now.")
}
