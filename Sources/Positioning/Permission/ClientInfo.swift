/// A client as administrators see it.
public struct ClientInfo: Hashable, Sendable {
  /// Who it is.
  public var principal: Principal
  /// What it may know.
  public var authorization: Authorization
  /// Its requests in flight.
  public var requests: Int
  /// Its subscriptions.
  public var subscriptions: Int
  /// Its regions that end with the connection.
  public var regions: Int

  public init(
    principal: Principal, authorization: Authorization, requests: Int, subscriptions: Int, regions: Int
  ) {
    self.principal = principal
    self.authorization = authorization
    self.requests = requests
    self.subscriptions = subscriptions
    self.regions = regions
  }
}
