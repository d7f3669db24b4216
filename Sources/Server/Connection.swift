import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// One client's connection: it moves bytes and decides nothing.
///
/// A subclass knows what the client's door speaks, and the queue knows the limits. This moves bytes between them and the
/// socket. It belongs to the loop's thread.
class Connection: ServedClient {
  private enum Phase {
    case open
    /// Nothing is read any more; the queue is written, then the connection closes.
    case draining
    case closed
  }

  let client: ClientID
  var principal: Principal
  /// What may be sent to the client.
  var limit = SensitivityLimit.nothing
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
  private(set) var account: UserAccount
  /// Whether the user for whom it asks is being looked up. Nothing is decided for it meanwhile.
  var awaitsUser = false
  /// How many bytes of the queue are counted on the account.
  private var accountedBytes = 0
  /// Whether it is flushed at the end of the turn.
  var isTouched = false
  private var phase = Phase.open
  /// Whether the client may still send something.
  private(set) var isReading = true
  /// Whether there is something to read.
  private var isToRead = false
  /// Whether the client has taken everything, which the broker waits to know.
  private var hasTaken = false
  /// Whether it waits in line for its turn.
  var isInLine = false
  /// Whether it works, and continues when that is done.
  private var isAtWork = false

  required init(
    client: ClientID, principal: Principal, account: UserAccount, descriptor: FileDescriptor, server: PositionServer
  ) throws(SystemError) {
    self.client = client
    self.principal = principal
    self.account = account
    self.descriptor = descriptor
    self.server = server
    self.watch = try server.loop.watch(descriptor, for: .read) { [unowned self] in self.ready($0) }
  }

  var outboundBytes: Int { self.queue.count }

  var isOpen: Bool { self.phase == .open }

  // MARK: What the door speaks

  /// The client has a place, and its permission is known.
  func begin() {}

  /// The client has sent something.
  func received(_ bytes: ArraySlice<UInt8>) {}

  /// The client sends nothing more.
  func receivedEnd() {}

  /// Whether something that was received is not served yet. Nothing more is read meanwhile.
  var hasUnserved: Bool { false }

  /// Serves the next part of what was received; whether there was one.
  func serveNext() -> Bool { false }

  /// Forgets what was received and is not served yet.
  func forgetUnserved() {}

  /// How many calls wait for the broker.
  var openCalls: Int { 0 }

  func serial(of id: RequestID) -> UInt64? { nil }

  func requestID(of call: CallID) -> RequestID? { nil }

  /// The broker's answer to a call.
  func answered(_ call: CallID, _ answer: Answer) {}

  /// A notification that the client may know.
  func notified(_ notification: Notification) throws(JSONWriter.NoJSON) {}

  /// Replies that are not finished yet reveal no more than this; the denial is for those that would.
  func withhold(above limit: SensitivityLimit, _ denial: RPCError) {}

  /// What the client may be sent has changed, and the queue has nothing more that reveals more.
  func limitChanged() {}

  /// Sends the prompt to an agent; `false`: it cannot be asked.
  func ask(_ prompt: Prompt) -> Bool { false }

  /// The agent need not answer any more.
  func withdraw(_ prompt: PromptID) {}

  /// What a client is sent before its connection closes; `nil`: nothing.
  func farewell(_ reason: ClosingReason) -> [UInt8]? { nil }

  /// Something happens in this turn that the client may be notified of.
  func stay() {}

  /// The turn is over.
  func turnEnded() {}

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
    while self.isOpen, !self.isBlocked, self.serveNext() {
      if self.server.loop.readClock() >= deadline { break }
    }
    self.isInLine = false
    self.isAtWork = false
    self.flush()
  }

  private func read() {
    self.isToRead = false
    guard case .open = self.phase, self.isReading else { return }
    do throws(SystemError) {
      let server = self.server
      switch try self.descriptor.read(over: &server.input) {
      case .bytes(let count): self.received(server.input[..<count])
      case .wouldBlock: break
      case .endOfFile:
        self.isReading = false
        self.receivedEnd()
      }
    } catch {
      self.disconnected()
    }
  }

  /// Waits in line while there is something to do and nothing blocks it.
  private func goOn() {
    let (isBlocked, hasUnserved) = (self.isBlocked, self.hasUnserved)
    if self.isOpen, !self.isInLine, self.hasTaken || (!isBlocked && hasUnserved) {
      self.isInLine = true
      self.server.line(up: self)
    }
    self.updateInterest(mayRead: !isBlocked && !hasUnserved)
  }

  /// Nothing is read from a client that does not take its answers, or has as many unanswered requests as it may.
  private var isBlocked: Bool {
    let server = self.server
    return self.awaitsUser || self.queue.count > server.limits.maxOutbound / 2 || self.openCalls >= server.maxUnanswered
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

  // MARK: To the client

  /// The server gets a report once the queue is empty.
  func reportWhenTaken() {
    self.isTakingAwaited = true
    self.server.touch(self)
  }

  /// Sends the client the reason, and closes once that is written.
  func close(reason: ClosingReason) {
    guard case .open = self.phase else { return }
    if let farewell = self.farewell(reason) { self.queue.append(farewell) } else { self.queue.removeAllUntouched() }
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

  func enqueue(_ message: WaitingMessage) {
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

  private func updateInterest(mayRead: Bool) {
    guard self.phase != .closed else { return }
    self.watch?.interest = Interest(
      read: mayRead && !self.isToRead && self.isReading && self.isOpen, write: !self.queue.isEmpty)
  }

  // MARK: The end

  /// Frees at once what the client requested, and writes the queue for as long as the client reads.
  func drain() {
    guard case .open = self.phase else { return }
    self.phase = .draining
    self.forgetUnserved()
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
    self.forgetUnserved()
    self.queue = OutboundQueue()
    self.drainTimer?.cancel()
    self.watch?.cancel()
    self.descriptor.close()
    self.server.ended(self)
  }
}
