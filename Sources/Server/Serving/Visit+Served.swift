import Broker
import JSONRPC
import PositionProtocol

extension VisitSubscribeRequest: ServedRequest {
  func served(in context: ServeContext) throws(RPCError) -> Served {
    try ParameterCombinations.check(self.durable)
    return .call(.subscribeVisits(durable: self.durable.map { DurableRequest($0) }))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Served.Reply {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}
