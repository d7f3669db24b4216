public import JSONRPC

/// What the client may know has changed; nothing that was allowed only before comes after it.
///
/// On the wire the authorization's members stand beside `previous`.
public struct AuthorizationChangedNotification: NotificationType, Hashable {
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

  public static let parameters: [FieldDescription] =
    AuthorizationObject.fields + [
      FieldDescription(
        "previous", .reference(AuthorizationObject.schemaName),
        example: DescribedExample.of(AuthorizationObject.self),
        "What it was before.")
    ]

  private enum CodingKeys: CodingKey { case previous }

  public init(from decoder: any Decoder) throws {
    self.authorization = try AuthorizationObject(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.previous = try container.decode(AuthorizationObject.self, forKey: .previous)
  }

  public func encode(to encoder: any Encoder) throws {
    try self.authorization.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(self.previous, forKey: .previous)
  }
}
