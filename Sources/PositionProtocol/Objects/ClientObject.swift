public import JSONRPC

/// A client as administrators see it.
public struct ClientObject: WireObject, Hashable {
  /// Who it is.
  public var principal: PrincipalObject
  /// What it may know.
  public var authorization: AuthorizationObject
  /// Its requests in flight.
  public var requests: Int
  /// Its subscriptions.
  public var subscriptions: Int
  /// Its regions that end with the connection.
  public var regions: Int

  public init(
    principal: PrincipalObject, authorization: AuthorizationObject, requests: Int, subscriptions: Int, regions: Int
  ) {
    self.principal = principal
    self.authorization = authorization
    self.requests = requests
    self.subscriptions = subscriptions
    self.regions = regions
  }

  public static let wire = ObjectCodec<ClientObject>(
    "Client",
    blank: ClientObject(
      principal: PrincipalObject.wire.blank, authorization: AuthorizationObject.wire.blank, requests: 0,
      subscriptions: 0, regions: 0)
  ) {
    Field.required("principal", \.principal, PrincipalObject.codec, example: PrincipalObject.example, "Who it is.")
    Field.required(
      "authorization", \.authorization, AuthorizationObject.codec, example: AuthorizationObject.example,
      "What it may know.")
    Field.required("requests", \.requests, .integer(minimum: 0), example: 1, "Its requests in flight.")
    Field.required("subscriptions", \.subscriptions, .integer(minimum: 0), example: 2, "Its subscriptions.")
    Field.required(
      "regions", \.regions, .integer(minimum: 0), example: 3,
      "Its regions that end with the connection.")
  }
}
