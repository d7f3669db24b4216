import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension RequestHandler where Self: SubscriptionCommandRequest {
  func handle(in context: ServeContext) -> Handling {
    switch self.target {
    case .subscription(let number): .call(.commandSubscription(number: number, Self.command))
    case .durable(let name): .call(.commandDurable(name: name, Self.command))
    }
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension SubscriptionPauseRequest: RequestHandler {}
extension SubscriptionResumeRequest: RequestHandler {}
extension SubscriptionAcquireRequest: RequestHandler {}
extension SubscriptionFlushRequest: RequestHandler {}
