/// A client as administrators see it.
public struct ClientInfo: Hashable, Sendable {
  /// Who the client is.
  public var principal: Principal
  /// What it may know.
  public var authorization: Authorization
  /// The client's requests in flight.
  public var requests: Int
  /// The client's subscriptions.
  public var subscriptions: Int
  /// The client's regions that end with the connection.
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
