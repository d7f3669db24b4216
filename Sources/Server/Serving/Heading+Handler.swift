import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension HeadingGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.getHeading(self.request)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .heading(let result) = answer else { return self.unexpected(answer, in: context) }
    return .success(result)
  }
}

extension HeadingSubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.subscribeHeading(self.parameters)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}
