import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension RequestListRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<[OpenCall]> { .call { .listRequests($0) } }

  func result(of requests: [OpenCall], in context: AnswerContext) -> Result {
    Result(
      requests: requests.compactMap { open in
        context.client.requestID(of: open.call).map { ListedRequest(request: $0, open.info) }
      })
  }
}

extension RequestCompleteRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<RequestOutcome> {
    guard let target = context.target(self.request) else {
      return .reply(.success(Self.finite(RequestOutcomeResult(outcome: .unknown))))
    }
    return .call { .completeRequest(target, $0) }
  }
}

extension RequestCancelRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<RequestOutcome> {
    guard let target = context.target(self.request) else {
      return .reply(.success(Self.finite(RequestOutcomeResult(outcome: .unknown))))
    }
    return .call { .cancelRequest(target, $0) }
  }
}

extension ServeContext {
  /// The same client's open request with this id.
  fileprivate func target(_ id: RequestID) -> CallID? {
    self.client.serial(of: id).map { CallID(client: self.call.client, serial: $0) }
  }
}
