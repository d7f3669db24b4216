package import Broker
import JSONRPC
import PositionProtocol
import Positioning

/// A request that the daemon handles: how it becomes a call of the broker, and how the broker's answer becomes a
/// result.
///
/// Each method has one file; a test finds a method that is registered and has no handler.
protocol RequestHandler: RequestType {
  /// The permission to check before the request is examined, if examining it is expensive; `nil`: none.
  var requirement: Call.Requirement? { get }
  /// - Throws: For parameters that cannot be combined, which the table cannot express.
  func handle(in context: ServeContext) throws(RPCError) -> Handling
  /// The result for the broker's answer to the call that `handle` made.
  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result>
  /// The same, for a method whose result depends on its parameters too.
  func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result>
  /// The message that answers the request with the id: the same result as text.
  func message(answering id: RequestID, with answer: Answer, in context: AnswerContext) throws(JSONWriter.NoJSON)
    -> [UInt8]
}

/// How a request is handled.
enum Handling {
  typealias Reply<Value> = Result<Value, RPCError>

  /// It is answered without the broker.
  case reply(Reply<EncodedResult>)
  /// It introduces the client, and then calls.
  case introduction(name: String?, purpose: String?, Call)
  /// It introduces the client as a relay for a user, who is looked up, and then calls for that user.
  case relaying(for: UInt32, name: String?, purpose: String?, Call)
  case call(Call)
  /// It names a user: for administrators, the user is looked up, and then it calls.
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
  var requirement: Call.Requirement? { nil }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    self.unexpected(answer, in: context)
  }

  func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    Self.result(of: answer, in: context)
  }

  func message(answering id: RequestID, with answer: Answer, in context: AnswerContext) throws(JSONWriter.NoJSON)
    -> [UInt8]
  {
    switch self.result(of: answer, in: context) {
    case .success(let result):
      try OutgoingMessage.result(id: id, result, Self.resultCodec, moment: context.moment)
    case .failure(let error): OutgoingMessage.error(id: id, error)
    }
  }

  /// The error for a failure, or a trap for an answer that does not belong to the request.
  static func unexpected(_ answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .failed(let failure) = answer else {
      preconditionFailure("\(self.method) was answered with \(answer)")
    }
    return .failure(RPCError(failure, in: context))
  }
}

extension RPCError {
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
