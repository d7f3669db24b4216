public import JSONRPC

/// What the client may know has changed; nothing that was allowed only before comes after it.
///
/// On the wire the authorization's members stand beside `previous`.
public struct AuthorizationChangedNotification: NotificationType, WireObject, Hashable {
  public static let method = "authorization.changed"
  public static let summary =
    "What the client may know has changed; nothing that was allowed only before comes after it."

  public var authorization: AuthorizationObject
  /// What it was before.
  public var previous: AuthorizationObject

  public init(authorization: AuthorizationObject, previous: AuthorizationObject) {
    self.authorization = authorization
    self.previous = previous
  }

  public static let wire = ObjectCodec<AuthorizationChangedNotification>(
    blank: AuthorizationChangedNotification(
      authorization: AuthorizationObject.wire.blank, previous: AuthorizationObject.wire.blank)
  ) {
    AuthorizationObject.wire.fields(within: \AuthorizationChangedNotification.authorization)
    Field.required(
      "previous", \.previous, AuthorizationObject.codec, example: AuthorizationObject.example,
      "What it was before.")
  }
}
