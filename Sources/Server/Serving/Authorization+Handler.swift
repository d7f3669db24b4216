import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension AuthorizationGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.authorization) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    Authorization.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension AuthorizationRequestRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.requestAuthorization(self.request)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    Authorization.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension Authorization {
  /// The result for an answer about the client's authorization; `nil` for any other.
  fileprivate static func reply(of answer: Answer) -> Handling.Reply<Self>? {
    guard case .authorization(let authorization) = answer else { return nil }
    return .success(authorization)
  }
}
