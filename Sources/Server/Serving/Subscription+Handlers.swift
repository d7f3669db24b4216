import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension SubscriptionUpdateRequest: RequestHandler {
  func handle() -> Handling<SubscriptionAnswer> {
    .call { .updateSubscription(number: self.subscription, self.change, $0) }
  }
}

extension SubscriptionCancelRequest: RequestHandler {
  func handle() -> Handling<SubscriptionAnswer> {
    .call { .cancelSubscription(number: self.subscription, $0) }
  }
}

extension SubscriptionListRequest: RequestHandler {
  func handle() -> Handling<[SubscriptionInfo]> { .call { .listSubscriptions($0) } }

  func result(of subscriptions: [SubscriptionInfo], in context: AnswerContext) -> Result {
    Result(subscriptions: subscriptions)
  }
}

extension RequestHandler where Self: SubscriptionCommandRequest {
  func handle() -> Handling<SubscriptionAnswer> {
    switch self.target {
    case .subscription(let number): .call { .commandSubscription(number: number, Self.command, $0) }
    case .durable(let name): .call { .commandDurable(name: name, Self.command, $0) }
    }
  }
}

extension SubscriptionPauseRequest: RequestHandler {}
extension SubscriptionResumeRequest: RequestHandler {}
extension SubscriptionAcquireRequest: RequestHandler {}
extension SubscriptionFlushRequest: RequestHandler {}
