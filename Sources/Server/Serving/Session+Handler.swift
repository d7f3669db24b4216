import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension SessionHelloRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<Authorization> {
    guard let user = self.onBehalfOf else {
      return .introduction(name: self.name, purpose: self.purpose) { .authorization($0) }
    }
    return .relaying(for: user, name: self.name, purpose: self.purpose) { .authorization($0) }
  }

  func result(of authorization: Authorization, in context: AnswerContext) -> Result {
    let daemon = context.daemon
    return Result(
      server: Server(name: "positiond", version: daemon.version), protocolVersion: PositionMethods.version,
      capabilities: [
        "position", "sky", "heading", "status", "significant", "deferred", "regions", "visits", "durable",
        "authorization",
      ],
      principal: context.client.principal, authorization: authorization,
      limits: LimitsObject(
        frame: daemon.limits.maxFrame, batch: ServerSession.maximumBatch, requests: daemon.broker.maxRequestsPerClient,
        subscriptions: daemon.broker.maxSubscriptionsPerClient, regions: daemon.broker.maxRegionsPerUser,
        names: daemon.broker.maxNamesPerUser, inboxEvents: daemon.broker.inbox.events,
        maxRequestTime: daemon.broker.maxRequestTime.wireSeconds))
  }
}

extension DiscoverRequest: RequestHandler {
  /// Encoded once, because it is long and clients may request it often.
  private static let document: Swift.Result<Reply, RPCError> = {
    do throws(JSONWriter.NoJSON) {
      return .success(try Reply(OpenRPC.document, JSONValue.codec))
    } catch {
      return .failure(.internalError("\(error)"))
    }
  }()

  func handle(in context: ServeContext) -> Handling<Never> { .reply(Self.document) }
}
