public import JSONRPC

/// Decides for a user, as the user would when asked; for administrators.
public struct AdminGrantRequest: RequestType, WireObject, Hashable {
  public static let method = "admin.grant"
  public static let summary = "Decides for a user, as the user would when asked; for administrators."

  /// The user's name, or number.
  public var user: UserParameter
  /// What all programs of the user may have.
  public var level: GrantObject.Level
  /// How precisely they may know the position; not with deny.
  public var precision: AuthorizationObject.Precision?

  public init(user: UserParameter, level: GrantObject.Level, precision: AuthorizationObject.Precision? = nil) {
    self.user = user
    self.level = level
    self.precision = precision
  }

  public static let wire = ObjectCodec<AdminGrantRequest>(
    blank: AdminGrantRequest(user: .name(""), level: .fallback)
  ) {
    Field.required("user", \.user, UserParameter.codec, example: "ada", "The user's name, or number.")
    Field.required(
      "level", \.level, GrantObject.Level.codec, example: "whenInUse",
      "What all programs of the user may have.")
    Field.optional(
      "precision", \.precision, AuthorizationObject.Precision.codec, default: "precise", example: "reduced",
      "How precisely they may know the position; not with deny.")
  }

  public typealias Result = GrantObject
  public static let result = ResultDescription("grant", GrantObject.wire.schema, "What is decided now.")
}
