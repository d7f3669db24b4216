import Broker
import JSONRPC
import PositionProtocol

extension SessionHelloRequest: ServedRequest {
  func served(in context: ServeContext) -> Served {
    var principal = context.principal
    principal.name = self.name
    principal.purpose = self.purpose
    let daemon = context.daemon
    let result = Result(
      server: Server(name: "positiond", version: daemon.version), protocolVersion: PositionMethods.version,
      capabilities: [
        "position", "sky", "heading", "status", "significant", "deferred", "regions", "visits", "durable",
      ],
      principal: PrincipalObject(principal),
      // Permission is not built yet: every client is treated as precise and always.
      authorization: AuthorizationObject(state: .always, precision: .precise),
      limits: LimitsObject(
        frame: daemon.limits.maxFrame, batch: ServerSession.maximumBatch, requests: daemon.maxRequestsPerClient,
        subscriptions: daemon.maxSubscriptionsPerClient, regions: daemon.maxRegionsPerUser,
        names: daemon.maxNamesPerUser, inboxEvents: daemon.maxInboxEvents,
        maxRequestTime: daemon.maxRequestTime.wireSeconds))
    return .introduction(name: self.name, purpose: self.purpose, result)
  }
}

extension DiscoverRequest: ServedRequest {
  /// Encoded once: it is long, and anybody may ask for it as often as they like.
  private static let document = EncodedValue(OpenRPC.document)

  func served(in context: ServeContext) -> Served { .reply(.success(Self.document)) }
}

extension PrincipalObject {
  init(_ principal: Principal) {
    self.init(
      uid: principal.uid, user: principal.user, groups: principal.groups, pid: principal.pid,
      name: principal.name,
      purpose: principal.purpose)
  }
}
