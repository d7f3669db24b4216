import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension RequestListRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.listRequests) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .requests(let requests) = answer else { return self.unexpected(answer, in: context) }
    return .success(
      Result(
        requests: requests.compactMap { open in
          context.client.requestID(of: open.call).map { ListedRequest(request: $0, open.info) }
        }))
  }
}

extension RequestCompleteRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling {
    guard let target = context.target(self.request) else {
      return .reply(.success(Self.finite(RequestOutcomeResult(outcome: .unknown))))
    }
    return .call(.completeRequest(target))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    RequestOutcomeResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension RequestCancelRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling {
    guard let target = context.target(self.request) else {
      return .reply(.success(Self.finite(RequestOutcomeResult(outcome: .unknown))))
    }
    return .call(.cancelRequest(target))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    RequestOutcomeResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension ServeContext {
  /// The same client's open request with this id.
  fileprivate func target(_ id: RequestID) -> CallID? {
    self.client.serial(of: id).map { CallID(client: self.call.client, serial: $0) }
  }
}

extension RequestOutcomeResult {
  /// The result for an answer about another request; `nil` for any other.
  fileprivate static func reply(of answer: Answer) -> Handling.Reply<Self>? {
    guard case .request(let outcome) = answer else { return nil }
    return .success(RequestOutcomeResult(outcome: outcome))
  }
}
