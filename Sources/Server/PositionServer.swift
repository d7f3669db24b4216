package import Broker
package import EventLoop
import FoundationEssentials
import JSONRPC
package import PositionProtocol
package import Positioning

/// The daemon's side of the socket: who is connected, what they asked, and what they are told.
///
/// It decides nothing about positions. A request becomes a call of the broker; the broker's answers and notifications
/// become messages. It lives on the loop's thread, and reaches the broker there without crossing a thread.
package final class PositionServer {
  let loop: EventLoop
  private(set) var daemon: DaemonFacts
  /// Tells the broker what happens.
  let tell: (BrokerEvent) -> Void
  let log: (LogLevel, String) -> Void
  let users: AccountService?
  let denial: (CallID, Call.Requirement) -> CallFailure?
  let access: ((Principal) -> Access)?
  private var door: Doorway?

  private(set) var connections: [ClientID: Connection] = [:]
  /// Those that were told they are being closed, and have not taken it yet.
  private(set) var leaving: [ClientID: Connection] = [:]
  var accounts: [UInt32: UserAccount] = [:]
  /// How many places are taken in all.
  var places = 0
  /// Those that are granted nothing: they make room where there is none.
  var idle = IdleLine()
  private var lastClient: UInt64 = 0
  /// Those that have something to write at the end of the turn.
  var touched: [Connection] = []
  private var turns: TurnDriver?
  var encoder = UpdateEncoder()
  let writtenStatus = WrittenStatus()
  private var whenDrained: (() -> Void)?
  var strayAnswers = Recurrence()
  var unwritten = Recurrence()

  /// - Parameters:
  ///   - tell: tells the broker, in this very call.
  ///   - accounts: says what users are called; `nil`: they have no names.
  ///   - identify: who a client is; `nil`: whom the kernel says.
  ///   - denial: what the broker would surely refuse a call with that needs so much, whatever else it says; `nil`: it
  ///     might do it.
  ///   - access: what a client may have; `nil`: nobody is anybody's administrator.
  package init(
    loop: EventLoop, tell: @escaping (BrokerEvent) -> Void, daemon: DaemonFacts,
    log: @escaping (LogLevel, String) -> Void, accounts: AccountService? = nil,
    identify: ((FileDescriptor) throws(SystemError) -> Principal)? = nil,
    denial: @escaping (CallID, Call.Requirement) -> CallFailure? = { _, _ in nil },
    access: ((Principal) -> Access)? = nil
  ) {
    self.users = accounts
    self.denial = denial
    self.access = access
    self.loop = loop
    self.tell = tell
    self.daemon = daemon
    self.log = log
    self.turns = TurnDriver(loop: loop) { [unowned self] in self.connections[$0]?.work(until: $1) }
    self.door = Doorway(of: self, loop: loop, accounts: accounts, identify: identify, log: log)
  }

  /// Accepts clients on a socket that listens.
  package func serve(on listener: UnixListener) throws(SystemError) {
    try self.door?.open(listener)
  }

  var limits: ServerLimits { self.daemon.limits }

  /// Limits that were changed hold for what comes.
  package func change(_ daemon: DaemonFacts) { self.daemon = daemon }

  /// Accepts nobody any more, tells everybody, and calls back once what was promised to them is written.
  package func stop(reason: ClosingReason, whenDrained: @escaping () -> Void) {
    self.door?.close()
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

  /// Serves a client that has a place from now on.
  func welcome(_ descriptor: FileDescriptor, _ principal: Principal) throws(SystemError) {
    self.lastClient += 1
    let client = ClientID(self.lastClient)
    let connection = try Connection(client: client, principal: principal, descriptor: descriptor, server: self)
    self.connections[client] = connection
    self.accounts[principal.uid]?.connections[client] = connection
    self.tell(.clientConnected(client, principal))
  }

  /// What the system could not say when the user's clients came.
  package func learned(_ user: Account) {
    for connection in (self.accounts[user.number]?.connections ?? [:]).values where connection.principal.user == nil {
      connection.principal.user = user.name
    }
  }

  /// The client can ask nothing more: what it asked for is freed in this turn.
  func left(_ connection: Connection) {
    self.connections[connection.client] = nil
    self.idle.remove(connection.client)
    self.leaving[connection.client] = connection
    self.tell(.clientLeft(connection.client))
  }

  /// The connection is closed.
  func ended(_ connection: Connection) {
    self.tell(.clientDisconnected(connection.client))
    self.leaving[connection.client] = nil
    self.accounts[connection.principal.uid]?.connections[connection.client] = nil
    self.givePlaceBack(of: connection.principal)
    self.drained()
  }

  // MARK: Turns

  /// The connection is ready to be read.
  func ready(_ connection: Connection) {
    guard !connection.isInLine else { return }
    connection.isInLine = true
    let isGranted = connection.limit.precision != nil
    self.turns?.serve(connection.client, of: connection.principal.uid, isGranted: isGranted)
  }

  /// The connection has something to do in a turn of its user's.
  func line(up connection: Connection) {
    let isGranted = connection.limit.precision != nil
    self.turns?.add(connection.client, of: connection.principal.uid, isGranted: isGranted)
  }

  /// How many calls of one client may be unanswered: those that may wait by the broker's limit, and some that come to an
  /// end by themselves.
  var maxUnanswered: Int { self.daemon.broker.maxRequestsPerClient + ServerLimits.unansweredBesides }

  // MARK: What clients take

  /// The bytes that wait for all clients together.
  var outboundBytes: Int { self.accounts.values.reduce(0) { $0 + $1.outboundBytes } }

  /// Keeps the account of what waits for a user's clients. Called while the queue changes, so it only counts.
  func outboundChanged(of connection: Connection, by difference: Int) {
    connection.accountedBytes += difference
    self.accounts[connection.principal.uid]?.outboundBytes += difference
  }

  /// The connection is flushed at the end of the turn.
  func touch(_ connection: Connection) {
    guard !connection.isTouched else { return }
    connection.isTouched = true
    self.touched.append(connection)
  }

  /// The queue of a connection grew; holds the user's clients to what they may take together.
  func wroteTo(_ connection: Connection) {
    self.touch(connection)
    let uid = connection.principal.uid
    while let account = self.accounts[uid], account.outboundBytes > self.limits.maxOutboundPerUser {
      // The one that reads the slowest pays, in fixes first.
      let slowest = account.connections.values.max { ($0.outboundBytes, $0.client) < ($1.outboundBytes, $1.client) }
      guard let slowest else { return }
      slowest.pay()
    }
  }
}

/// What the clients of one user take together.
struct UserAccount {
  /// Places that are taken: connections, those that are being closed, and clients at the door.
  var clients = 0
  /// Those that are being closed included.
  var connections: [ClientID: Connection] = [:]
  /// Bytes that wait to be written to them.
  var outboundBytes = 0
}
