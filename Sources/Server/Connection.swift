import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// One client's connection: its socket, its limits, its queue and its turns. It decides nothing.
///
/// What its client speaks is a `SpokenProtocol`, which handles each event. This moves bytes between the socket and that, and
/// does what that returns. It belongs to the loop's thread.
final class Connection {
  private enum Phase {
    case open
    /// Nothing is read any more; the queue is written, then the connection closes.
    case draining
    case closed
  }

  private unowned let server: PositionServer
  private let descriptor: FileDescriptor
  private var watch: DescriptorWatch?
  private var drainTimer: LoopTimer?
  private let spoken: any SpokenProtocol
  private var served: ServedClient {
    didSet {
      self.account.outboundBytes += self.served.queue.count - self.accountedBytes
      self.accountedBytes = self.served.queue.count
    }
  }
  /// What all connections of its user use.
  private(set) var account: UserAccount
  /// How many bytes of the queue are counted on the account.
  private var accountedBytes = 0
  /// Whether it is flushed at the end of the turn.
  var isTouched = false
  private var phase = Phase.open
  /// Whether the client may still send something.
  private var isReading = true
  /// Whether there is something to read.
  private var isToRead = false
  /// Whether the user for whom it asks is being looked up. Nothing is served meanwhile.
  private var isHandedOver = false
  /// Whether the broker waits for a report that the client has taken everything.
  private var isTakingAwaited = false
  /// Whether the client has taken everything, which the broker waits to know.
  private var hasTaken = false
  /// Whether it waits in line for its turn.
  var isInLine = false
  /// Whether it works, and continues when that is done.
  private var isAtWork = false

  init(
    client: ClientID, principal: Principal, account: UserAccount, descriptor: FileDescriptor,
    speaking spoken: any SpokenProtocol, server: PositionServer
  ) throws(SystemError) {
    self.served = ServedClient(id: client, principal: principal, server: server.facts)
    self.account = account
    self.descriptor = descriptor
    self.spoken = spoken
    self.server = server
    self.watch = try server.loop.watch(descriptor, for: .read) { [unowned self] in self.ready($0) }
  }

  var client: ClientID { self.served.id }

  var principal: Principal {
    get { self.served.principal }
    set { self.served.principal = newValue }
  }

  /// Whether positions may be sent to the client.
  var isGranted: Bool { self.served.limit.precision != nil }

  var outboundBytes: Int { self.served.queue.count }

  var openCalls: Int { self.spoken.openCalls }

  var isOpen: Bool { self.phase == .open }

  /// Has what is spoken handle an event, and does what that returns.
  private func handle(_ event: (any SpokenProtocol, inout ServedClient) -> [SpokenAction]) {
    let before = self.served.queue.count
    let actions = event(self.spoken, &self.served)
    if self.served.queue.count != before { self.keepWithinLimits() }
    for action in actions where self.isOpen { self.perform(action) }
  }

  private func perform(_ action: SpokenAction) {
    switch action {
    case .report(let event): self.server.report(event)
    case .introduce(let name, let purpose, let call, let what):
      (self.principal.name, self.principal.purpose) = (name, purpose)
      self.server.report(.clientIntroduced(self.client, name: name, purpose: purpose))
      self.server.report(.called(call, what))
    case .lookUp(let query):
      self.server.lookUp(query) { [weak self] lookup in
        guard let self, self.isOpen else { return }
        self.handle { $0.lookedUp(query, lookup, &$1) }
        self.flush()
      }
    case .handOver(let uid):
      self.isHandedOver = true
      self.server.handOver(self, to: uid) { [weak self] error in
        guard let self, self.isOpen else { return }
        self.isHandedOver = false
        self.handle { $0.handedOver(error, &$1) }
        self.flush()
      }
    case .logUnaskedAnswer: self.server.logUnaskedAnswer(of: self)
    case .logUnwritten(let error): self.server.logDropped(error)
    case .turnAway(let message):
      self.server.logTurnedAway(message)
      self.served.queue.removeAllUntouched()
      self.drain()
    case .close: self.drain()
    }
  }

  // MARK: From the client

  /// The client has a place, and its permission is known.
  func begin() {
    self.handle { $0.begin(&$1) }
    // The broker's turn that admitted it is over.
    if !self.served.queue.isEmpty { self.flush() }
  }

  private func ready(_ readiness: Interest) {
    if readiness.contains(.hangup) { return self.disconnected() }
    if readiness.contains(.write) { self.flush() }
    if readiness.contains(.read), self.isOpen {
      self.isToRead = true
      self.server.ready(self)
    }
  }

  /// Reads and begins the client's requests, at least until the deadline. It stops while the client does not take its
  /// answers or has too many unanswered requests.
  func work(until deadline: Instant) {
    self.isAtWork = true
    if self.isToRead { self.read() }
    if self.hasTaken {
      self.hasTaken = false
      self.server.report(.taken(self.client))
    }
    while self.isOpen, !self.isBlocked, self.spoken.hasUnserved {
      self.serveNext()
      if self.server.loop.readClock() >= deadline { break }
    }
    self.isInLine = false
    self.isAtWork = false
    self.flush()
  }

  private func read() {
    self.isToRead = false
    guard self.isOpen, self.isReading else { return }
    do throws(SystemError) {
      let server = self.server
      switch try self.descriptor.read(over: &server.input) {
      case .bytes(let count): self.spoken.received(server.input[..<count])
      case .wouldBlock: break
      case .endOfFile:
        self.isReading = false
        self.handle { spoken, _ in spoken.receivedEnd() }
      }
    } catch {
      self.disconnected()
    }
  }

  private func serveNext() {
    let before = self.served.queue.count
    let part = self.spoken.next(&self.served)
    if self.served.queue.count != before { self.keepWithinLimits() }
    guard self.isOpen else { return }
    if part.isRequest { self.server.heard(self) }
    if let action = part.action { self.perform(action) }
  }

  /// Waits in line while there is something to do and nothing blocks it.
  private func goOn() {
    let (isBlocked, hasUnserved) = (self.isBlocked, self.spoken.hasUnserved)
    if self.isOpen, !self.isInLine, self.hasTaken || (!isBlocked && hasUnserved) {
      self.isInLine = true
      self.server.line(up: self)
    }
    guard self.phase != .closed else { return }
    let mayRead = !isBlocked && !hasUnserved && !self.isToRead && self.isReading && self.isOpen
    self.watch?.interest = Interest(read: mayRead, write: !self.served.queue.isEmpty)
  }

  /// Nothing is read from a client that does not take its answers, or has as many unanswered requests as it may.
  private var isBlocked: Bool {
    let server = self.server
    return self.isHandedOver || self.served.queue.count > server.limits.maxOutbound / 2
      || self.spoken.openCalls >= server.maxUnanswered
  }

  /// From now on it asks for another user, and counts as one of that user's.
  func speak(for principal: Principal, of account: UserAccount) {
    self.account.outboundBytes -= self.accountedBytes
    self.account.connections[self.client] = nil
    self.principal = principal
    self.account = account
    account.connections[self.client] = self
    account.outboundBytes += self.accountedBytes
  }

  // MARK: From the broker

  func answered(_ call: CallID, _ answer: Answer) {
    self.handle { $0.answered(call, answer, &$1) }
    self.server.touch(self)
    self.flush()
  }

  func notified(_ notification: Notification) {
    self.handle { $0.notified(notification, &$1) }
    self.server.touch(self)
  }

  /// From now on the client gets no more than this, even while it is being closed.
  ///
  /// Waiting messages that reveal more are removed: a notification is dropped, a reply is replaced by the denial. A
  /// message that is partly written is finished, since the stream would be broken otherwise.
  func restrict(to limit: SensitivityLimit, denial: RPCError) {
    self.served.limit = limit
    if self.isOpen { self.server.heard(self) }
    self.served.queue.purge { $0.remainder(under: limit, denial: denial) }
    self.keepWithinLimits()
    if self.isOpen { self.handle { $0.limitChanged(denial: denial, &$1) } }
  }

  func ask(_ prompt: Prompt) { self.handle { $0.ask(prompt, &$1) } }

  func withdraw(_ prompt: PromptID) { self.handle { $0.withdraw(prompt, &$1) } }

  /// The server gets a report once the queue is empty.
  func reportWhenTaken() {
    self.isTakingAwaited = true
    self.server.touch(self)
  }

  /// The broker's turn is over: writes what it has queued.
  func turnEnded() {
    self.isTouched = false
    if self.isOpen { self.handle { $0.turnEnded(&$1) } }
    self.flush()
  }

  // MARK: To the client

  /// Writes what the socket takes now. Does nothing once the connection is closed, which may happen in any caller.
  private func flush() {
    guard self.phase != .closed else { return }
    do throws(SystemError) {
      while let bytes = self.served.queue.first {
        guard case .wrote(let count) = try self.descriptor.write(bytes) else { break }
        self.served.queue.wrote(count)
      }
    } catch {
      return self.disconnected()
    }
    if case .draining = self.phase, self.served.queue.isEmpty { return self.end() }
    if self.isTakingAwaited, self.served.queue.isEmpty {
      self.isTakingAwaited = false
      self.hasTaken = true
    }
    if !self.isAtWork { self.goOn() }
  }

  private func keepWithinLimits() {
    let limit = self.server.limits.maxOutbound
    if self.served.queue.count > limit {
      // The socket may take more than was offered to it.
      self.flush()
      // Shrinks to less than the limit, so that the search for superseded updates is not repeated for each message.
      if self.served.queue.count > limit, !self.served.queue.shrink(to: limit / 4 * 3) { self.overflowed() }
    }
    self.server.wroteTo(self)
  }

  /// Drops half of the queue, because its user's clients together take too much: superseded updates first, else the
  /// whole connection.
  func pay() {
    switch self.phase {
    case .open: if !self.served.queue.shrink(to: self.served.queue.count / 2) { self.overflowed() }
    case .draining: self.end()
    case .closed: break
    }
  }

  /// The queue is too long even without superseded updates.
  private func overflowed() {
    guard self.isOpen else { return }
    self.served.queue.removeAllUntouched()
    self.close(reason: .tooSlow)
  }

  // MARK: The end

  /// Sends the client the reason, and closes once that is written.
  func close(reason: ClosingReason) {
    guard self.isOpen else { return }
    if let farewell = self.spoken.farewell(reason) {
      self.served.queue.append(farewell)
    } else {
      self.served.queue.removeAllUntouched()
    }
    self.drain()
  }

  /// Sends the client the request to make room, as far as its socket takes it now, and closes.
  func makeRoom() {
    self.close(reason: .makingRoom)
    self.end()
  }

  /// Frees at once what the client requested, and writes the queue for as long as the client reads.
  private func drain() {
    guard self.isOpen else { return }
    self.phase = .draining
    self.spoken.forgetUnserved()
    self.server.left(self)
    do throws(SystemError) {
      let timer = try self.server.loop.timer(accuracy: .seconds(1)) { [unowned self] in self.end() }
      timer.arm(at: self.server.loop.now + self.server.limits.drainTime)
      self.drainTimer = timer
      self.flush()
    } catch {
      self.end()
    }
  }

  private func disconnected() {
    if self.isOpen { self.server.left(self) }
    self.end()
  }

  private func end() {
    guard self.phase != .closed else { return }
    self.phase = .closed
    self.spoken.forgetUnserved()
    self.served.queue = OutboundQueue()
    self.drainTimer?.cancel()
    self.watch?.cancel()
    self.descriptor.close()
    self.server.ended(self)
  }
}
