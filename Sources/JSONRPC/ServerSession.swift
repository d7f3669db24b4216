/// One connection as the server sees it: which requests are open, and what goes back.
///
/// It takes bytes and answers, and returns actions to be carried out in order; the driver owns the socket and knows no
/// JSON. Every request that was handed out must be answered exactly once with `answer`; a second answer traps.
///
/// The connection ends in one of three ways. The peer's bytes are no frames: the last action is `.close`. The peer
/// half-closes and everything that is open has ended: the last action is `.close`. The peer hangs up: the driver drops
/// the session, answers or no answers.
package struct ServerSession: Sendable {
  package enum Action: Sendable {
    /// A request to be answered, by a number that is never used again on this connection.
    case handle(serial: UInt64, any RequestType)
    case notified(any NotificationType)
    /// Framed bytes.
    case send([UInt8])
    /// Close once everything before is sent. What comes of requests that were handed out before it and are answered after
    /// it is to be dropped; those that can be answered before it is carried out get their answers.
    case close
  }

  private enum Phase {
    case open
    /// The peer sends nothing more; can transition to `closed` when nothing is open.
    case halfClosed
    /// `.close` has been told.
    case closed
  }

  private struct Pending {
    var id: RequestID
    /// The batch it came in.
    var batch: UInt64?
  }

  private struct Batch {
    private(set) var replies: [[UInt8]] = []
    private(set) var replyBytes = 0
    var unanswered = 0

    mutating func add(_ reply: [UInt8]) {
      self.replies.append(reply)
      self.replyBytes += reply.count
    }
  }

  /// The most messages that one batch may hold.
  package static let maximumBatch = 256

  package let registry: MethodRegistry
  private let maximumBatchReply: Int
  private var decoder: FrameDecoder
  private var phase = Phase.open
  private var pending: [UInt64: Pending] = [:]
  private var serials: [RequestID: UInt64] = [:]
  private var batches: [UInt64: Batch] = [:]
  private var lastSerial: UInt64 = 0
  private var subscriptions = 0

  /// - Parameters:
  ///   - maximumFrame: In bytes.
  ///   - maximumBatchReply: In bytes. A short batch can ask for much, all of which has to wait for its last answer: what
  ///     does not fit beside the first is answered with an error.
  package init(registry: MethodRegistry, maximumFrame: Int = 65536, maximumBatchReply: Int = 65536) {
    self.registry = registry
    self.maximumBatchReply = maximumBatchReply
    self.decoder = FrameDecoder(maximumFrame: maximumFrame)
  }

  /// How this connection's messages are framed.
  package var framing: Framing { self.decoder.framing }

  /// Requests that were handed out and not yet answered.
  package var pendingCount: Int { self.pending.count }

  /// The open request that the client named so.
  package func serial(of id: RequestID) -> UInt64? { self.serials[id] }

  /// How the client named an open request.
  package func id(of serial: UInt64) -> RequestID? { self.pending[serial]?.id }

  // Events.

  package mutating func received(_ bytes: some Sequence<UInt8>) -> [Action] {
    guard case .open = self.phase else { return [] }
    self.decoder.append(bytes)
    var actions: [Action] = []
    while let event = self.decoder.next() { actions += self.decoded(event) }
    return actions
  }

  /// The peer has sent its last byte; what is open goes on.
  package mutating func receivedEnd() -> [Action] {
    guard case .open = self.phase else { return [] }
    var actions: [Action] = []
    if let event = self.decoder.finish() { actions += self.decoded(event) }
    guard case .open = self.phase else { return actions }
    self.phase = .halfClosed
    return actions + self.closeIfIdle()
  }

  /// How many subscriptions the connection has now. Tell before the answer that tells the client.
  package mutating func subscriptionsChanged(to count: Int) -> [Action] {
    self.subscriptions = count
    return self.closeIfIdle()
  }

  /// The one answer to what was handed out as `serial`.
  package mutating func answer(_ serial: UInt64, _ result: Result<any Encodable & Sendable, RPCError>) -> [Action] {
    guard let pending = self.pending.removeValue(forKey: serial) else {
      preconditionFailure("Request \(serial) is not open: it was answered before, or never handed out")
    }
    self.serials[pending.id] = nil
    let reply =
      switch result {
      case .success(let value): OutgoingMessage.result(id: pending.id, value)
      case .failure(let error): OutgoingMessage.error(id: pending.id, error)
      }
    guard let batch = pending.batch else { return [self.send(reply)] + self.closeIfIdle() }
    let fits = self.batches[batch].map { $0.replyBytes == 0 || $0.replyBytes + reply.count <= self.maximumBatchReply }
    let excess = RPCError.limitExceeded(limit: "batch-reply", value: self.maximumBatchReply)
    self.batches[batch]?.add(fits ?? false ? reply : OutgoingMessage.error(id: pending.id, excess))
    self.batches[batch]?.unanswered -= 1
    return self.sendIfComplete(batch) + self.closeIfIdle()
  }

  /// A notification, framed as this connection wants it.
  package func encode(_ notification: some NotificationType) -> [UInt8] {
    self.decoder.framing.frame(OutgoingMessage.notification(notification))
  }

  /// An error that answers no request, framed as this connection wants it.
  package func encode(_ error: RPCError) -> [UInt8] {
    self.decoder.framing.frame(OutgoingMessage.error(id: nil, error))
  }

  private func send(_ text: [UInt8]) -> Action { .send(self.decoder.framing.frame(text)) }

  private mutating func decoded(_ event: FrameDecoder.Event) -> [Action] {
    switch event {
    case .frame(let bytes): return self.received(frame: self.read(bytes))
    case .tooLarge: return self.close(after: .frameTooLarge(limit: self.decoder.maximumFrame))
    case .malformed(let reason): return self.close(after: .badFraming(reason))
    }
  }

  private func read(_ bytes: [UInt8]) -> IncomingFrame {
    IncomingFrame.decode(bytes, registry: self.registry, maximumBatch: Self.maximumBatch)
  }

  private mutating func close(after error: RPCError) -> [Action] {
    self.phase = .closed
    return [self.send(OutgoingMessage.error(id: nil, error)), .close]
  }

  private mutating func closeIfIdle() -> [Action] {
    guard case .halfClosed = self.phase, self.pending.isEmpty, self.subscriptions == 0 else { return [] }
    self.phase = .closed
    return [.close]
  }

  // Messages.

  private mutating func received(frame: IncomingFrame) -> [Action] {
    switch frame {
    case .malformed(let error): [self.send(OutgoingMessage.error(id: nil, error))]
    case .single(let incoming): self.received(incoming)
    case .batch(let messages): self.received(batch: messages)
    }
  }

  private mutating func received(_ incoming: Incoming) -> [Action] {
    switch self.admit(incoming, batch: nil) {
    case .nothing: []
    case .action(let action): [action]
    case .reply(let reply): [self.send(reply)]
    }
  }

  private mutating func received(batch messages: [Incoming]) -> [Action] {
    self.lastSerial += 1
    let number = self.lastSerial
    var batch = Batch()
    var actions: [Action] = []
    for message in messages {
      switch self.admit(message, batch: number) {
      case .nothing: break
      case .reply(let reply): batch.add(reply)
      case .action(let action):
        if case .handle = action { batch.unanswered += 1 }
        actions.append(action)
      }
    }
    self.batches[number] = batch
    return actions + self.sendIfComplete(number)
  }

  /// Sends a batch's replies when all are there; one of notifications alone has none.
  private mutating func sendIfComplete(_ number: UInt64) -> [Action] {
    guard let batch = self.batches[number], batch.unanswered == 0 else { return [] }
    self.batches[number] = nil
    return batch.replies.isEmpty ? [] : [self.send(OutgoingMessage.batch(batch.replies))]
  }

  private enum Admission {
    case action(Action)
    case reply([UInt8])
    case nothing
  }

  private mutating func admit(_ incoming: Incoming, batch: UInt64?) -> Admission {
    switch incoming {
    case .request(let id, let request): return self.admit(request, id: id, batch: batch)
    case .notification(let notification): return .action(.notified(notification))
    case .invalid(let id, let error): return .reply(OutgoingMessage.error(id: id, error))
    case .ignored, .response, .unexpectedResponse: return .nothing
    }
  }

  private mutating func admit(_ request: any RequestType, id: RequestID, batch: UInt64?) -> Admission {
    guard self.serials[id] == nil else {
      return .reply(OutgoingMessage.error(id: id, .invalidRequest("id \(id) is in use by a request in flight")))
    }
    let type = type(of: request)
    guard batch == nil || type.isAllowedInBatch else {
      return .reply(OutgoingMessage.error(id: id, .invalidRequest("\(type.method) may not stand in a batch")))
    }
    self.lastSerial += 1
    self.pending[self.lastSerial] = Pending(id: id, batch: batch)
    self.serials[id] = self.lastSerial
    return .action(.handle(serial: self.lastSerial, request))
  }
}
