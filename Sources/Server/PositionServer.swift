package import Broker
package import EventLoop
import JSONRPC
package import PositionProtocol
package import Positioning

/// The daemon's side of the sockets: the clients, their requests, and their notifications.
///
/// It decides nothing about positions. A request becomes a call of the broker; the broker's answers and
/// notifications become messages. It lives on the loop's thread, where it calls the broker directly.
package final class PositionServer {
  let loop: EventLoop
  let facts: ServerFacts
  /// Reports an event to the broker.
  let report: (BrokerEvent) -> Void
  private let log: (LogKind, LogMessage) -> Void
  private let users: AccountService?
  private let places: ClientPlaces
  private var admission: ConnectionAdmission?
  private var turns: TurnDriver?
  private var lastClient: UInt64 = 0
  /// The bytes of the last read, of any connection; its size is the most bytes of one read.
  var input = [UInt8](repeating: 0, count: 8 * 1024)
  /// Connections that have something to write at the end of the turn.
  private var touched: [Connection] = []
  /// Those of the turn that ends, while they are written. The list keeps its memory for the next turn.
  private var flushed: [Connection] = []
  private var whenDrained: (() -> Void)?
  private var unaskedAnswers = ServerLimits.logRation
  private var unwritten = ServerLimits.logRation
  private var closedAtDoors = ServerLimits.logRation

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
    self.loop = loop
    self.report = report
    self.log = log
    self.facts = ServerFacts(
      daemon: daemon, moment: { CodingMoment(now: loop.now, since1970: loop.readWallClock()) }, denial: denial,
      access: access, holdings: holdings)
    self.places = ClientPlaces(self.facts)
    self.turns = TurnDriver(loop: loop) { [unowned self] in self.places.connections[$0]?.work(until: $1) }
    self.admission = ConnectionAdmission(
      of: self, places: self.places, loop: loop, accounts: accounts, identify: identify ?? peer,
      isNaming: identify == nil, log: log)
  }

  /// Accepts clients on a listening socket.
  package func serve(on listener: any StreamListener, at door: Door = .rpc) throws(SystemError) {
    try self.admission?.open(listener, door)
  }

  var limits: ServerLimits { self.facts.daemon.limits }

  /// New settings, which apply to later requests and clients.
  package func change(_ daemon: ServerInfo) { self.facts.daemon = daemon }

  /// Whether nobody is connected, being accepted, or still being written to.
  package var isEmpty: Bool { self.places.isEmpty }

  /// Accepts no more clients. Those that connect to a socket of systemd's wait there for the next daemon.
  package func stopAccepting() { self.admission?.close() }

  /// Stops accepting, notifies all clients, and calls back once all queues are written.
  package func stop(reason: ClosingReason, whenDrained: @escaping () -> Void) {
    self.admission?.close()
    for client in self.places.connections.keys.sorted() { self.places.connections[client]?.close(reason: reason) }
    self.whenDrained = whenDrained
    self.drained()
  }

  private func drained() {
    guard self.places.areAllGone, let whenDrained = self.whenDrained else { return }
    self.whenDrained = nil
    whenDrained()
  }

  // MARK: Clients

  /// Serves a client that has a place.
  func welcome(_ descriptor: FileDescriptor, _ principal: Principal, at door: Door) throws(SystemError) {
    self.lastClient += 1
    let connection = try Connection(
      client: ClientID(self.lastClient), principal: principal, account: self.places.account(of: principal),
      descriptor: descriptor, speaking: door.spokenProtocol(limits: self.limits), server: self)
    self.places.began(connection)
    self.report(.clientConnected(connection.client, principal))
    connection.begin()
  }

  /// The account of a user whose lookup had not succeeded when its clients connected. Clients with a subordinate number
  /// have no user by it.
  package func learned(_ user: Account) {
    for connection in self.places.connections(of: user.number)
    where connection.principal.user == nil && connection.principal.subordinate == nil {
      connection.principal.user = user.name
      connection.principal.accountGroups = user.groups
    }
  }

  /// The client has made a request, or its permission has changed.
  func heard(_ connection: Connection) { self.places.heard(connection, now: self.loop.now) }

  /// The client has ended its stream: what it requested is freed in this turn.
  func left(_ connection: Connection) {
    self.places.left(connection)
    self.report(.clientLeft(connection.client))
  }

  /// The connection is closed.
  func ended(_ connection: Connection) {
    self.report(.clientDisconnected(connection.client))
    self.places.ended(connection)
    self.drained()
  }

  // MARK: Users

  /// Looks up a user, for a limited time. The result is `nil` if there is nobody to ask.
  func lookUp(_ query: AccountQuery, then: @escaping (AccountLookup<Account>?) -> Void) {
    guard let users else { return then(nil) }
    users.ask(query) { then($0) }
  }

  /// Gives a relay's connection to the user for whom it asks, after a lookup. The result is the error that prevents it.
  func handOver(_ connection: Connection, to uid: UInt32, then: @escaping (RPCError?) -> Void) {
    guard let users else { return then(.unknownUsers) }
    users.ask(.client(uid, owners: users.claim(of: uid)?.owners ?? [])) { [weak self] lookup in
      // The client may have left meanwhile.
      guard let self, connection.isOpen else { return }
      do throws(RPCError) {
        let relayed = try Principal(relayedBy: connection.principal, for: uid, lookup)
        try self.places.hand(connection, to: relayed)
        self.report(.clientDisconnected(connection.client))
        self.report(.clientConnected(connection.client, relayed))
      } catch {
        return then(error)
      }
      then(nil)
    }
  }

  // MARK: Turns

  /// How many calls of one client may be unanswered: those that may wait by the broker's limit, and some that end by
  /// themselves.
  var maxUnanswered: Int { self.facts.daemon.broker.maxRequestsPerClient + ServerLimits.unansweredBesides }

  /// The connection has become readable.
  func ready(_ connection: Connection) {
    guard !connection.isInLine else { return }
    connection.isInLine = true
    self.turns?.serve(connection.client, of: connection.principal.uid, isGranted: connection.isGranted)
  }

  /// The connection has work for a turn of its user.
  func line(up connection: Connection) {
    self.turns?.add(connection.client, of: connection.principal.uid, isGranted: connection.isGranted)
  }

  // MARK: From the broker

  /// Answers a call, if the client is still there. An answer that reveals more than the client may know becomes the
  /// denial.
  package func answer(_ call: CallID, _ answer: Answer) {
    self.places.connections[call.client]?.answered(call, answer)
  }

  /// Notifies a client, if it may know that.
  package func notify(_ client: ClientID, _ notification: Notification) {
    self.places.connections[client]?.notified(notification)
  }

  /// From now on the client gets no more than this, and nothing from its queue that reveals more, even while it is
  /// being closed.
  package func clear(_ client: ClientID, _ limit: SensitivityLimit) {
    self.places.any(client)?.restrict(to: limit, denial: RPCError(limit.denial, at: self.facts.moment()))
  }

  /// Sends the prompt to an agent. If it cannot be sent, that is reported as no answer; if the agent has left, the broker
  /// knows already.
  package func ask(_ client: ClientID, _ prompt: Prompt) { self.places.connections[client]?.ask(prompt) }

  /// Withdraws the prompt: the agent need not answer.
  package func withdraw(_ client: ClientID, _ prompt: PromptID) { self.places.connections[client]?.withdraw(prompt) }

  /// Reports to the broker, in a later turn, once the client's socket has taken everything. Nothing is reported if the
  /// client disconnects before.
  package func reportWhenTaken(_ client: ClientID) { self.places.connections[client]?.reportWhenTaken() }

  /// Writes at the end of a turn what the turn has queued, once for each client.
  package func flush() {
    // Flushing may touch connections again, which are flushed at the end of the next turn.
    swap(&self.touched, &self.flushed)
    for connection in self.flushed { connection.turnEnded() }
    self.flushed.removeAll(keepingCapacity: self.flushed.count <= 16)
    self.facts.texts.turnEnded()
  }

  // MARK: What clients take

  /// The bytes that wait for all clients together.
  var outboundBytes: Int { self.places.outboundBytes }

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

  // MARK: Log lines that may recur

  /// A client was closed because it may not use its door.
  func logTurnedAway(_ message: LogMessage) {
    if self.closedAtDoors.take(now: self.loop.now) != nil { self.log(.clientRefused, message) }
  }

  /// A message that could not be encoded is dropped; everything else continues.
  func logDropped(_ error: JSONWriter.NoJSON) {
    guard let omitted = self.unwritten.take(now: self.loop.now) else { return }
    self.log(.messageDropped, "a message was dropped: \(error); such messages since the last report: \(omitted + 1)")
  }

  /// A client has answered a request that it was not sent, or that was withdrawn.
  func logUnaskedAnswer(of connection: Connection) {
    guard let omitted = self.unaskedAnswers.take(now: self.loop.now) else { return }
    self.log(
      .answerUnasked,
      "a client of user \(connection.principal.uid, .user) answered what it was not asked; "
        + "such answers since the last report: \(omitted + 1)")
  }
}

extension RPCError {
  /// There is no account service.
  static let unknownUsers = RPCError.internalError(
    "the system cannot say who that is", remedy: "start positiond anew")
}
