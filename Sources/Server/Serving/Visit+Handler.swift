import Broker
import JSONRPC
import PositionProtocol

extension VisitSubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.subscribeVisits(durable: self.durable)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}
