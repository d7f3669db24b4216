import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import Server

/// A client's request, the resulting call to the broker and its result, without a socket and a broker.
struct HandledRequest {
  static let now = Instant(sinceBoot: .seconds(1000))
  static let moment = CodingMoment(now: now, since1970: .seconds(1_769_860_800))
  static let principal = Principal(uid: 0, gid: 0, pid: 1)
  static let daemon = ServerInfo(
    version: "test", limits: ServerLimits(), broker: BrokerSettings())

  let request: any RequestHandler

  /// - Throws: the error for parameters that do not match their table.
  init(_ method: String, _ params: String) throws {
    let text = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
    switch IncomingFrame.decode(Array(text.utf8), registry: PositionMethods.server) {
    case .single(.request(_, let request)):
      guard let handler = request as? any RequestHandler else { throw TimedOut("\(method) is not served") }
      self.request = handler
    case .single(.invalid(_, let error)): throw error
    case .single, .batch, .malformed: throw TimedOut("\(text) is no request")
    }
  }

  /// The resulting call to the broker.
  ///
  /// - Throws: the error that is its answer instead.
  var call: Call {
    get throws {
      switch try self.request.step() {
      case .call(let call), .introduction(_, _, let call), .relaying(_, _, _, let call): return call
      case .naming(let user, let needsName, let make):
        let resolution = UserResolution(user, needsName: needsName)
        var step = resolution.begin()
        while case .ask(let question) = step { step = resolution.answered(question, question.ask()) }
        switch step {
        case .ask: throw TimedOut("the system is asked for ever")
        case .found(let uid, let name): return make(uid, name)
        case .failed(let error): throw error
        }
      case .about: throw TimedOut("this needs another request that is open")
      case .reply: throw TimedOut("the broker is not asked")
      }
    }
  }

  /// The result for an answer of the broker.
  func result(of answer: Answer, limits: ServerLimits = ServerLimits()) throws -> JSONValue {
    try #require(try self.message(with: answer, limits: limits)["result"])
  }

  /// The message for an answer of the broker.
  ///
  /// - Throws: the error that it has.
  func message(with answer: Answer, limits: ServerLimits = ServerLimits()) throws -> JSONValue {
    let daemon = ServerInfo(version: Self.daemon.version, limits: limits, broker: Self.daemon.broker)
    let context = AnswerContext(
      moment: Self.moment, daemon: daemon, principal: Self.principal, requests: [:], texts: TurnTexts())
    if let failure = answer.failure { throw RPCError(failure, at: Self.moment) }
    let message = try self.request.message(answering: .integer(1), with: answer, in: context)
    return try JSONValue(parsing: message)
  }
}
