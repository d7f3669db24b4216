package import Broker
package import EventLoop
import FoundationEssentials
import JSONRPC
package import PositionProtocol
import Positioning

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
  private let users = UserNames()

  private var listeners: [(UnixListener, DescriptorWatch)] = []
  private(set) var connections: [ClientID: Connection] = [:]
  /// Those that were told they are being closed, and have not taken it yet.
  private var leaving: [ClientID: Connection] = [:]
  private var accounts: [UInt32: UserAccount] = [:]
  private var lastClient: UInt64 = 0
  /// Those that have something to write at the end of the turn.
  var touched: [Connection] = []
  /// Those that said more than one turn's worth, the one that has waited longest first.
  private var unfinished: ArraySlice<Connection> = []
  /// Those that have taken all that they were told, which the broker waits to hear.
  private var takers: [ClientID] = []
  private var nextTurn: LoopTimer?
  var encoder = UpdateEncoder()
  private var whenDrained: (() -> Void)?
  /// Runs while no client can be accepted because the system has no descriptor left.
  private var acceptPause: LoopTimer?
  private var refusals = Recurrence()
  var strayAnswers = Recurrence()

  /// - Parameter tell: tells the broker, in this very call.
  package init(
    loop: EventLoop, tell: @escaping (BrokerEvent) -> Void, daemon: DaemonFacts,
    log: @escaping (LogLevel, String) -> Void
  ) {
    self.loop = loop
    self.tell = tell
    self.daemon = daemon
    self.log = log
  }

  /// Accepts clients on a socket that listens.
  package func serve(on listener: UnixListener) throws(SystemError) {
    if self.nextTurn == nil {
      self.nextTurn = try self.loop.timer(accuracy: .milliseconds(1)) { [unowned self] in self.turnCame() }
    }
    let watch = try self.loop.watch(listener.descriptor, for: .read) { [unowned self] _ in self.accept(from: listener) }
    self.listeners.append((listener, watch))
  }

  var limits: ServerLimits { self.daemon.limits }

  /// Limits that were changed hold for what comes.
  package func change(_ daemon: DaemonFacts) { self.daemon = daemon }

  /// Accepts nobody any more, tells everybody, and calls back once what was promised to them is written.
  package func stop(reason: ClosingReason, whenDrained: @escaping () -> Void) {
    for (listener, watch) in self.listeners {
      watch.cancel()
      listener.close()
    }
    self.listeners = []
    self.acceptPause?.cancel()
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

  private func accept(from listener: UnixListener) {
    // A few each turn, so that a crowd at the door does not keep those inside waiting.
    for _ in 0..<16 {
      let descriptor: FileDescriptor
      do throws(SystemError) {
        guard let accepted = try listener.accept() else { return }
        descriptor = accepted
      } catch {
        self.log(.warning, "a client could not be accepted, trying again in a second: \(error)")
        return self.pauseAccepting()
      }
      do throws(SystemError) {
        try self.admit(descriptor)
      } catch {
        // Its own trouble, such as having left already: no reason to keep others waiting at the door.
        self.logRefusal("a client was turned away: \(error)")
      }
    }
  }

  /// A listener with somebody at the door stays ready: without a pause the loop would spin.
  private func pauseAccepting() {
    for (_, watch) in self.listeners { watch.interest = [] }
    do throws(SystemError) {
      let timer = try self.loop.timer(accuracy: .milliseconds(100)) { [unowned self] in
        self.acceptPause = nil
        for (_, watch) in self.listeners { watch.interest = .read }
      }
      timer.arm(at: self.loop.now + .seconds(1))
      self.acceptPause = timer
    } catch {
      preconditionFailure("a timer cannot be made: \(error)")
    }
  }

  private func admit(_ descriptor: FileDescriptor) throws(SystemError) {
    let credentials = try PeerCredentials(of: descriptor)
    if let (limit, value) = self.reachedLimit(uid: credentials.uid) {
      self.logRefusal("a client of user \(credentials.uid) was refused: \(limit) is \(value)")
      return try self.refuse(descriptor, .limitExceeded(limit: limit, value: value))
    }
    self.lastClient += 1
    let client = ClientID(self.lastClient)
    let principal = Principal(
      uid: credentials.uid, gid: credentials.gid, pid: credentials.pid, groups: credentials.groups,
      user: self.users.name(of: credentials.uid))
    let connection = try Connection(client: client, principal: principal, descriptor: descriptor, server: self)
    self.connections[client] = connection
    self.accounts[principal.uid, default: UserAccount()].clients += 1
    self.tell(.clientConnected(client, principal))
  }

  /// A client that is being closed and does not take it counts until it is gone: it has a descriptor and a queue.
  private func reachedLimit(uid: UInt32) -> (String, Int)? {
    if self.connections.count + self.leaving.count >= self.limits.maxClients {
      return ("max-clients", self.limits.maxClients)
    }
    if let account = self.accounts[uid], account.clients >= self.limits.maxClientsPerUser {
      return ("max-clients-per-user", self.limits.maxClientsPerUser)
    }
    return nil
  }

  private func logRefusal(_ words: String) {
    if self.refusals.happened(now: self.loop.now) != nil { self.log(.warning, words) }
  }

  /// One error without an id, as far as the socket takes it, and the end.
  ///
  /// - Throws: where the client has left without waiting for it.
  private func refuse(_ descriptor: FileDescriptor, _ error: RPCError) throws(SystemError) {
    _ = try descriptor.write(Framing.lines.frame(OutgoingMessage.error(id: nil, error))[...])
    descriptor.close()
  }

  /// The client can ask nothing more: what it asked for is freed in this turn.
  func left(_ connection: Connection) {
    self.connections[connection.client] = nil
    self.leaving[connection.client] = connection
    self.tell(.clientDisconnected(connection.client))
  }

  /// The connection is closed.
  func ended(_ connection: Connection) {
    self.leaving[connection.client] = nil
    let uid = connection.principal.uid
    self.accounts[uid]?.clients -= 1
    if self.accounts[uid]?.clients == 0 { self.accounts[uid] = nil }
    self.drained()
  }

  // MARK: What clients ask

  /// Lets a connection go on after everybody else who is ready now.
  func finishLater(_ connection: Connection) {
    self.unfinished.append(connection)
    self.nextTurn?.arm(at: self.loop.now)
  }

  /// Tells the broker in a later turn that the client has taken everything.
  func tookEverything(_ connection: Connection) {
    self.takers.append(connection.client)
    self.nextTurn?.arm(at: self.loop.now)
  }

  private func turnCame() {
    let takers = self.takers
    self.takers = []
    for client in takers where self.connections[client] != nil { self.tell(.taken(client)) }
    // One each turn, so that those with little to say are served between those with much.
    self.unfinished.popFirst()?.finish()
    if !self.unfinished.isEmpty { self.nextTurn?.arm(at: self.loop.now) }
  }

  func serve(_ request: any RequestType, serial: UInt64, on connection: Connection) {
    guard let served = request as? any ServedRequest else {
      preconditionFailure("\(type(of: request).method) is registered and nobody serves it")
    }
    let context = ServeContext(
      call: CallID(client: connection.client, serial: serial), principal: connection.principal, daemon: self.daemon,
      serial: { connection.session.serial(of: $0) })
    let outcome: Served
    do throws(RPCError) {
      outcome = try served.served(in: context)
    } catch {
      outcome = .reply(.failure(error))
    }
    switch outcome {
    case .reply(let reply): connection.answer(serial, reply)
    case .introduction(let name, let purpose, let call):
      connection.principal.name = name
      connection.principal.purpose = purpose
      self.tell(.clientIntroduced(connection.client, name: name, purpose: purpose))
      self.call(call, as: context.call, for: served, on: connection)
    case .call(let call): self.call(call, as: context.call, for: served, on: connection)
    }
  }

  private func call(_ call: Call, as id: CallID, for request: any ServedRequest, on connection: Connection) {
    connection.served[id.serial] = request
    self.tell(.called(id, call))
  }

  func serve(_ notification: any NotificationType, on connection: Connection) {
    guard let cancel = notification as? CancelRequestNotification, let serial = connection.session.serial(of: cancel.id)
    else {
      return
    }
    // Nobody is answered: the cancelled request's own error is the answer.
    let target = CallID(client: connection.client, serial: serial)
    self.tell(.called(CallID(client: connection.client, serial: 0), .cancelRequest(target)))
  }

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
      let own = [self.connections, self.leaving].flatMap(\.values).filter { $0.principal.uid == uid }
      guard let slowest = own.max(by: { ($0.outboundBytes, $0.client) < ($1.outboundBytes, $1.client) }) else { return }
      slowest.pay()
    }
  }
}

/// What the clients of one user take together.
private struct UserAccount {
  /// Connections, those included that are being closed.
  var clients = 0
  /// Bytes that wait to be written to them.
  var outboundBytes = 0
}
