public import JSONRPC
public import Positioning

/// A person is being asked whether this client may know the position.
public struct AuthorizationPromptedNotification: NotificationType, WireObject, Hashable {
  public static let method = "authorization.prompted"
  public static let summary = "A person is being asked whether this client may know the position."

  /// What is asked for: while connected, or also for what outlives the connection.
  public var level: AuthorizationLevel
  /// How precisely the client would know the position.
  public var precision: Precision
  /// How long the question stands.
  public var expiresIn: Duration

  public init(level: AuthorizationLevel, precision: Precision, expiresIn: Duration) {
    self.level = level
    self.precision = precision
    self.expiresIn = expiresIn
  }

  public static let wire = ObjectCodec<AuthorizationPromptedNotification>(
    blank: AuthorizationPromptedNotification(level: .fallback, precision: .fallback, expiresIn: .zero)
  ) {
    Field.required(
      "level", \.level, AuthorizationLevel.codec, example: "whenInUse",
      "What is asked for: while connected, or also for what outlives the connection.")
    Field.required(
      "precision", \.precision, Precision.codec, example: "precise",
      "How precisely the client would know the position.")
    Field.required("expiresIn", \.expiresIn, .seconds(), example: 60, "Seconds that the question stands.")
  }
}
