import Broker
import JSONRPC
import PositionProtocol
import Positioning

/// A request that the daemon handles: how it becomes a call of the broker, and how the value that answers the call
/// becomes a result.
///
/// A test finds a method that is registered and has no handler.
protocol RequestHandler: RequestType {
  /// What answers its call; `Never`: it is answered without the broker.
  associatedtype Value: CallValue

  /// - Throws: For parameters that cannot be combined, which the table cannot express.
  func handle() throws(RPCError) -> Handling<Value>
  func result(of value: Value, in context: AnswerContext) -> Result
  /// The message that answers the request with the id: the result as text.
  func message(answering id: RequestID, with value: Value, in context: AnswerContext) throws(JSONWriter.NoJSON)
    -> [UInt8]

  // For the server, which does not know the type of the value. No handler writes its own: they are requirements so that
  // the compiler makes one for each handler, and the runtime is not asked for the type.
  func step() throws(RPCError) -> HandlingStep
  func message(answering id: RequestID, with answer: Answer, in context: AnswerContext) throws(JSONWriter.NoJSON)
    -> [UInt8]
}

/// How a request is handled. A call is made with what says which value answers it, so that a call with another value
/// does not compile.
struct Handling<Value: CallValue> {
  let step: HandlingStep

  /// It is answered without the broker.
  static func reply(_ reply: Result<ResultText, RPCError>) -> Self { Self(step: .reply(reply)) }

  static func call(_ make: (By<Value>) -> Call) -> Self { Self(step: .call(make(By()))) }

  /// It is about another request of the client, by its id. If that is not open, it is answered without the broker.
  static func about(_ request: RequestID, unknown: ResultText, _ make: @escaping (CallID, By<Value>) -> Call) -> Self {
    Self(step: .about(request, { make($0, By()) }, unknown: unknown))
  }

  /// It introduces the client, and then calls.
  static func introduction(name: String?, purpose: String?, _ make: (By<Value>) -> Call) -> Self {
    Self(step: .introduction(name: name, purpose: purpose, make(By())))
  }

  /// It introduces the client as a relay for a user, who is looked up, and then calls for that user.
  static func relaying(for user: UInt32, name: String?, purpose: String?, _ make: (By<Value>) -> Call) -> Self {
    Self(step: .relaying(for: user, name: name, purpose: purpose, make(By())))
  }

  /// It names a user: for administrators, the user is looked up, and then it calls.
  static func naming(
    _ user: UserParameter, needsName: Bool, _ make: @escaping (_ uid: UInt32, _ name: String?, By<Value>) -> Call
  ) -> Self {
    Self(step: .naming(user, needsName: needsName) { make($0, $1, By()) })
  }
}

/// What the server does to handle a request; `Handling` has the comments.
enum HandlingStep {
  case reply(Result<ResultText, RPCError>)
  case call(Call)
  case about(RequestID, (CallID) -> Call, unknown: ResultText)
  case introduction(name: String?, purpose: String?, Call)
  case relaying(for: UInt32, name: String?, purpose: String?, Call)
  case naming(UserParameter, needsName: Bool, (_ uid: UInt32, _ name: String?) -> Call)
}

/// What results depend on, in addition to the broker's answer.
struct AnswerContext {
  /// The moment of the turn: what is written counts from it.
  let moment: CodingMoment
  let daemon: ServerInfo
  /// The client that is answered, and its requests that still wait.
  let principal: Principal
  let requests: [UInt64: SpokenRPC.OpenRequest]
  /// What was written in this turn already.
  let texts: TurnTexts
}

extension RequestHandler {
  func step() throws(RPCError) -> HandlingStep { try self.handle().step }

  func message(answering id: RequestID, with value: Value, in context: AnswerContext) throws(JSONWriter.NoJSON)
    -> [UInt8]
  {
    try OutgoingMessage.result(id: id, self.result(of: value, in: context), Self.resultCodec, moment: context.moment)
  }

  /// The message that answers the request with the id, for the broker's answer.
  func message(answering id: RequestID, with answer: Answer, in context: AnswerContext) throws(JSONWriter.NoJSON)
    -> [UInt8]
  {
    if let value = Value(answer) { return try self.message(answering: id, with: value, in: context) }
    return OutgoingMessage.error(id: id, RPCError(answer, at: context.moment))
  }
}

/// The handlers of all methods, by the type of the request.
///
/// Asking the runtime whether a type conforms to a protocol takes longer than a lookup by its identity, and each request
/// would ask.
struct RequestHandlers {
  private let types: [ObjectIdentifier: any RequestHandler.Type]

  init() {
    self.types = Dictionary(
      uniqueKeysWithValues: PositionMethods.server.requests.map { request in
        guard let handler = request as? any RequestHandler.Type else {
          preconditionFailure("\(request.method) is registered and nobody serves it")
        }
        return (ObjectIdentifier(request), handler)
      })
  }

  /// - Precondition: The request was read with the server's registry.
  func handler(of request: any RequestType) -> any RequestHandler {
    guard let type = self.types[ObjectIdentifier(type(of: request))] else {
      preconditionFailure("\(type(of: request).method) is not registered")
    }
    return type.handler(of: request)
  }
}

extension RequestHandler {
  /// - Precondition: The request is of this type.
  fileprivate static func handler(of request: any RequestType) -> any RequestHandler {
    // Casting with `as?` would have the runtime look up the optional type for each request.
    switch request {
    case let request as Self: return request
    default: preconditionFailure("a request was found by another type than its own")
    }
  }
}

// MARK: Values that become the same result whatever the method

extension RequestHandler where Value == Result {
  func result(of value: Value, in context: AnswerContext) -> Result { value }

  func message(answering id: RequestID, with value: Value, in context: AnswerContext) throws(JSONWriter.NoJSON)
    -> [UInt8]
  {
    try OutgoingMessage.result(id: id, value, Self.resultCodec, moment: context.moment)
  }
}

extension RequestHandler where Value == Never {
  func result(of value: Never, in context: AnswerContext) -> Result {}
}

extension RequestHandler where Value == SubscriptionAnswer, Result == SubscriptionResult {
  func result(of value: Value, in context: AnswerContext) -> Result {
    switch value {
    case .begun(let info), .changed(let info):
      SubscriptionResult(subscription: info.number, state: info.state, availability: info.availability)
    case .durable(let name, let state, let availability):
      SubscriptionResult(durable: name, state: state, availability: availability)
    }
  }
}

extension RequestHandler where Value == RegionAnswer, Result == RegionResult {
  func result(of value: Value, in context: AnswerContext) -> Result {
    RegionResult(state: value.state, warning: value.warning)
  }
}

extension RequestHandler where Value == DurableInfo, Result == DurableWaitingResult {
  func result(of value: Value, in context: AnswerContext) -> Result { DurableWaitingResult(waiting: value.waiting) }
}

extension RequestHandler where Value == RequestOutcome, Result == RequestOutcomeResult {
  func result(of value: Value, in context: AnswerContext) -> Result { RequestOutcomeResult(outcome: value) }
}

extension RequestHandler where Value == SwitchAnswer, Result == EnabledResult {
  func result(of value: Value, in context: AnswerContext) -> Result {
    EnabledResult(isEnabled: value.isOn, stored: value.isStored ? nil : false, unread: value.unread)
  }
}

// MARK: Failures

extension RPCError {
  /// The error for an answer that has no value of its call: a failure, since the broker's `Asker` takes no other value.
  fileprivate init(_ answer: Answer, at moment: CodingMoment) {
    switch answer.failure {
    case let failure?: self.init(failure, at: moment)
    case nil: self = .internalError("the answer is another call's")
    }
  }

  init(_ failure: CallFailure, at moment: CodingMoment) {
    switch failure {
    case .cancelled: self = .requestCancelled
    case .noSubscription(let number): self = .notFound("subscription \(number)")
    case .wrongKind(let number, let kind): self = .wrongKind(number: number, kind: kind)
    case .limitExceeded(let name, let value): self = .limitExceeded(limit: name, value: value)
    case .shuttingDown: self = .shuttingDown
    case .noRegion(let id): self = .notFound("region \(id)")
    case .noDurable(let name): self = .notFound("durable name \(name)")
    case .restricted(let what, let rule, let remedy): self = .restricted(what, remedy: remedy, rule: rule)
    case .denied(let what, let decision, let remedy):
      self = .denied(what, decision: decision.map { "\(Timestamp(of: $0, at: moment))" }, remedy: remedy)
    case .switchedOff(let remedy): self = .switchedOff(remedy: remedy)
    case .notDetermined(let remedy): self = .notDetermined(remedy: remedy)
    case .accuracyLimited(let what, let remedy): self = .accuracyLimited(what, remedy: remedy)
    case .notStored(let error):
      self = .internalError(
        "the store does not work: \(error)",
        remedy: "ask the administrator of this device; \"journalctl -u positiond\" shows the daemon's log")
    case .noHeading: self = .unavailable("the receiver has no heading sensor and reports no course")
    case .invalid(let parameter, let expected):
      self = .invalidParameter(path: parameter, found: "a value that does not fit", expected: expected)
    }
  }

  private static func wrongKind(number: Int, kind: SubscriptionInfo.Kind) -> RPCError {
    let word =
      switch kind {
      case .position: "position"
      case .sky: "sky"
      case .heading: "heading"
      case .status: "status"
      case .visits: "visit"
      }
    let expected = "a position subscription"
    return RPCError(
      code: .invalidParams,
      message: "Invalid params: subscription \(number) is a \(word) subscription, expected \(expected)",
      data: [
        "path": "subscription", "found": .string("\(number), a \(word) subscription"), "expected": .string(expected),
      ])
  }
}
