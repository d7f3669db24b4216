import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension PositionGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling {
    let defaults = FixRequest()
    return .call(
      .getFix(
        FixRequest(
          accuracy: self.accuracy, acceptableAccuracy: self.acceptableAccuracy,
          maximumAge: self.maxAge.map { Duration(wireSeconds: $0) },
          timeout: self.timeout.map { Duration(wireSeconds: $0) } ?? defaults.timeout,
          activity: self.activity ?? defaults.activity,
          delaysUntilAuthorized: self.delayUntilAuthorized ?? defaults.delaysUntilAuthorized)))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .fix(let outcome) = answer else { return self.unexpected(answer, in: context) }
    return .success(
      Result(
        status: Status(outcome.status), isSatisfied: outcome.isSatisfied,
        fix: outcome.fix, achievedAccuracy: outcome.achievedAccuracy,
        isFromCache: outcome.isFromCache, elapsed: outcome.elapsed.wireSeconds,
        diagnostics: DiagnosticsObject(outcome.diagnostics)))
  }
}

extension PositionGetRequest.Status {
  init(_ status: FixOutcome.Status) {
    switch status {
    case .success: self = .success
    case .timedOut: self = .timedOut
    }
  }
}

extension PositionGetRequest {
  /// A request as its client lists it, with the defaults filled in.
  init(_ request: FixRequest) {
    let accuracy = request.demand(.precise)
    self.init(
      accuracy: accuracy, acceptableAccuracy: request.acceptableAccuracy ?? accuracy,
      maxAge: (request.maximumAge ?? accuracy.maximumAge).wireSeconds, timeout: request.timeout.wireSeconds,
      activity: request.activity)
  }
}

extension DiagnosticsObject {
  init(_ diagnostics: Diagnostics) {
    self.init(
      availability: diagnostics.availability, mode: diagnostics.mode, satellitesSeen: diagnostics.satellitesSeen,
      satellitesUsed: diagnostics.satellitesUsed, lastFixAge: diagnostics.lastFixAge?.wireSeconds,
      receiver: diagnostics.receiver, power: StatusObject.Power.State(diagnostics.power), detail: diagnostics.detail)
  }
}

extension PositionLastRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.lastFix) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .lastFix(let last) = answer else { return self.unexpected(answer, in: context) }
    return .success(
      Result(
        fix: last.fix, achievedAccuracy: last.achievedAccuracy,
        availability: last.availability))
  }
}

extension PositionSubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) throws(RPCError) -> Handling {
    var parameters: SubscriptionParameters
    do throws(InvalidParameter) {
      parameters = try SubscriptionParameters().changed(by: self.change)
    } catch {
      throw .invalidParameter(path: error.parameter, found: error.found, expected: error.expected)
    }
    if let replay { parameters.replay = SubscriptionParameters.Replay(replay) }
    try ParameterCombinations.check(self)
    return .call(.subscribe(parameters, durable: self.durable.map { DurableRequest($0) }))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension PositionSubscribeRequest {
  /// The parameters of a subscription, with the defaults of its mode filled in.
  init(_ parameters: SubscriptionParameters) {
    self.init(
      mode: Mode(parameters.mode), accuracy: parameters.accuracy, minInterval: parameters.minInterval.wireSeconds,
      minDistance: parameters.minDistance, maxInterval: parameters.maxInterval?.wireSeconds,
      onlyBetterThan: parameters.onlyBetterThan, maxUpdates: parameters.maxUpdates,
      duration: parameters.duration?.wireSeconds, activity: parameters.activity, autoPause: parameters.autoPause,
      replay: Replay(parameters.replay))
    switch parameters.mode {
    case .continuous, .passive: break
    case .significant:
      self.significantDistance = parameters.significantDistance
      self.significantInterval = parameters.significantInterval.wireSeconds
      self.acquire = parameters.acquire.map { AcquisitionObject($0) }
    case .deferred:
      self.deferredDistance = parameters.deferredDistance
      self.deferredTimeout = parameters.deferredTimeout?.wireSeconds
    }
  }
}

extension SubscriptionParameters.Mode {
  init(_ mode: PositionSubscribeRequest.Mode) {
    switch mode {
    case .continuous: self = .continuous
    case .significant: self = .significant
    case .passive: self = .passive
    case .deferred: self = .deferred
    }
  }
}

extension PositionSubscribeRequest.Mode {
  init(_ mode: SubscriptionParameters.Mode) {
    switch mode {
    case .continuous: self = .continuous
    case .significant: self = .significant
    case .passive: self = .passive
    case .deferred: self = .deferred
    }
  }
}

extension SubscriptionParameters.Acquisition {
  init(_ object: AcquisitionObject) {
    self.init()
    if let budget = object.budget { self.budget = Duration(wireSeconds: budget) }
    if let desired = object.desiredAccuracy { self.desiredAccuracy = desired }
    if let acceptable = object.acceptableAccuracy { self.acceptableAccuracy = acceptable }
  }
}

extension AcquisitionObject {
  init(_ acquisition: SubscriptionParameters.Acquisition) {
    self.init(
      budget: acquisition.budget.wireSeconds, desiredAccuracy: acquisition.desiredAccuracy,
      acceptableAccuracy: acquisition.acceptableAccuracy)
  }
}

extension SubscriptionParameters.Replay {
  init(_ replay: PositionSubscribeRequest.Replay) {
    switch replay {
    case .fresh: self = .fresh
    case .any: self = .any
    case .none: self = .none
    }
  }
}

extension PositionSubscribeRequest.Replay {
  init(_ replay: SubscriptionParameters.Replay) {
    switch replay {
    case .fresh: self = .fresh
    case .any: self = .any
    case .none: self = .none
    }
  }
}
