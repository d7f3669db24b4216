public import JSONRPC
public import Positioning

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
