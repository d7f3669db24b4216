package import Broker
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
  func handle(in context: ServeContext) throws(RPCError) -> Handling<Value>
  func result(of value: Value, in context: AnswerContext) -> Result
  /// The message that answers the request with the id: the result as text.
  func message(answering id: RequestID, with value: Value, in context: AnswerContext) throws(JSONWriter.NoJSON)
    -> [UInt8]

  // Without the type of the value, for the server. No handler has its own; they are here so that the compiler makes one
  // for each, which need not ask for the type.
  func step(in context: ServeContext) throws(RPCError) -> HandlingStep
  func message(answering id: RequestID, with answer: Answer, in context: AnswerContext) throws(JSONWriter.NoJSON)
    -> [UInt8]
}

/// How a request is handled. A call is made with what says which value answers it, so that a call with another value
/// does not compile.
struct Handling<Value: CallValue> {
  let step: HandlingStep

  /// It is answered without the broker.
  static func reply(_ reply: Result<Reply, RPCError>) -> Self { Self(step: .reply(reply)) }

  static func call(_ make: (By<Value>) -> Call) -> Self { Self(step: .call(make(By()))) }

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
  case reply(Result<Reply, RPCError>)
  case call(Call)
  case introduction(name: String?, purpose: String?, Call)
  case relaying(for: UInt32, name: String?, purpose: String?, Call)
  case naming(UserParameter, needsName: Bool, (_ uid: UInt32, _ name: String?) -> Call)
}

/// What handlers need to know about the daemon and the client.
struct ServeContext {
  let call: CallID
  let daemon: ServerInfo
  let client: any ServedClient
}

/// The client whose request is handled.
protocol ServedClient: AnyObject {
  var principal: Principal { get }
  /// The number of its open request with this id.
  func serial(of id: RequestID) -> UInt64?
  /// Its id of an open request.
  func requestID(of call: CallID) -> RequestID?
}

/// What results depend on, in addition to the broker's answer.
struct AnswerContext {
  /// The moment of the turn: what is written counts from it.
  let moment: CodingMoment
  let daemon: ServerInfo
  /// The client that is answered.
  let client: any ServedClient
  /// The last written status, for those who request it in the same turn.
  let writtenStatus: WrittenStatus

  /// The wall clock's time at that moment.
  func time(of instant: Instant) -> Timestamp { Timestamp(of: instant, at: self.moment) }
}

/// Facts about the daemon that do not change while it runs, and its configuration.
///
/// A class, because every request and every answer has it in its context, and it is large.
package final class ServerInfo: Sendable {
  package let version: String
  package let limits: ServerLimits
  package let broker: BrokerSettings

  package init(version: String, limits: ServerLimits, broker: BrokerSettings) {
    self.version = version
    self.limits = limits
    self.broker = broker
  }
}

extension RequestHandler {
  func step(in context: ServeContext) throws(RPCError) -> HandlingStep { try self.handle(in: context).step }

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
    return OutgoingMessage.error(id: id, RPCError(answer, in: context))
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
  init(_ answer: Answer, in context: AnswerContext) {
    switch answer.failure {
    case let failure?: self.init(failure, in: context)
    case nil: self = .internalError("the answer is another call's")
    }
  }

  init(_ failure: CallFailure, in context: AnswerContext) {
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
      self = .denied(what, decision: decision.map { "\(context.time(of: $0))" }, remedy: remedy)
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
