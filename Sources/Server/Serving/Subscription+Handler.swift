import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension SubscriptionUpdateRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<SubscriptionAnswer> {
    .call { .updateSubscription(number: self.subscription, self.change, $0) }
  }
}

extension SubscriptionCancelRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<SubscriptionAnswer> {
    .call { .cancelSubscription(number: self.subscription, $0) }
  }
}

extension SubscriptionListRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<[SubscriptionInfo]> { .call { .listSubscriptions($0) } }

  func result(of subscriptions: [SubscriptionInfo], in context: AnswerContext) -> Result {
    Result(subscriptions: subscriptions)
  }
}
