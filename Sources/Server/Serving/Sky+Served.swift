import Broker
import JSONRPC
import PositionProtocol

extension SkyGetRequest: ServedRequest {
  func served(in context: ServeContext) -> Served { .call(.sky) }

  static func result(of answer: Answer, in context: AnswerContext) -> Served.Reply {
    guard case .sky(let sky) = answer else { return self.unexpected(answer, in: context) }
    return .success(SkyObject(sky, now: context.now))
  }
}

extension SkySubscribeRequest: ServedRequest {
  func served(in context: ServeContext) -> Served {
    .call(.subscribeSky(minInterval: Duration(wireSeconds: self.minInterval ?? 1)))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Served.Reply {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}
