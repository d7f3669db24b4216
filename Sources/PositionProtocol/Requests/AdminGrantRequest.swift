public import JSONRPC

/// Decides for a user, as the user would when asked; for administrators.
public struct AdminGrantRequest: RequestType, Hashable {
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

  public static let parameters: [FieldDescription] = [
    FieldDescription("user", .user, example: "ada", "The user's name, or number."),
    FieldDescription(
      "level", .choice(of: GrantObject.Level.self), example: "whenInUse",
      "What all programs of the user may have."),
    FieldDescription(
      "precision", .choice(of: AuthorizationObject.Precision.self), .defaulted("precise"), example: "reduced",
      "How precisely they may know the position; not with deny."),
  ]

  public typealias Result = GrantObject
  public static let result = ResultDescription("grant", .reference(GrantObject.schemaName), "What is decided now.")
}
