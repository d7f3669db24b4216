import Broker
import JSONRPC
import PositionProtocol

extension VisitSubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) throws(RPCError) -> Handling {
    try ParameterCombinations.check(self.durable)
    return .call(.subscribeVisits(durable: self.durable.map { DurableRequest($0) }))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}
