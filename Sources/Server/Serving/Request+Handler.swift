import Broker
import JSONRPC
import PositionProtocol

extension RequestListRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.listRequests) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .requests(let requests) = answer else { return self.unexpected(answer, in: context) }
    return .success(
      Result(
        requests: requests.compactMap { info in context.id(info.call).map { RequestObject(info, id: $0) } }))
  }
}

extension RequestObject {
  fileprivate init(_ info: RequestInfo, id: RequestID) {
    let (method, parameters) =
      switch info.asked {
      case .fix(let request): (PositionGetRequest.method, PositionGetRequest(request))
      case .heading(let request): (HeadingGetRequest.method, PositionGetRequest(request))
      }
    self.init(
      request: id, method: method, parameters: parameters, elapsed: info.elapsed.wireSeconds,
      remaining: info.remaining.wireSeconds)
  }
}

extension RequestCompleteRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling {
    guard let target = context.target(self.request) else {
      return .reply(.success(RequestOutcomeResult(outcome: .unknown)))
    }
    return .call(.completeRequest(target))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    RequestOutcomeResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension RequestCancelRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling {
    guard let target = context.target(self.request) else {
      return .reply(.success(RequestOutcomeResult(outcome: .unknown)))
    }
    return .call(.cancelRequest(target))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    RequestOutcomeResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension ServeContext {
  /// The same client's open request with this id.
  fileprivate func target(_ id: RequestID) -> CallID? {
    self.serial(id).map { CallID(client: self.call.client, serial: $0) }
  }
}

extension RequestOutcomeResult {
  /// The result for an answer about another request; `nil` for any other.
  fileprivate static func reply(of answer: Answer) -> Handling.Reply? {
    guard case .request(let outcome) = answer else { return nil }
    return .success(RequestOutcomeResult(outcome: Outcome(outcome)))
  }
}

extension RequestOutcomeResult.Outcome {
  fileprivate init(_ outcome: RequestOutcome) {
    switch outcome {
    case .completed: self = .completed
    case .cancelled: self = .cancelled
    case .unknown: self = .unknown
    }
  }
}
