public import JSONRPC
public import Positioning

/// What the client may know has changed; nothing that was allowed only before comes after it.
///
/// On the wire the authorization's members stand beside `previous`.
public struct AuthorizationChangedNotification: NotificationType, WireObject, Hashable {
  public static let method = "authorization.changed"
  public static let summary =
    "What the client may know has changed; nothing that was allowed only before comes after it."

  public var authorization: Authorization
  /// What it was before.
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
      "What it was before.")
  }
}
