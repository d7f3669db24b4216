import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension SessionHelloRequest: RequestHandler {
  func handle() -> Handling<Authorization> {
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
        "authorization", "time",
      ],
      principal: context.principal, authorization: authorization,
      limits: LimitsObject(
        frame: daemon.limits.maxFrame, batch: ServerSession.maximumBatch, requests: daemon.broker.maxRequestsPerClient,
        subscriptions: daemon.broker.maxSubscriptionsPerClient, regions: daemon.broker.maxRegionsPerUser,
        names: daemon.broker.maxNamesPerUser, inboxEvents: daemon.broker.inbox.events,
        maxRequestTime: daemon.broker.maxRequestTime.wireSeconds))
  }
}

extension DiscoverRequest: RequestHandler {
  /// Encoded once, because it is long and clients may request it often.
  private static let document: Swift.Result<ResultText, RPCError> = {
    do throws(JSONWriter.NoJSON) {
      return .success(try ResultText(OpenRPC.document, JSONValue.codec))
    } catch {
      return .failure(.internalError("\(error)"))
    }
  }()

  func handle() -> Handling<Never> { .reply(Self.document) }
}

extension AuthorizationGetRequest: RequestHandler {
  func handle() -> Handling<Authorization> { .call { .authorization($0) } }
}

extension AuthorizationRequestRequest: RequestHandler {
  func handle() -> Handling<Authorization> {
    .call { .requestAuthorization(self.request, $0) }
  }
}

extension TimeGetRequest: RequestHandler {
  func handle() -> Handling<ReceiverTime> { .call { .time($0) } }
}

extension StatusGetRequest: RequestHandler {
  func handle() -> Handling<DaemonStatus> { .call { .status($0) } }

  /// Those who ask in the same turn get the same text.
  func message(answering id: RequestID, with status: DaemonStatus, in context: AnswerContext) throws(JSONWriter.NoJSON)
    -> [UInt8]
  {
    OutgoingMessage.result(id: id, try context.texts.text(of: status, at: context.moment))
  }
}

extension StatusSubscribeRequest: RequestHandler {
  func handle() -> Handling<SubscriptionAnswer> { .call { .subscribeStatus($0) } }
}

extension RequestListRequest: RequestHandler {
  func handle() -> Handling<[OpenCall]> { .call { .listRequests($0) } }

  func result(of requests: [OpenCall], in context: AnswerContext) -> Result {
    Result(
      requests: requests.compactMap { open in
        context.requests[open.call.serial].map { ListedRequest(request: $0.id, open.info) }
      })
  }
}

extension RequestCompleteRequest: RequestHandler {
  func handle() -> Handling<RequestOutcome> { .about(self.request, unknown: Self.unknown) { .completeRequest($0, $1) } }
}

extension RequestCancelRequest: RequestHandler {
  func handle() -> Handling<RequestOutcome> { .about(self.request, unknown: Self.unknown) { .cancelRequest($0, $1) } }
}

extension RequestHandler where Result == RequestOutcomeResult {
  /// The reply where the request with the id is not open.
  fileprivate static var unknown: ResultText { Self.finite(RequestOutcomeResult(outcome: .unknown)) }
}
