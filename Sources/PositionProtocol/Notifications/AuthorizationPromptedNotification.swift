public import JSONRPC

/// A person is being asked whether this client may know the position.
public struct AuthorizationPromptedNotification: NotificationType, Hashable {
  public static let method = "authorization.prompted"
  public static let summary = "A person is being asked whether this client may know the position."

  /// What is asked for: while connected, or also for what outlives the connection.
  public var level: AuthorizationObject.Level
  /// How precisely the client would know the position.
  public var precision: AuthorizationObject.Precision
  /// Seconds that the question stands.
  public var expiresIn: Double

  public init(level: AuthorizationObject.Level, precision: AuthorizationObject.Precision, expiresIn: Double) {
    self.level = level
    self.precision = precision
    self.expiresIn = expiresIn
  }

  public static let parameters: [FieldDescription] = [
    FieldDescription(
      "level", .choice(of: AuthorizationObject.Level.self), example: "whenInUse",
      "What is asked for: while connected, or also for what outlives the connection."),
    FieldDescription(
      "precision", .choice(of: AuthorizationObject.Precision.self), example: "precise",
      "How precisely the client would know the position."),
    FieldDescription(
      "expiresIn", .number(.seconds), example: 60,
      "Seconds that the question stands."),
  ]
}
