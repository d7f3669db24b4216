public import JSONRPC

/// Asks for permission: a person is asked where no rule decides and an agent is there.
public struct AuthorizationRequestRequest: RequestType, WireObject, Hashable {
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

  public static let wire = ObjectCodec<AuthorizationRequestRequest>(blank: AuthorizationRequestRequest()) {
    Field.optional(
      "level", \.level, AuthorizationObject.Level.codec, default: "whenInUse", example: "always",
      "While connected, or also for what outlives the connection.")
    Field.optional(
      "precision", \.precision, AuthorizationObject.Precision.codec, default: "precise", example: "reduced",
      "How precisely the client wants to know the position.")
    Field.optional(
      "force", \.force, .boolean, default: false, example: true,
      "Whether to ask again after a person's no; a rule is never asked past.")
  }

  public typealias Result = AuthorizationObject
  public static let result = ResultDescription(
    "authorization", AuthorizationObject.wire.schema, "What the client may know now.")
}
