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
  private var daemon: DaemonFacts
  private let broker: Broker
  private let log: (LogLevel, String) -> Void
  private let users = UserNames()

  private var listeners: [(UnixListener, DescriptorWatch)] = []
  private var connections: [ClientID: Connection] = [:]
  /// Those that were told they are being closed, and have not taken it yet.
  private var leaving: [ClientID: Connection] = [:]
  private var clientsOfUser: [UInt32: Int] = [:]
  private var lastClient: UInt64 = 0
  /// Those that have something to write at the end of the turn.
  private var touched: [ClientID] = []
  private var encoder = UpdateEncoder()
  private var whenDrained: (() -> Void)?
  /// Runs while no client can be accepted because the system has no descriptor left.
  private var acceptPause: LoopTimer?

  package init(loop: EventLoop, broker: Broker, daemon: DaemonFacts, log: @escaping (LogLevel, String) -> Void) {
    self.loop = loop
    self.broker = broker
    self.daemon = daemon
    self.log = log
  }

  /// Accepts clients on a socket that listens.
  package func serve(on listener: UnixListener) throws(SystemError) {
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
      do throws(SystemError) {
        guard let descriptor = try listener.accept() else { return }
        try self.admit(descriptor)
      } catch {
        self.log(.warning, "a client could not be accepted, trying again in a second: \(error)")
        return self.pauseAccepting()
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
      self.log(.warning, "a client of user \(credentials.uid) was refused: \(limit) is \(value)")
      return try self.refuse(descriptor, .limitExceeded(limit: limit, value: value))
    }
    self.lastClient += 1
    let client = ClientID(self.lastClient)
    let principal = Principal(
      uid: credentials.uid, gid: credentials.gid, pid: credentials.pid, user: self.users.name(of: credentials.uid))
    let connection = try Connection(client: client, principal: principal, descriptor: descriptor, server: self)
    self.connections[client] = connection
    self.clientsOfUser[principal.uid, default: 0] += 1
    self.tell(.clientConnected(client, principal))
  }

  private func reachedLimit(uid: UInt32) -> (String, Int)? {
    if self.connections.count >= self.limits.maxClients { return ("max-clients", self.limits.maxClients) }
    if self.clientsOfUser[uid, default: 0] >= self.limits.maxClientsPerUser {
      return ("max-clients-per-user", self.limits.maxClientsPerUser)
    }
    return nil
  }

  /// One error without an id, as far as the socket takes it, and the end.
  private func refuse(_ descriptor: FileDescriptor, _ error: RPCError) throws(SystemError) {
    _ = try descriptor.write(Framing.lines.frame(OutgoingMessage.error(id: nil, error))[...])
    descriptor.close()
  }

  /// The client can ask nothing more: what it asked for is freed in this turn.
  func left(_ connection: Connection) {
    self.connections[connection.client] = nil
    self.leaving[connection.client] = connection
    let uid = connection.principal.uid
    self.clientsOfUser[uid] = self.clientsOfUser[uid].flatMap { $0 > 1 ? $0 - 1 : nil }
    self.tell(.clientDisconnected(connection.client))
  }

  /// The connection is closed.
  func ended(_ connection: Connection) {
    self.leaving[connection.client] = nil
    self.drained()
  }

  // MARK: What clients ask

  func serve(_ request: any RequestType, serial: UInt64, on connection: Connection) {
    guard let served = request as? any ServedRequest else {
      preconditionFailure("\(type(of: request).method) is registered and nobody serves it")
    }
    let context = ServeContext(
      call: CallID(client: connection.client, serial: serial), principal: connection.principal, daemon: self.daemon,
      serial: { connection.session.serial(of: $0) })
    switch served.served(in: context) {
    case .reply(let reply): connection.answer(serial, reply)
    case .introduction(let name, let purpose, let result):
      connection.principal.name = name
      connection.principal.purpose = purpose
      self.tell(.clientIntroduced(connection.client, name: name, purpose: purpose))
      connection.answer(serial, .success(result))
    case .call(let call):
      connection.served[serial] = type(of: served)
      self.tell(.called(context.call, call))
    }
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

  private func tell(_ event: BrokerEvent) {
    let now = self.loop.now
    self.broker.assumeIsolated { $0.handle(event, now: now) }
  }

  // MARK: What clients are told

  /// Answers a call; the client may have gone.
  package func answer(_ call: CallID, _ answer: Answer) {
    guard let connection = self.connections[call.client], let served = connection.served[call.serial] else { return }
    connection.subscriptionsChanged(by: answer.subscriptionDifference)
    connection.answer(call.serial, served.result(of: answer, in: self.context(for: connection)))
  }

  private func context(for connection: Connection) -> AnswerContext {
    AnswerContext(
      now: self.loop.now, date: Date(), daemon: self.daemon, id: { connection.session.id(of: $0.serial) })
  }

  package func notify(_ client: ClientID, _ notification: Notification) {
    guard let connection = self.connections[client] else { return }
    switch notification {
    case .position(let update):
      let message = PositionUpdateNotification(update, now: self.loop.now)
      let text = self.encoder.text(of: message, for: update)
      if update.isSupersedable {
        connection.notify(supersedable: message, text: text)
      } else {
        connection.notify(text: text)
      }
    case .sky(let id, let sky):
      connection.notify(SkyUpdateNotification(subscription: id.number, sky: SkyObject(sky, now: self.loop.now)))
    case .status(let id, let status, let changed):
      let object = StatusObject(status, in: self.context(for: connection))
      connection.notify(
        StatusUpdateNotification(
          subscription: id.number, changed: changed.map { StatusObject.Part($0) }, status: object))
    case .ended(let id, let reason):
      connection.notify(
        SubscriptionEndedNotification(subscription: id.number, reason: EndReason(reason)))
      connection.subscriptionsChanged(by: -1)
    }
    self.wroteTo(connection)
  }

  /// Writes at the end of a turn what the turn queued, each client once.
  package func flush() {
    let touched = self.touched
    self.touched = []
    for client in touched { self.connections[client]?.flush() }
    self.encoder.turnEnded()
  }

  /// The queue of a connection grew; holds the user's clients to what they may take together.
  func wroteTo(_ connection: Connection) {
    if self.touched.last != connection.client { self.touched.append(connection.client) }
    guard connection.outboundBytes > self.limits.maxOutboundPerUser / self.limits.maxClientsPerUser else { return }
    let uid = connection.principal.uid
    let own = self.connections.values.filter { $0.principal.uid == uid }
    guard own.reduce(0, { $0 + $1.outboundBytes }) > self.limits.maxOutboundPerUser else { return }
    // The one that reads the slowest pays, in fixes first.
    let slowest = own.max { ($0.outboundBytes, $0.client) < ($1.outboundBytes, $1.client) }
    if let slowest, !slowest.shrink(to: slowest.outboundBytes / 2) { slowest.overflowed() }
  }
}
