public import JSONRPC

/// A client as administrators see it.
public struct ClientObject: DescribedObject {
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

  public static let fields: [FieldDescription] = [
    FieldDescription(
      "principal", .reference(PrincipalObject.schemaName), example: DescribedExample.of(PrincipalObject.self),
      "Who it is."),
    FieldDescription(
      "authorization", .reference(AuthorizationObject.schemaName),
      example: DescribedExample.of(AuthorizationObject.self),
      "What it may know."),
    FieldDescription(
      "requests", .integer(minimum: 0), example: 1,
      "Its requests in flight."),
    FieldDescription(
      "subscriptions", .integer(minimum: 0), example: 2,
      "Its subscriptions."),
    FieldDescription(
      "regions", .integer(minimum: 0), example: 3,
      "Its regions that end with the connection."),
  ]
}
