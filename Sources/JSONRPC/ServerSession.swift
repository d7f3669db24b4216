/// The server's side of one connection: which requests are open, and what to send.
///
/// It takes bytes and answers, and returns actions to execute in order; the driver owns the socket and knows no JSON.
/// Each request that was handed out must be answered exactly once with `answer`; a second answer traps.
///
/// The connection ends in one of three ways. If the peer's bytes are not frames, the last action is `.close`. If the
/// peer half-closes, `.close` follows once nothing is open. If the peer hangs up, the driver drops the session without
/// further answers.
///
/// What the driver asks of it between two messages is inlinable: else the driver would copy the session to ask.
@usableFromInline
package struct ServerSession: Sendable {
  package enum Action: Sendable {
    /// A request to answer, with a number that is never used again on this connection.
    case handle(serial: UInt64, any RequestType)
    case notified(any NotificationType)
    /// The answer to a request of this side; a success holds the request type's `Result`.
    case answered(RequestID, Result<any Sendable, RPCError>)
    /// An answer to no open request.
    case unexpectedResponse
    /// Framed bytes.
    case send([UInt8])
    /// A reply of which some may have to be withheld until it is written.
    case sendSensitive(Reply)
    /// Close once everything before is sent. Later answers to requests from before are dropped; answers that come
    /// before this is executed are sent.
    case close
  }

  @usableFromInline enum Phase: Sendable {
    case open
    /// The peer sends nothing more; it becomes `closed` when nothing is open.
    case halfClosed
    /// `.close` was returned.
    case closed
  }

  @usableFromInline struct Pending: Sendable {
    @usableFromInline let serial: UInt64
    @usableFromInline let id: RequestID
    /// The batch that contains it.
    let batch: UInt64?
  }

  private struct Batch {
    var reply: Reply
    var unanswered = 0
  }

  /// The most messages of one batch.
  package static let maximumBatch = 256

  package let registry: MethodRegistry
  private let maximumBatchReply: Int
  @usableFromInline private(set) var decoder: FrameDecoder
  @usableFromInline private(set) var phase = Phase.open
  /// In the order of their serials. Few requests are open at the same time.
  @usableFromInline private(set) var pending: [Pending] = []
  private var batches: [UInt64: Batch] = [:]
  private var lastSerial: UInt64 = 0
  private var subscriptions = 0
  private var asked = OpenRequests()

  /// - Parameters:
  ///   - maximumFrame: In bytes.
  ///   - maximumBatchReply: In bytes. A short batch may request much, and all of it waits for the last answer: what
  ///     exceeds this is answered with an error, except for the first reply.
  package init(registry: MethodRegistry, maximumFrame: Int = 65536, maximumBatchReply: Int = 65536) {
    self.registry = registry
    self.maximumBatchReply = maximumBatchReply
    self.decoder = FrameDecoder(maximumFrame: maximumFrame)
  }

  /// Whether the peer has shut down its sending side, and the session goes on for what is open.
  @inlinable package var isHalfClosed: Bool { if case .halfClosed = self.phase { true } else { false } }

  /// How this connection's messages are framed.
  @inlinable package var framing: Framing { self.decoder.framing }

  /// Whether there are bytes of which `next` has made nothing yet.
  @inlinable package var hasBytes: Bool { self.decoder.bufferedBytes > 0 }

  /// The open request with the client's id.
  package func serial(of id: RequestID) -> UInt64? {
    for request in self.pending where request.id == id { return request.serial }
    return nil
  }

  /// The client's id of an open request.
  @inlinable package func id(of serial: UInt64) -> RequestID? {
    for request in self.pending where request.serial == serial { return request.id }
    return nil
  }

  // MARK: Events

  package mutating func received(_ bytes: some Sequence<UInt8>) -> [Action] {
    self.append(ArraySlice(bytes))
    var actions: [Action] = []
    while let more = self.next() { actions += more }
    return actions
  }

  /// Adds bytes from the peer, which `next` reads.
  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard case .open = self.phase else { return }
    self.decoder.append(bytes)
  }

  /// The actions for the next frame, possibly none; `nil` until more bytes arrive.
  package mutating func next() -> [Action]? {
    guard case .open = self.phase else { return nil }
    return self.decoder.next().map { self.decoded($0) }
  }

  /// The peer has sent its last byte, and `next` has read everything before. Open requests continue.
  package mutating func receivedEnd() -> [Action] {
    guard case .open = self.phase else { return [] }
    var actions: [Action] = []
    if let event = self.decoder.finish() { actions += self.decoded(event) }
    guard case .open = self.phase else { return actions }
    self.phase = .halfClosed
    let gone = RPCError.internalError("the client has shut down its sending side")
    return actions + self.asked.closeAll().map { .answered($0, .failure(gone)) } + self.closeIfIdle()
  }

  /// The number of the connection's subscriptions. Call this before the answer that makes a subscription.
  package mutating func subscriptionsChanged(to count: Int) -> [Action] {
    self.subscriptions = count
    return self.closeIfIdle()
  }

  /// Answers the request that was handed out as `serial`.
  ///
  /// - Parameter sensitivity: Decides whether it is withheld while it waits for others of its batch.
  package mutating func answer(
    _ serial: UInt64, _ result: Result<ResultText, RPCError>, sensitivity: Int = 0
  ) -> [Action] {
    guard let id = self.id(of: serial) else { Self.trap(answering: serial) }
    let message =
      switch result {
      case .success(let value): OutgoingMessage.result(id: id, value)
      case .failure(let error): OutgoingMessage.error(id: id, error)
      }
    return self.answer(serial, with: message, sensitivity: sensitivity)
  }

  private static func trap(answering serial: UInt64) -> Never {
    preconditionFailure("Request \(serial) is not open: it was answered before, or never handed out")
  }

  /// Answers the request that was handed out as `serial` with a whole message.
  package mutating func answer(_ serial: UInt64, with reply: consuming [UInt8], sensitivity: Int) -> [Action] {
    guard let place = self.pending.firstIndex(where: { $0.serial == serial }) else { Self.trap(answering: serial) }
    let pending = self.pending.remove(at: place)
    guard let batch = pending.batch else {
      var whole = Reply(isBatch: false, self.framing)
      whole.add(reply, to: pending.id, sensitivity: sensitivity)
      let sending = self.send(whole)
      let closing = self.closeIfIdle()
      return closing.isEmpty ? [sending] : [sending] + closing
    }
    let bytes = self.batches[batch]?.reply.bytes ?? 0
    if bytes == 0 || bytes + reply.count <= self.maximumBatchReply {
      self.batches[batch]?.reply.add(reply, to: pending.id, sensitivity: sensitivity)
    } else {
      let excess = RPCError.limitExceeded(limit: "batch-reply", value: self.maximumBatchReply)
      self.batches[batch]?.reply.add(OutgoingMessage.error(id: pending.id, excess), to: pending.id)
    }
    self.batches[batch]?.unanswered -= 1
    return self.sendIfComplete(batch) + self.closeIfIdle()
  }

  /// Replaces replies that wait for others of their batch by the error, if they are more sensitive than the limit.
  package mutating func withhold(above limit: Int, _ error: RPCError) {
    for number in self.batches.keys { self.batches[number]?.reply.withhold(above: limit, error) }
  }

  /// Numbers a request of this side; its bytes are to be sent. `nil`: the peer cannot answer any more, or the request
  /// cannot be written as JSON.
  package mutating func ask<Request: RequestType>(_ request: Request) -> (id: RequestID, bytes: [UInt8])? {
    guard case .open = self.phase else { return nil }
    let id = self.asked.open(result: Request.resultCodec)
    do throws(JSONWriter.NoJSON) {
      return (id, self.decoder.framing.frame(try OutgoingMessage.request(id: id, request)))
    } catch {
      _ = self.asked.close(id)
      return nil
    }
  }

  /// Forgets a request of this side; a late answer to it is ignored.
  package mutating func forget(_ id: RequestID) { _ = self.asked.close(id) }

  /// A notification in this connection's framing.
  ///
  /// - Precondition: It contains no number that is not finite.
  package func encode(_ notification: some NotificationType) -> [UInt8] {
    self.decoder.framing.frame(OutgoingMessage.finiteNotification(notification))
  }

  /// An error that answers no request, in this connection's framing.
  package func encode(_ error: RPCError) -> [UInt8] {
    self.decoder.framing.frame(OutgoingMessage.error(id: nil, error))
  }

  private func send(_ text: [UInt8]) -> Action { .send(self.decoder.framing.frame(text)) }

  private func send(_ reply: Reply) -> Action {
    reply.sensitivity == 0 ? .send(reply.encoded()) : .sendSensitive(reply)
  }

  private mutating func decoded(_ event: FrameDecoder.Event) -> [Action] {
    switch event {
    case .frame(let bytes): return self.received(frame: self.read(bytes))
    case .tooLarge: return self.close(after: .frameTooLarge(limit: self.decoder.maximumFrame))
    case .malformed(let reason): return self.close(after: .badFraming(reason))
    }
  }

  private func read(_ bytes: [UInt8]) -> IncomingFrame {
    IncomingFrame.decode(bytes, registry: self.registry, maximumBatch: Self.maximumBatch, asked: self.asked)
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

  // MARK: Messages

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
    case .reply(let reply, _): [self.send(reply)]
    }
  }

  private mutating func received(batch messages: [Incoming]) -> [Action] {
    self.lastSerial += 1
    let number = self.lastSerial
    var batch = Batch(reply: Reply(isBatch: true, self.framing))
    var actions: [Action] = []
    for message in messages {
      switch self.admit(message, batch: number) {
      case .nothing: break
      case .reply(let reply, let id): batch.reply.add(reply, to: id)
      case .action(let action):
        if case .handle = action { batch.unanswered += 1 }
        actions.append(action)
      }
    }
    self.batches[number] = batch
    return actions + self.sendIfComplete(number)
  }

  /// Sends a batch's replies when all are present; a batch of notifications has none.
  private mutating func sendIfComplete(_ number: UInt64) -> [Action] {
    guard let batch = self.batches[number], batch.unanswered == 0 else { return [] }
    self.batches[number] = nil
    return batch.reply.isEmpty ? [] : [self.send(batch.reply)]
  }

  private enum Admission {
    case action(Action)
    case reply([UInt8], to: RequestID?)
    case nothing
  }

  private mutating func admit(_ incoming: Incoming, batch: UInt64?) -> Admission {
    switch incoming {
    case .request(let id, let request): return self.admit(request, id: id, batch: batch)
    case .notification(let notification): return .action(.notified(notification))
    case .invalid(let id, let error): return .reply(OutgoingMessage.error(id: id, error), to: id)
    case .response(let id?, let result):
      // A second answer in one batch belongs to no request.
      return .action(self.asked.close(id) ? .answered(id, result) : .unexpectedResponse)
    case .response(nil, _), .unexpectedResponse: return .action(.unexpectedResponse)
    case .ignored: return .nothing
    }
  }

  private mutating func admit(_ request: any RequestType, id: RequestID, batch: UInt64?) -> Admission {
    guard self.serial(of: id) == nil else {
      let error = RPCError.invalidRequest("id \(id) is in use by a request in flight")
      return .reply(OutgoingMessage.error(id: id, error), to: id)
    }
    let type = type(of: request)
    guard batch == nil || type.isAllowedInBatch else {
      let error = RPCError.invalidRequest("\(type.method) may not stand in a batch")
      return .reply(OutgoingMessage.error(id: id, error), to: id)
    }
    self.lastSerial += 1
    self.pending.append(Pending(serial: self.lastSerial, id: id, batch: batch))
    return .action(.handle(serial: self.lastSerial, request))
  }
}
