import Broker
import JSONRPC
import PositionProtocol
import Positioning

/// The parameters that a subscription is requested with and that can be changed.
protocol ChangeableParameters {
  var mode: PositionSubscribeRequest.Mode? { get }
  var accuracy: AccuracyDemand? { get }
  var minInterval: Double? { get }
  var minDistance: Double? { get }
  var maxInterval: Double? { get }
  var onlyBetterThan: Double? { get }
  var maxUpdates: Int? { get }
  var duration: Double? { get }
  var deferredDistance: Double? { get }
  var deferredTimeout: Double? { get }
  var significantDistance: Double? { get }
  var significantInterval: Double? { get }
  var acquire: AcquisitionObject? { get }
  var activity: Activity? { get }
  var autoPause: Bool? { get }
}

extension ChangeableParameters {
  /// The change for the broker.
  var change: SubscriptionChange {
    var change = SubscriptionChange()
    change.mode = self.mode.map { SubscriptionParameters.Mode($0) }
    change.accuracy = self.accuracy
    change.minInterval = self.minInterval.map { Duration(wireSeconds: $0) }
    change.minDistance = self.minDistance
    change.maxInterval = self.maxInterval.map { Duration(wireSeconds: $0) }
    change.onlyBetterThan = self.onlyBetterThan
    change.maxUpdates = self.maxUpdates
    change.duration = self.duration.map { Duration(wireSeconds: $0) }
    change.deferredDistance = self.deferredDistance
    change.deferredTimeout = self.deferredTimeout.map { Duration(wireSeconds: $0) }
    change.significantDistance = self.significantDistance
    change.significantInterval = self.significantInterval.map { Duration(wireSeconds: $0) }
    change.acquire = self.acquire.map { SubscriptionParameters.Acquisition($0) }
    change.activity = self.activity
    change.autoPause = self.autoPause
    return change
  }
}

extension PositionSubscribeRequest: ChangeableParameters {}

extension SubscriptionUpdateRequest: RequestHandler, ChangeableParameters {
  func handle(in context: ServeContext) -> Handling {
    var change = self.change
    change.reset = Set(self.cleared.map { SubscriptionParameter($0) })
    return .call(.updateSubscription(number: self.subscription, change))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension SubscriptionParameter {
  init(_ parameter: SubscriptionUpdateRequest.Parameter) {
    switch parameter {
    case .mode: self = .mode
    case .accuracy: self = .accuracy
    case .minInterval: self = .minInterval
    case .minDistance: self = .minDistance
    case .maxInterval: self = .maxInterval
    case .onlyBetterThan: self = .onlyBetterThan
    case .maxUpdates: self = .maxUpdates
    case .duration: self = .duration
    case .deferredDistance: self = .deferredDistance
    case .deferredTimeout: self = .deferredTimeout
    case .significantDistance: self = .significantDistance
    case .significantInterval: self = .significantInterval
    case .acquire: self = .acquire
    case .activity: self = .activity
    case .autoPause: self = .autoPause
    }
  }
}

extension SubscriptionCancelRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.cancelSubscription(number: self.subscription)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension SubscriptionListRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.listSubscriptions) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .subscriptions(let subscriptions) = answer else { return self.unexpected(answer, in: context) }
    return .success(Result(subscriptions: subscriptions.map { SubscriptionObject($0) }))
  }
}

extension SubscriptionResult {
  /// The result for an answer about one subscription; `nil` for any other.
  static func reply(of answer: Answer) -> Handling.Reply? {
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
