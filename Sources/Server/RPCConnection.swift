import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// A connection of positiond's own protocol, JSON-RPC 2.0: its session machine knows the protocol, and this passes the
/// requests to the server.
final class RPCConnection: Connection {
  var session: ServerSession
  /// The requests that wait for the broker, or for an account lookup, by their number.
  var handlers: [UInt64: any RequestHandler] = [:]
  /// The requests that name users, in their order: the first is being looked up.
  var resolutions: [() -> Void] = []
  /// The open prompts of an agent.
  var prompts = OpenPrompts()
  /// Parts of the client's requests that are not begun yet, the next one last.
  private var waiting: [ServerSession.Action] = []
  /// Whether the session may hold frames that are not decoded yet, or the end of the stream.
  private var mayHaveFrames = false

  required init(
    client: ClientID, principal: Principal, account: UserAccount, descriptor: FileDescriptor, server: PositionServer
  ) throws(SystemError) {
    self.session = ServerSession(
      registry: PositionMethods.server, maximumFrame: server.limits.maxFrame,
      // So that the queue has room for the reply to a batch.
      maximumBatchReply: server.limits.maxOutbound / 4)
    try super.init(client: client, principal: principal, account: account, descriptor: descriptor, server: server)
  }

  // MARK: From the client

  override func received(_ bytes: ArraySlice<UInt8>) {
    self.session.append(bytes)
    self.mayHaveFrames = true
  }

  override func receivedEnd() { self.mayHaveFrames = true }

  override var hasUnserved: Bool { !self.waiting.isEmpty || self.mayHaveFrames }

  override func serveNext() -> Bool {
    guard let action = self.nextAction() else { return false }
    self.perform(action)
    return true
  }

  override func forgetUnserved() {
    self.waiting = []
    self.mayHaveFrames = false
  }

  override var openCalls: Int { self.handlers.count }

  override func serial(of id: RequestID) -> UInt64? { self.session.serial(of: id) }

  override func requestID(of call: CallID) -> RequestID? { self.session.id(of: call.serial) }

  /// The next part of the client's requests; `nil`: none. A frame is decoded only when its turn comes.
  private func nextAction() -> ServerSession.Action? {
    while true {
      if let action = self.waiting.popLast() { return action }
      guard self.mayHaveFrames else { return nil }
      if let actions = self.session.next() {
        self.waiting = actions
        self.waiting.reverse()
        self.mayHaveFrames = self.session.hasBytes || !self.isReading
        continue
      }
      self.mayHaveFrames = false
      guard !self.isReading else { return nil }
      _ = self.session.subscriptionsChanged(to: self.server.holdings(self.client))
      self.waiting = self.session.receivedEnd().reversed()
    }
  }

  private func perform(_ actions: [ServerSession.Action]) {
    for action in actions { self.perform(action) }
    self.flush()
  }

  private func perform(_ action: ServerSession.Action) {
    guard self.isOpen else { return }
    switch action {
    case .handle(let serial, let request):
      self.server.heard(self)
      self.server.serve(request, serial: serial, on: self)
    case .notified(let notification): self.server.serve(notification, on: self)
    case .answered(let request, let result): self.server.answered(request, result, by: self)
    case .unexpectedResponse: self.server.strayAnswer(of: self)
    case .send(let bytes): self.enqueue(bytes)
    case .sendSensitive(let replies): self.enqueue(.replies(replies))
    case .close: self.drain()
    }
  }

  // MARK: To the client

  /// An answer that reveals more than the client may know becomes the denial.
  override func answered(_ call: CallID, _ answer: Answer) {
    guard let request = self.handlers.removeValue(forKey: call.serial) else { return }
    self.stay()
    let (context, sensitivity) = (self.server.context(for: self), answer.sensitivity)
    guard sensitivity.isAllowed(at: self.limit.precision) else {
      return self.answer(call.serial, .failure(RPCError(self.limit.denial, in: context)))
    }
    guard let id = self.requestID(of: call) else { return }
    let message: [UInt8]
    do throws(JSONWriter.NoJSON) {
      message = try request.message(answering: id, with: answer, in: context)
    } catch {
      // Each request must get an answer.
      self.server.dropped(error)
      message = OutgoingMessage.error(id: id, .internalError("the result cannot be written"))
    }
    self.perform(self.session.answer(call.serial, with: message, sensitivity: sensitivity.rawValue))
  }

  override func notified(_ notification: Notification) throws(JSONWriter.NoJSON) {
    try self.server.deliver(notification, to: self)
  }

  func answer(_ serial: UInt64, _ reply: Result<Reply, RPCError>) {
    self.handlers[serial] = nil
    self.perform(self.session.answer(serial, reply))
  }

  /// Queues a notification that is encoded already.
  func notify(text: [UInt8], _ sensitivity: Sensitivity = .open) {
    guard self.isOpen else { return }
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
    guard self.isOpen else { return }
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
  override func stay() {
    guard self.session.isHalfClosed else { return }
    self.perform(self.session.subscriptionsChanged(to: 1))
    self.server.touch(self)
  }

  /// The turn is over: a half-closed connection ends where nothing is left that may still notify its client.
  override func turnEnded() {
    guard self.session.isHalfClosed else { return }
    self.perform(self.session.subscriptionsChanged(to: self.server.holdings(self.client)))
  }

  // MARK: Permission

  override func withhold(above limit: SensitivityLimit, _ denial: RPCError) {
    self.session.withhold(above: limit.level, denial)
  }

  override func ask(_ prompt: Prompt) -> Bool {
    guard self.isOpen, !self.prompts.isFull, let request = self.session.ask(AgentAuthorizeRequest(prompt.question))
    else {
      return false
    }
    self.prompts.asked(prompt.id, as: request.id)
    self.enqueue(request.bytes)
    return true
  }

  /// A late answer is ignored.
  override func withdraw(_ prompt: PromptID) {
    guard let request = self.prompts.withdrawn(prompt) else { return }
    self.session.forget(request)
    self.notify(text: OutgoingMessage.finiteNotification(CancelRequestNotification(id: request)))
  }

  override func farewell(_ reason: ClosingReason) -> [UInt8]? {
    self.session.encode(SessionClosingNotification(reason: reason))
  }
}
