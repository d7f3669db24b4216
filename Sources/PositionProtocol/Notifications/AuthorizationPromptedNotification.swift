public import JSONRPC

/// A person is being asked whether this client may know the position.
public struct AuthorizationPromptedNotification: NotificationType, WireObject, Hashable {
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

  public static let wire = ObjectCodec<AuthorizationPromptedNotification>(
    blank: AuthorizationPromptedNotification(level: .fallback, precision: .fallback, expiresIn: 0)
  ) {
    Field.required(
      "level", \.level, AuthorizationObject.Level.codec, example: "whenInUse",
      "What is asked for: while connected, or also for what outlives the connection.")
    Field.required(
      "precision", \.precision, AuthorizationObject.Precision.codec, example: "precise",
      "How precisely the client would know the position.")
    Field.required("expiresIn", \.expiresIn, .number(.seconds), example: 60, "Seconds that the question stands.")
  }
}
