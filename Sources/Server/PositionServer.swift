package import Broker
package import EventLoop
import JSONRPC
package import PositionProtocol
package import Positioning

/// The daemon's side of the socket: the clients, their requests, and their notifications.
///
/// It decides nothing about positions. A request becomes a call of the broker; the broker's answers and
/// notifications become messages. It lives on the loop's thread, where it calls the broker directly.
package final class PositionServer {
  let loop: EventLoop
  private(set) var daemon: ServerInfo
  /// Reports an event to the broker.
  let report: (BrokerEvent) -> Void
  let log: (LogKind, LogMessage) -> Void
  let users: AccountService?
  let denial: (CallID, Call.Requirement) -> CallFailure?
  let access: ((Principal) -> Access)?
  let holdings: (ClientID) -> Int
  let handlers = RequestHandlers()
  private var admission: ConnectionAdmission?

  private(set) var connections: [ClientID: Connection] = [:]
  /// Clients that were sent the reason for being closed, and have not taken it yet.
  private(set) var leaving: [ClientID: Connection] = [:]
  var accounts: [UInt32: UserAccount] = [:]
  /// How many places are taken in all.
  var places = 0
  /// Clients without a grant, which may have to make room.
  var idle = IdleQueue()
  private var lastClient: UInt64 = 0
  /// The bytes of the last read, of any connection; its size is the most bytes of one read.
  var input = [UInt8](repeating: 0, count: 8 * 1024)
  /// Connections that have something to write at the end of the turn.
  var touched: [Connection] = []
  /// The same of this turn, while they are flushed; it keeps its memory for the next one.
  var flushed: [Connection] = []
  private var turns: TurnDriver?
  var encoder = UpdateEncoder()
  let writtenStatus = WrittenStatus()
  private var whenDrained: (() -> Void)?
  var strayAnswers = LogRateLimiter()
  var unwritten = LogRateLimiter()
  private var closedAtDoors = LogRateLimiter()

  /// - Parameters:
  ///   - report: Reports an event to the broker, which handles it within this call.
  ///   - accounts: Looks up the names of users; `nil`: they have no names.
  ///   - identify: Determines who a client is, with its user; `nil`: the kernel's credentials, and a lookup.
  ///   - peer: Says what the kernel says of a client, whose user is then looked up; `nil`: the kernel.
  ///   - denial: The error with which the broker would deny any call with this requirement; `nil`: it might accept one.
  ///   - access: What a client may know and do; `nil`: nobody is an administrator.
  ///   - holdings: How much a client holds that may notify it.
  package init(
    loop: EventLoop, report: @escaping (BrokerEvent) -> Void, daemon: ServerInfo,
    log: @escaping (LogKind, LogMessage) -> Void, accounts: AccountService? = nil,
    identify: ((FileDescriptor) throws(SystemError) -> Principal)? = nil,
    peer: ((FileDescriptor) throws(SystemError) -> Principal)? = nil,
    denial: @escaping (CallID, Call.Requirement) -> CallFailure? = { _, _ in nil },
    access: ((Principal) -> Access)? = nil, holdings: @escaping (ClientID) -> Int = { _ in 0 }
  ) {
    self.users = accounts
    self.denial = denial
    self.access = access
    self.holdings = holdings
    self.loop = loop
    self.report = report
    self.daemon = daemon
    self.log = log
    self.turns = TurnDriver(loop: loop) { [unowned self] in self.connections[$0]?.work(until: $1) }
    self.admission = ConnectionAdmission(
      of: self, loop: loop, accounts: accounts, identify: identify ?? peer, isNaming: identify == nil, log: log)
  }

  /// Accepts clients on a listening socket.
  package func serve(on listener: any StreamListener, at door: Door = .rpc) throws(SystemError) {
    try self.admission?.open(listener, door)
  }

  var limits: ServerLimits { self.daemon.limits }

  /// New settings, which apply to later requests and clients.
  package func change(_ daemon: ServerInfo) { self.daemon = daemon }

  /// Whether nobody is connected, being accepted, or still being written to.
  package var isEmpty: Bool { self.places == 0 }

  /// Accepts no more clients. Those that connect to a socket of systemd's wait there for the next daemon.
  package func stopAccepting() { self.admission?.close() }

  /// Stops accepting, notifies all clients, and calls back once all queues are written.
  package func stop(reason: ClosingReason, whenDrained: @escaping () -> Void) {
    self.admission?.close()
    for client in self.connections.keys.sorted() { self.connections[client]?.close(reason: reason) }
    self.whenDrained = whenDrained
    self.drained()
  }

  private func drained() {
    guard self.connections.isEmpty, self.leaving.isEmpty, let whenDrained = self.whenDrained else { return }
    self.whenDrained = nil
    whenDrained()
  }

  // MARK: Clients

  /// Serves a client that has a place.
  func welcome(_ descriptor: FileDescriptor, _ principal: Principal, at door: Door) throws(SystemError) {
    guard let account = self.accounts[principal.uid] else { preconditionFailure("a client without a place came in") }
    self.lastClient += 1
    let client = ClientID(self.lastClient)
    let connection = try door.connection.init(
      client: client, principal: principal, account: account, descriptor: descriptor, server: self)
    self.connections[client] = connection
    account.connections[client] = connection
    self.report(.clientConnected(client, principal))
    connection.begin()
  }

  /// A client was closed because it may not use its door.
  func refusedAtDoor(_ message: LogMessage) {
    if self.closedAtDoors.happened(now: self.loop.now) != nil { self.log(.clientRefused, message) }
  }

  /// The account of a user whose lookup had not succeeded when its clients connected. Clients with a subordinate number
  /// have no user by it.
  package func learned(_ user: Account) {
    for connection in (self.accounts[user.number]?.connections ?? [:]).values
    where connection.principal.user == nil && connection.principal.subordinate == nil {
      connection.principal.user = user.name
      connection.principal.accountGroups = user.groups
    }
  }

  /// The client has ended its stream: what it requested is freed in this turn.
  func left(_ connection: Connection) {
    self.connections[connection.client] = nil
    self.idle.remove(connection.client)
    self.leaving[connection.client] = connection
    self.report(.clientLeft(connection.client))
  }

  /// The connection is closed.
  func ended(_ connection: Connection) {
    self.report(.clientDisconnected(connection.client))
    self.leaving[connection.client] = nil
    connection.account.connections[connection.client] = nil
    self.givePlaceBack(of: connection.principal)
    self.drained()
  }

  // MARK: Turns

  /// The connection has become readable.
  func ready(_ connection: Connection) {
    guard !connection.isInLine else { return }
    connection.isInLine = true
    let isGranted = connection.limit.precision != nil
    self.turns?.serve(connection.client, of: connection.principal.uid, isGranted: isGranted)
  }

  /// The connection has work for a turn of its user.
  func line(up connection: Connection) {
    let isGranted = connection.limit.precision != nil
    self.turns?.add(connection.client, of: connection.principal.uid, isGranted: isGranted)
  }

  /// How many calls of one client may be unanswered: those that may wait by the broker's limit, and some that end by
  /// themselves.
  var maxUnanswered: Int { self.daemon.broker.maxRequestsPerClient + ServerLimits.unansweredBesides }

  // MARK: What clients take

  /// The bytes that wait for all clients together.
  var outboundBytes: Int { self.accounts.values.reduce(0) { $0 + $1.outboundBytes } }

  /// The connection is flushed at the end of the turn.
  func touch(_ connection: Connection) {
    guard !connection.isTouched else { return }
    connection.isTouched = true
    self.touched.append(connection)
  }

  /// The queue of a connection has grown; enforces the limit of all clients of its user.
  func wroteTo(_ connection: Connection) {
    self.touch(connection)
    let account = connection.account
    while account.outboundBytes > self.limits.maxOutboundPerUser {
      // The slowest reader loses data, superseded fixes first.
      let slowest = account.connections.values.max { ($0.outboundBytes, $0.client) < ($1.outboundBytes, $1.client) }
      guard let slowest else { return }
      slowest.pay()
    }
  }
}

/// What the clients of one user use together. Each of its connections has it, and counts on it what waits.
final class UserAccount {
  /// The places of open connections, of those being closed, and of clients that are not yet accepted.
  var clients = 0
  /// Includes connections that are being closed.
  var connections: [ClientID: Connection] = [:]
  /// Bytes that wait to be written to them.
  var outboundBytes = 0
}

extension Door {
  /// What serves its clients.
  fileprivate var connection: Connection.Type {
    switch self {
    case .rpc: RPCConnection.self
    case .nmea: NMEAConnection.self
    case .gpsd: GpsdClientConnection.self
    }
  }
}
