import Broker
import JSONRPC
import PositionProtocol

extension SkyGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.sky) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .sky(let sky) = answer else { return self.unexpected(answer, in: context) }
    return .success(Result(sky))
  }
}

extension SkySubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling {
    .call(.subscribeSky(minInterval: self.minInterval, isPassive: self.isPassive))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}
