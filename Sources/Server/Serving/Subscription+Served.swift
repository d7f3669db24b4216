import Broker
import JSONRPC
import PositionProtocol

extension SubscriptionUpdateRequest: ServedRequest {
  func served(in context: ServeContext) throws(RPCError) -> Served {
    try ParameterCombinations.check(self)
    var change = SubscriptionChange()
    change.mode = self.mode.map { SubscriptionParameters.Mode($0) }
    change.accuracy = self.accuracy
    change.minInterval = self.minInterval.map { .seconds($0) }
    change.minDistance = self.minDistance
    change.maxInterval = self.maxInterval.map { .seconds($0) }
    change.onlyBetterThan = self.onlyBetterThan
    change.maxUpdates = self.maxUpdates
    change.duration = self.duration.map { .seconds($0) }
    change.deferredDistance = self.deferredDistance
    change.deferredTimeout = self.deferredTimeout.map { .seconds($0) }
    change.significantDistance = self.significantDistance
    change.significantInterval = self.significantInterval.map { .seconds($0) }
    change.acquire = self.acquire.map { SubscriptionParameters.Acquisition($0) }
    change.activity = self.activity
    change.autoPause = self.autoPause
    return .call(.updateSubscription(number: self.subscription, change))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Served.Reply {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension SubscriptionCancelRequest: ServedRequest {
  func served(in context: ServeContext) -> Served { .call(.cancelSubscription(number: self.subscription)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Served.Reply {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension SubscriptionListRequest: ServedRequest {
  func served(in context: ServeContext) -> Served { .call(.listSubscriptions) }

  static func result(of answer: Answer, in context: AnswerContext) -> Served.Reply {
    guard case .subscriptions(let subscriptions) = answer else { return self.unexpected(answer, in: context) }
    return .success(Result(subscriptions: subscriptions.map { SubscriptionObject($0) }))
  }
}

extension SubscriptionResult {
  /// The result for an answer that tells of one subscription; `nil` for any other.
  static func reply(of answer: Answer) -> Served.Reply? {
    switch answer {
    case .subscribed(let info), .subscription(let info):
      .success(
        SubscriptionResult(
          subscription: info.id.number, state: SubscriptionObject.State(info.state), availability: info.availability))
    case .durableSubscribed(let name, let state, let availability):
      .success(
        SubscriptionResult(durable: name, state: SubscriptionObject.State(state), availability: availability))
    case .fix, .lastFix, .subscriptions, .request, .requests, .sky, .heading, .status, .region, .regions, .durable,
      .durables, .authorization, .agentRegistered, .clients, .grants, .grant, .enabled, .failed:
      nil
    }
  }
}

extension SubscriptionObject {
  init(_ info: SubscriptionInfo) {
    let parameters: Parameters =
      switch info.kind {
      case .position(let parameters): .position(PositionSubscribeRequest(parameters))
      case .sky(let minInterval): .sky(SkySubscribeRequest(minInterval: minInterval.wireSeconds))
      case .heading(let parameters): .heading(HeadingSubscribeRequest(parameters))
      case .status: .status(StatusSubscribeRequest())
      case .visits: .visits(VisitSubscribeRequest())
      }
    self.init(
      subscription: info.id.number, parameters: parameters, state: State(info.state), availability: info.availability,
      updates: info.updates)
  }
}

extension SubscriptionObject.State {
  init(_ state: SubscriptionState) {
    switch state {
    case .waiting: self = .waiting
    case .acquiring: self = .acquiring
    case .delivering: self = .delivering
    case .paused: self = .paused
    case .suspended: self = .suspended
    case .ended: self = .ended
    }
  }
}
