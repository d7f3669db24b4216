public import JSONRPC
public import Positioning

/// Returns what the client may know.
public struct AuthorizationGetRequest: RequestType, WireObject, Hashable {
  public static let method = "authorization.get"
  public static let summary = "Returns what the client may know."

  public init() {}

  public static let wire = ObjectCodec<AuthorizationGetRequest>(blank: AuthorizationGetRequest()) {}

  public typealias Result = Authorization
  public static let result = ResultDescription(
    "authorization", Authorization.wire.schema, "What the client may know.")
}

/// Requests permission: a person is asked if no rule decides and an agent is attached.
public struct AuthorizationRequestRequest: RequestType, WireObject, Hashable {
  public static let method = "authorization.request"
  public static let summary = "Requests permission: a person is asked if no rule decides and an agent is attached."
  public static let isAllowedInBatch = false
  public static let usual: Set<String> = ["level"]

  /// The requested level and precision.
  public var request: AuthorizationRequest

  public init(_ request: AuthorizationRequest = AuthorizationRequest()) {
    self.request = request
  }

  public static let wire = ObjectCodec<AuthorizationRequestRequest>(blank: AuthorizationRequestRequest()) {
    AuthorizationRequest.wire.fields(within: \AuthorizationRequestRequest.request)
  }

  public typealias Result = Authorization
  public static let result = ResultDescription(
    "authorization", Authorization.wire.schema, "What the client may know now.")
}

/// The client's authorization has changed; afterwards nothing is sent that only the old one allowed.
///
/// On the wire the authorization's members stand beside `previous`.
public struct AuthorizationChangedNotification: NotificationType, WireObject, Hashable {
  public static let method = "authorization.changed"
  public static let summary =
    "The client's authorization has changed; afterwards nothing is sent that only the old one allowed."

  public var authorization: Authorization
  /// The authorization before.
  public var previous: Authorization

  public init(authorization: Authorization, previous: Authorization) {
    self.authorization = authorization
    self.previous = previous
  }

  public static let wire = ObjectCodec<AuthorizationChangedNotification>(
    blank: AuthorizationChangedNotification(
      authorization: Authorization.wire.blank, previous: Authorization.wire.blank)
  ) {
    Authorization.wire.fields(within: \AuthorizationChangedNotification.authorization)
    Field.required(
      "previous", \.previous, Authorization.codec, example: Authorization.example,
      "The authorization before.")
  }
}

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
