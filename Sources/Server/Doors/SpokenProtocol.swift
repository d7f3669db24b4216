package import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// A kind of socket at which clients connect, by what is spoken there. Behind each, a client has the same permission, the
/// same limits and the same effect on the receiver.
package enum Door: String, Hashable, Sendable, CaseIterable {
  /// positiond's own protocol.
  case rpc
  /// NMEA 0183, for programs that only read.
  case nmea
  /// gpsd's protocol.
  case gpsd

  /// `FileDescriptorName=` of its socket's unit.
  package var name: String { self.rawValue }

  /// What a new client speaks.
  func spokenProtocol(limits: ServerLimits) -> any SpokenProtocol {
    switch self {
    case .rpc: SpokenRPC(limits: limits)
    case .nmea: SpokenNMEA(integrity: limits.nmeaIntegrity)
    case .gpsd: SpokenGpsd(integrity: limits.gpsdIntegrity)
    }
  }
}

/// What one client of a door speaks, without a socket: it takes bytes and the broker's events, writes into the client's
/// queue, and returns what else is to happen, in this order.
///
/// ``Connection`` has the socket and the limits. It writes the queue, and does what is returned once the event is over, so
/// that whatever comes back, such as the broker's answer within the call, is the next event.
protocol SpokenProtocol: AnyObject {
  // MARK: From the client

  /// The client has a place, and its permission is known.
  func begin(_ client: inout ServedClient) -> [SpokenAction]

  /// The client has sent this, which `next` serves.
  func received(_ bytes: ArraySlice<UInt8>)

  /// The client sends nothing more.
  func receivedEnd() -> [SpokenAction]

  /// Whether something that was received is not served yet. Nothing more is read meanwhile.
  var hasUnserved: Bool { get }

  /// Serves the next part of what was received.
  func next(_ client: inout ServedClient) -> ServedPart

  /// Forgets what was received and is not served yet.
  func forgetUnserved()

  /// How many calls wait for the broker.
  var openCalls: Int { get }

  // MARK: From the broker

  func answered(_ call: CallID, _ answer: Answer, _ client: inout ServedClient) -> [SpokenAction]

  /// A notification, which is not sent if the client may not know it.
  func notified(_ notification: Notification, _ client: inout ServedClient) -> [SpokenAction]

  /// The client's limit has changed, and the queue has nothing more that reveals more. The denial is for what is not
  /// finished yet and would.
  func limitChanged(denial: RPCError, _ client: inout ServedClient) -> [SpokenAction]

  /// Sends an agent the prompt. If it cannot be sent, that is an answer.
  func ask(_ prompt: Prompt, _ client: inout ServedClient) -> [SpokenAction]

  /// The agent need not answer any more.
  func withdraw(_ prompt: PromptID, _ client: inout ServedClient) -> [SpokenAction]

  /// The broker's turn is over.
  func turnEnded(_ client: inout ServedClient) -> [SpokenAction]

  // MARK: From the server

  /// The user that a request names was looked up, as `lookUp` asked; `nil`: there is nobody to ask.
  func lookedUp(_ query: AccountQuery, _ lookup: AccountLookup<Account>?, _ client: inout ServedClient)
    -> [SpokenAction]

  /// The connection is handed to the user for whom it asks, as `handOver` asked, or not.
  func handedOver(_ error: RPCError?, _ client: inout ServedClient) -> [SpokenAction]

  /// What the client is sent before its connection closes; `nil`: nothing.
  func farewell(_ reason: ClosingReason) -> [UInt8]?
}

/// What only positiond's own protocol has.
extension SpokenProtocol {
  func ask(_ prompt: Prompt, _ client: inout ServedClient) -> [SpokenAction] {
    [.report(.promptAnswered(prompt.id, by: client.id, nil))]
  }

  func withdraw(_ prompt: PromptID, _ client: inout ServedClient) -> [SpokenAction] { [] }

  func turnEnded(_ client: inout ServedClient) -> [SpokenAction] { [] }

  func lookedUp(_ query: AccountQuery, _ lookup: AccountLookup<Account>?, _ client: inout ServedClient)
    -> [SpokenAction]
  { [] }

  func handedOver(_ error: RPCError?, _ client: inout ServedClient) -> [SpokenAction] { [] }
}

/// What is to happen because of an event at a connection, besides what is in its queue.
enum SpokenAction {
  case report(BrokerEvent)
  /// The client has introduced itself, and then calls.
  case introduce(name: String?, purpose: String?, CallID, Call)
  /// Look up a user, for a limited time.
  case lookUp(AccountQuery)
  /// Give the connection to the user for whom it asks. Nothing is served until that is decided.
  case handOver(to: UInt32)
  /// Log that the client has answered what it was not asked.
  case logUnaskedAnswer
  /// Log that a message could not be written.
  case logUnwritten(JSONWriter.NoJSON)
  /// Close the connection, because the client may not use its door. What waits is not sent.
  case turnAway(LogMessage)
  /// Close the connection once its queue is written.
  case close
}

/// One part of what a client has sent, served.
struct ServedPart {
  /// Whether it was a request: a client that makes requests is not idle.
  var isRequest = false
  /// What else is to happen; `nil`: nothing.
  var action: SpokenAction?
}

/// A client: who it is, what it may know, and what waits to be written to it.
struct ServedClient {
  let id: ClientID
  var principal: Principal
  /// What may be sent to it: nothing until the broker has decided.
  var limit = SensitivityLimit(
    precision: nil, denial: .notDetermined(remedy: "ask again: nothing is decided for this connection yet"))
  var queue = OutboundQueue<WaitingMessage>()
  let server: ServerFacts

  /// The moment from which ages in messages count now.
  var moment: CodingMoment { self.server.moment() }
}

/// What all connections may know of the server and ask of the broker, without changing anything.
final class ServerFacts {
  var daemon: ServerInfo
  let moment: () -> CodingMoment
  /// The error with which the broker would deny any call with this requirement; `nil`: it might accept one.
  let denial: (CallID, Call.Requirement) -> CallFailure?
  /// What a client may know and do; `nil`: nobody is an administrator.
  let access: ((Principal) -> Access)?
  /// How much a client holds that may notify it.
  let holdings: (ClientID) -> Int
  let handlers = RequestHandlers()
  let texts = TurnTexts()

  init(
    daemon: ServerInfo, moment: @escaping () -> CodingMoment,
    denial: @escaping (CallID, Call.Requirement) -> CallFailure? = { _, _ in nil },
    access: ((Principal) -> Access)? = nil, holdings: @escaping (ClientID) -> Int = { _ in 0 }
  ) {
    self.daemon = daemon
    self.moment = moment
    self.denial = denial
    self.access = access
    self.holdings = holdings
  }
}

/// Facts about the daemon that do not change while it runs, and its configuration.
///
/// A class, because it is large.
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

extension SensitivityLimit {
  /// The highest sensitivity that may be sent, in the numbers that a session compares.
  var level: Int { ([.precise, .reduced].first(where: self.allows) ?? Sensitivity.open).rawValue }
}
