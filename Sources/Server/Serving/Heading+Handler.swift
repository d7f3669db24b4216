import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension HeadingGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling {
    let defaults = HeadingRequest()
    return .call(
      .getHeading(
        HeadingRequest(
          maximumAge: self.maxAge.map { Duration(wireSeconds: $0) } ?? defaults.maximumAge,
          timeout: self.timeout.map { Duration(wireSeconds: $0) } ?? defaults.timeout)))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .heading(let outcome) = answer else { return self.unexpected(answer, in: context) }
    let heading = outcome.heading
    return .success(Result(status: heading == nil ? .timedOut : .success, heading: heading))
  }
}

extension PositionGetRequest {
  /// A heading request as its client lists it: its parameters are a subset of those for a fix.
  init(_ request: HeadingRequest) {
    self.init(maxAge: request.maximumAge.wireSeconds, timeout: request.timeout.wireSeconds)
  }
}

extension HeadingSubscribeRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling {
    let defaults = HeadingParameters()
    return .call(
      .subscribeHeading(
        HeadingParameters(
          minChange: self.minChange ?? defaults.minChange,
          minInterval: self.minInterval.map { Duration(wireSeconds: $0) } ?? defaults.minInterval,
          maxInterval: self.maxInterval.map { Duration(wireSeconds: $0) })))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    SubscriptionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension HeadingSubscribeRequest {
  /// The parameters of a subscription, with the defaults filled in.
  init(_ parameters: HeadingParameters) {
    self.init(
      minChange: parameters.minChange, minInterval: parameters.minInterval.wireSeconds,
      maxInterval: parameters.maxInterval?.wireSeconds)
  }
}

extension HeadingUpdateNotification {
  init(_ update: HeadingUpdate, now: Instant) {
    self.init(
      subscription: update.subscription.number, state: State(update.state),
      heading: update.heading, isRepeat: update.isRepeat)
  }
}

extension HeadingUpdateNotification.State {
  init(_ state: HeadingState) {
    switch state {
    case .valid: self = .valid
    case .invalid: self = .invalid
    case .unavailable: self = .unavailable
    }
  }
}
