import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// One client's connection: it moves bytes and decides nothing.
///
/// The session machine knows the protocol and the queue knows the limits. This moves bytes between them and the socket,
/// and passes requests to the server. It belongs to the loop's thread.
final class Connection {
  /// The most bytes of one read.
  private static let readSize = 8 * 1024

  private enum Phase {
    case open
    /// Nothing is read any more; the queue is written, then the connection closes.
    case draining
    case closed
  }

  let client: ClientID
  var principal: Principal
  var session: ServerSession
  /// The requests that wait for the broker, or for an account lookup, by their number.
  var handlers: [UInt64: any RequestHandler] = [:]
  /// The requests that name users, in their order: the first is being looked up.
  var resolutions: [() -> Void] = []
  /// What may be sent to the client.
  var limit = SensitivityLimit.nothing
  /// The open prompts of an agent.
  var prompts = OpenPrompts()
  /// Whether the broker waits for a report that the client has taken everything.
  private var isTakingAwaited = false

  unowned let server: PositionServer
  private let descriptor: FileDescriptor
  private var watch: DescriptorWatch?
  private var drainTimer: LoopTimer?
  var queue = OutboundQueue<WaitingMessage>() {
    didSet {
      self.account.outboundBytes += self.queue.count - self.accountedBytes
      self.accountedBytes = self.queue.count
    }
  }
  /// What all connections of its user use.
  let account: UserAccount
  /// How many bytes of the queue are counted on the account.
  private var accountedBytes = 0
  /// Whether it is flushed at the end of the turn.
  var isTouched = false
  private var phase = Phase.open
  private var isReading = true
  /// Parts of the client's requests that are not begun yet. Nothing more is read meanwhile.
  private var waiting: ArraySlice<ServerSession.Action> = []
  /// Whether the session may hold frames that are not decoded yet, or the end of the stream.
  private var mayHaveFrames = false
  /// Whether there is something to read.
  private var isToRead = false
  /// Whether the client has taken everything, which the broker waits to know.
  private var hasTaken = false
  /// Whether it waits in line for its turn.
  var isInLine = false
  /// Whether it works, and continues when that is done.
  private var isAtWork = false

  init(
    client: ClientID, principal: Principal, account: UserAccount, descriptor: FileDescriptor, server: PositionServer
  ) throws(SystemError) {
    self.client = client
    self.principal = principal
    self.account = account
    self.descriptor = descriptor
    self.server = server
    self.session = ServerSession(
      registry: PositionMethods.server, maximumFrame: server.limits.maxFrame,
      // So that the queue has room for the reply to a batch.
      maximumBatchReply: server.limits.maxOutbound / 4)
    self.watch = try server.loop.watch(descriptor, for: .read) { [unowned self] in self.ready($0) }
  }

  var outboundBytes: Int { self.queue.count }

  var isOpen: Bool { self.phase == .open }

  // MARK: From the client

  private func ready(_ readiness: Interest) {
    if readiness.contains(.hangup) { return self.disconnected() }
    if readiness.contains(.write) { self.flush() }
    if readiness.contains(.read), case .open = self.phase {
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
    while self.isOpen, !self.isBlocked, let action = self.nextAction() {
      self.perform(action)
      if EventLoop.readClock() >= deadline { break }
    }
    self.isInLine = false
    self.isAtWork = false
    self.flush()
  }

  private func read() {
    self.isToRead = false
    guard case .open = self.phase, self.isReading else { return }
    var bytes: [UInt8] = []
    do throws(SystemError) {
      switch try self.descriptor.read(into: &bytes, upTo: Self.readSize) {
      case .bytes:
        self.session.append(bytes)
        self.mayHaveFrames = true
      case .wouldBlock: break
      case .endOfFile:
        self.isReading = false
        self.mayHaveFrames = true
      }
    } catch {
      self.disconnected()
    }
  }

  /// The next part of the client's requests; `nil`: none. A frame is decoded only when its turn comes.
  private func nextAction() -> ServerSession.Action? {
    while true {
      if let action = self.waiting.popFirst() { return action }
      guard self.mayHaveFrames else { return nil }
      if let actions = self.session.next() {
        self.waiting = actions[...]
        self.mayHaveFrames = self.session.hasBytes || !self.isReading
        continue
      }
      self.mayHaveFrames = false
      guard !self.isReading else { return nil }
      _ = self.session.subscriptionsChanged(to: self.server.holdings(self.client))
      self.waiting = self.session.receivedEnd()[...]
    }
  }

  /// Waits in line while there is something to do and nothing blocks it.
  private func goOn() {
    let hasWork = self.hasTaken || (!self.isBlocked && (!self.waiting.isEmpty || self.mayHaveFrames))
    if self.isOpen, !self.isInLine, hasWork {
      self.isInLine = true
      self.server.line(up: self)
    }
    self.updateInterest()
  }

  /// Nothing is read from a client that does not take its answers, or has as many unanswered requests as it may.
  private var isBlocked: Bool {
    self.queue.count > self.server.limits.maxOutbound / 2 || self.handlers.count >= self.server.maxUnanswered
  }

  private func perform(_ actions: [ServerSession.Action]) {
    for action in actions { self.perform(action) }
    self.flush()
  }

  private func perform(_ action: ServerSession.Action) {
    guard case .open = self.phase else { return }
    switch action {
    case .handle(let serial, let request):
      self.server.heard(self)
      self.server.serve(request, serial: serial, on: self)
    case .notified(let notification): self.server.serve(notification, on: self)
    case .answered(let request, let result): self.server.answered(request, result, by: self)
    case .unexpectedResponse: self.server.strayAnswer(of: self)
    case .send(let bytes): self.enqueue(bytes)
    case .sendSensitive(let replies): self.enqueue(.replies(replies, self.session.framing))
    case .close: self.drain()
    }
  }

  // MARK: To the client

  /// - Parameter request: The request, which determines how its result is written.
  func answer(
    _ serial: UInt64, to request: any RequestHandler, _ reply: Handling.Reply, _ sensitivity: Sensitivity = .open
  ) {
    let result: Result<EncodedResult, RPCError>
    do throws(JSONWriter.NoJSON) {
      result =
        switch reply {
        case .success(let value): .success(try request.encoded(value, moment: self.server.moment))
        case .failure(let error): .failure(error)
        }
    } catch {
      // Each request must get an answer.
      self.server.dropped(error)
      result = .failure(.internalError("the result cannot be written"))
    }
    self.answer(serial, result, sensitivity)
  }

  func answer(
    _ serial: UInt64, _ result: Result<EncodedResult, RPCError>, _ sensitivity: Sensitivity = .open
  ) {
    self.handlers[serial] = nil
    self.perform(self.session.answer(serial, result, sensitivity: sensitivity.rawValue))
  }

  /// Queues a notification that is encoded already.
  func notify(text: [UInt8], _ sensitivity: Sensitivity = .open) {
    guard case .open = self.phase else { return }
    let bytes = self.session.framing.frame(text)
    if sensitivity == .open { self.enqueue(bytes) } else { self.enqueue(.notification(encoded: bytes, sensitivity)) }
  }

  /// Queues an update.
  ///
  /// - Parameter subscription: The subscription of which a newer update may replace it if the client reads too
  /// slowly; `nil`: it may not be replaced.
  func notify(
    _ update: any CountingNotification, text: [UInt8], supersedes subscription: SubscriptionID?,
    _ sensitivity: Sensitivity
  ) {
    guard let subscription else { return self.notify(text: text, sensitivity) }
    guard case .open = self.phase else { return }
    let update = SupersedableUpdate(
      notification: update, subscription: subscription.number, framing: self.session.framing,
      moment: self.server.moment)
    self.queue.append(.update(update, sensitivity), encoded: self.session.framing.frame(text))
    self.keepWithinLimits()
  }

  func notify(
    _ notification: some NotificationType, _ sensitivity: Sensitivity = .open
  ) throws(JSONWriter.NoJSON) {
    self.notify(text: try OutgoingMessage.notification(notification, moment: self.server.moment), sensitivity)
  }

  /// A half-closed connection stays open until the end of the turn, whatever the turn has ended, so that it gets all of
  /// the turn's notifications.
  func stay() {
    guard self.session.isHalfClosed else { return }
    self.perform(self.session.subscriptionsChanged(to: 1))
    self.server.touch(self)
  }

  /// The turn is over: a half-closed connection ends where nothing is left that may still notify its client.
  func turnEnded() {
    guard self.session.isHalfClosed else { return }
    self.perform(self.session.subscriptionsChanged(to: self.server.holdings(self.client)))
  }

  /// The server gets a report once the queue is empty.
  func reportWhenTaken() {
    self.isTakingAwaited = true
    self.server.touch(self)
  }

  /// Sends the client the reason, and closes once that is written.
  func close(reason: ClosingReason) {
    guard case .open = self.phase else { return }
    self.queue.append(self.session.encode(SessionClosingNotification(reason: reason)))
    self.drain()
  }

  /// Sends the client the request to make room, as far as its socket takes it now, and closes.
  func makeRoom() {
    self.close(reason: .makingRoom)
    self.end()
  }

  /// Writes what the socket takes now. Does nothing once the connection is closed, which may happen in any caller.
  func flush() {
    guard self.phase != .closed else { return }
    do throws(SystemError) {
      while let bytes = self.queue.first {
        guard case .wrote(let count) = try self.descriptor.write(bytes) else { break }
        self.queue.wrote(count)
      }
    } catch {
      return self.disconnected()
    }
    if case .draining = self.phase, self.queue.isEmpty { return self.end() }
    if self.isTakingAwaited, self.queue.isEmpty {
      self.isTakingAwaited = false
      self.hasTaken = true
    }
    if !self.isAtWork { self.goOn() }
  }

  /// Drops half of the queue, because its user's clients together take too much: superseded updates first, else the
  /// whole connection.
  func pay() {
    switch self.phase {
    case .open: if !self.queue.shrink(to: self.queue.count / 2) { self.overflowed() }
    case .draining: self.end()
    case .closed: break
    }
  }

  /// The queue is too long even without superseded updates.
  private func overflowed() {
    guard case .open = self.phase else { return }
    self.queue.removeAllUntouched()
    self.close(reason: .tooSlow)
  }

  func enqueue(_ bytes: [UInt8]) {
    self.queue.append(bytes)
    self.keepWithinLimits()
  }

  private func enqueue(_ message: WaitingMessage) {
    self.queue.append(message, encoded: message.encoded())
    self.keepWithinLimits()
  }

  func keepWithinLimits() {
    let limit = self.server.limits.maxOutbound
    if self.queue.count > limit {
      // The socket may take more than was offered to it.
      self.flush()
      // Shrinks to less than the limit, so that the search for superseded updates is not repeated for each message.
      if self.queue.count > limit, !self.queue.shrink(to: limit / 4 * 3) { self.overflowed() }
    }
    self.server.wroteTo(self)
  }

  private func updateInterest() {
    guard case .closed = self.phase else {
      let isDone = self.waiting.isEmpty && !self.mayHaveFrames && !self.isToRead && !self.isBlocked
      self.watch?.interest = Interest(
        read: self.isReading && isDone && self.isOpen, write: !self.queue.isEmpty)
      return
    }
  }

  // MARK: The end

  /// Frees at once what the client requested, and writes the queue for as long as the client reads.
  private func drain() {
    guard case .open = self.phase else { return }
    self.phase = .draining
    self.waiting = []
    self.mayHaveFrames = false
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
    if case .open = self.phase { self.server.left(self) }
    self.end()
  }

  private func end() {
    guard self.phase != .closed else { return }
    self.phase = .closed
    self.waiting = []
    self.mayHaveFrames = false
    self.queue = OutboundQueue()
    self.drainTimer?.cancel()
    self.watch?.cancel()
    self.descriptor.close()
    self.server.ended(self)
  }
}
