import Broker
import JSONRPC
import PositionProtocol

extension SessionHelloRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling {
    guard let user = self.onBehalfOf else {
      return .introduction(name: self.name, purpose: self.purpose, .authorization)
    }
    return .relaying(for: user, name: self.name, purpose: self.purpose, .authorization)
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .authorization(let authorization) = answer else { return self.unexpected(answer, in: context) }
    let daemon = context.daemon
    let result = Result(
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
    return .success(result)
  }
}

extension DiscoverRequest: RequestHandler {
  /// Encoded once, because it is long and clients may request it often.
  private static let document: Handling.Reply<EncodedResult> = {
    do throws(JSONWriter.NoJSON) {
      return .success(try EncodedResult(OpenRPC.document, JSONValue.codec))
    } catch {
      return .failure(.internalError("\(error)"))
    }
  }()

  func handle(in context: ServeContext) -> Handling { .reply(Self.document) }
}
