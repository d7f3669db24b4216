import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension SubscriptionUpdateRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling {
    .call(.updateSubscription(number: self.subscription, self.change))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension SubscriptionCancelRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.cancelSubscription(number: self.subscription)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension SubscriptionListRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.listSubscriptions) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .subscriptions(let subscriptions) = answer else { return self.unexpected(answer, in: context) }
    return .success(Result(subscriptions: subscriptions))
  }
}

extension SubscriptionResult {
  /// The result for an answer about one subscription; `nil` for any other.
  static func reply(of answer: Answer) -> Handling.Reply<Self>? {
    switch answer {
    case .subscribed(let info), .subscription(let info):
      .success(
        SubscriptionResult(subscription: info.number, state: info.state, availability: info.availability))
    case .durableSubscribed(let name, let state, let availability):
      .success(SubscriptionResult(durable: name, state: state, availability: availability))
    case .fix, .lastFix, .subscriptions, .request, .requests, .sky, .heading, .status, .region, .regions, .durable,
      .durables, .authorization, .agentRegistered, .clients, .grants, .grant, .enabled, .failed:
      nil
    }
  }
}
