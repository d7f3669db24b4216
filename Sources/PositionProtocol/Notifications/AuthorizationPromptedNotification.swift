public import JSONRPC
public import Positioning

/// A person is being asked whether this client may know the position. The prompt itself (`PermissionPrompt`), which the agent
/// gets, has the client's principal too.
public struct AuthorizationPromptedNotification: NotificationType, WireObject, Hashable {
  public static let method = "authorization.prompted"
  public static let summary = "A person is being asked whether this client may know the position."

  /// The requested level: while connected, or also for durable registrations.
  public var level: AuthorizationLevel
  /// The requested precision.
  public var precision: Precision
  /// How long the prompt is shown.
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
      "The requested level: while connected, or also for durable registrations.")
    Field.required(
      "precision", \.precision, Precision.codec, example: "precise",
      "The requested precision.")
    Field.required("expiresIn", \.expiresIn, .seconds(), example: 60, "Seconds until the prompt ends.")
  }
}
