import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension AuthorizationGetRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.authorization) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    AuthorizationObject.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension AuthorizationRequestRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling {
    var request = AuthorizationRequest()
    if let level { request.level = AuthorizationLevel(level) }
    if let precision { request.precision = Precision(precision) }
    if let force { request.isForced = force }
    return .call(.requestAuthorization(request))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    AuthorizationObject.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension AuthorizationChangedNotification {
  init(_ authorization: Authorization, previous: Authorization) {
    self.init(authorization: AuthorizationObject(authorization), previous: AuthorizationObject(previous))
  }
}

extension AuthorizationPromptedNotification {
  init(level: AuthorizationLevel, precision: Precision, expiresIn: Duration) {
    self.init(
      level: AuthorizationObject.Level(level), precision: AuthorizationObject.Precision(precision),
      expiresIn: expiresIn.wireSeconds)
  }
}

extension AuthorizationObject {
  init(_ authorization: Authorization) {
    self.init(
      state: State(authorization.state), precision: Precision(authorization.precision), rule: authorization.rule,
      remedy: authorization.remedy)
  }

  /// The result for an answer about the client's authorization; `nil` for any other.
  fileprivate static func reply(of answer: Answer) -> Handling.Reply? {
    guard case .authorization(let authorization) = answer else { return nil }
    return .success(AuthorizationObject(authorization))
  }
}

extension AuthorizationObject.State {
  fileprivate init(_ state: AuthorizationState) {
    switch state {
    case .notDetermined: self = .notDetermined
    case .denied: self = .denied
    case .restricted: self = .restricted
    case .disabled: self = .disabled
    case .whenInUse: self = .whenInUse
    case .always: self = .always
    }
  }
}

extension AuthorizationObject.Precision {
  init(_ precision: Precision) {
    switch precision {
    case .precise: self = .precise
    case .reduced: self = .reduced
    }
  }
}

extension Precision {
  init(_ precision: AuthorizationObject.Precision) {
    switch precision {
    case .precise: self = .precise
    case .reduced: self = .reduced
    }
  }
}

extension AuthorizationObject.Level {
  init(_ level: AuthorizationLevel) {
    switch level {
    case .whenInUse: self = .whenInUse
    case .always: self = .always
    }
  }
}

extension AuthorizationLevel {
  init(_ level: AuthorizationObject.Level) {
    switch level {
    case .whenInUse: self = .whenInUse
    case .always: self = .always
    }
  }
}
