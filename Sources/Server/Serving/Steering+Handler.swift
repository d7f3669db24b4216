import Broker
import JSONRPC
import PositionProtocol

/// A command for a subscription of the connection or of a durable name.
protocol SteeringRequest: RequestHandler {
  static var order: SubscriptionOrder { get }
  var subscription: Int? { get }
  var durable: DurableNameParameter? { get }
}

extension SteeringRequest {
  func handle(in context: ServeContext) throws(RPCError) -> Handling {
    switch try ParameterCombinations.target(subscription: self.subscription, durable: self.durable) {
    case .subscription(let number): .call(.steerSubscription(number: number, Self.order))
    case .durable(let name): .call(.steerDurable(name: name, Self.order))
    }
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension SubscriptionPauseRequest: SteeringRequest {
  static var order: SubscriptionOrder { .pause }
}

extension SubscriptionResumeRequest: SteeringRequest {
  static var order: SubscriptionOrder { .resume }
}

extension SubscriptionAcquireRequest: SteeringRequest {
  static var order: SubscriptionOrder { .acquire }
}

extension SubscriptionFlushRequest: SteeringRequest {
  static var order: SubscriptionOrder { .flush }
}
