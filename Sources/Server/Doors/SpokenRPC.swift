import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// positiond's own protocol, JSON-RPC 2.0, as one client speaks it.
///
/// `ServerSession` knows the messages. Here a request becomes a call of the broker, and the broker's answers and
/// notifications become messages. Two kinds of requests need a lookup first: those that name a user, which are looked up
/// one after the other, and a relay's first one.
final class SpokenRPC: SpokenProtocol {
  /// A request that waits for the broker or for a lookup.
  struct OpenRequest {
    let id: RequestID
    let handler: any RequestHandler
  }

  /// A request that names a user, who is looked up.
  private struct NamingRequest {
    let call: CallID
    let resolution: UserResolution
    let make: (_ uid: UInt32, _ name: String?) -> Call
  }

  /// A relay's first request, which waits until it is decided for whom the connection asks.
  private struct RelayedRequest {
    let call: CallID
    let name: String?
    let purpose: String?
    let what: Call
  }

  private var session: ServerSession
  private var requests: [UInt64: OpenRequest] = [:]
  /// In their order: the first is being looked up. So a revocation does not come before the grant that it revokes.
  private var namings = Fifo<NamingRequest>()
  private var relayed: RelayedRequest?
  /// The open prompts of an agent.
  private var prompts = OpenPrompts()
  /// Parts of the client's requests that are not begun yet.
  private var waiting = Fifo<ServerSession.Action>()
  /// Whether the session may hold frames that are not decoded yet, or the end of the stream.
  private var mayHaveFrames = false
  private var hasEnded = false

  init(limits: ServerLimits) {
    self.session = ServerSession(
      registry: PositionMethods.server, maximumFrame: limits.maxFrame,
      // So that the queue has room for the reply to a batch.
      maximumBatchReply: limits.maxOutbound / 4)
  }

  // MARK: From the client

  func begin(_ client: inout ServedClient) -> [SpokenAction] { [] }

  func received(_ bytes: ArraySlice<UInt8>) {
    self.session.append(bytes)
    self.mayHaveFrames = true
  }

  func receivedEnd() -> [SpokenAction] {
    (self.hasEnded, self.mayHaveFrames) = (true, true)
    return []
  }

  var hasUnserved: Bool { !self.waiting.isEmpty || self.mayHaveFrames }

  func forgetUnserved() {
    self.waiting.removeAll()
    self.mayHaveFrames = false
  }

  var openCalls: Int { self.requests.count }

  func next(_ client: inout ServedClient) -> ServedPart {
    guard let action = self.nextAction(client.id, client.server.holdings) else { return ServedPart() }
    guard case .handle(let serial, let request) = action else {
      return ServedPart(action: self.perform(action, &client))
    }
    return ServedPart(isRequest: true, action: self.serve(request, serial, &client))
  }

  /// The next part of the client's requests; `nil`: none. A frame is decoded only when its turn comes.
  private func nextAction(_ client: ClientID, _ holdings: (ClientID) -> Int) -> ServerSession.Action? {
    while true {
      if let action = self.waiting.popFirst() { return action }
      guard self.mayHaveFrames else { return nil }
      if let actions = self.session.next() {
        self.waiting = Fifo(actions)
        self.mayHaveFrames = self.session.hasBytes || self.hasEnded
        continue
      }
      self.mayHaveFrames = false
      guard self.hasEnded else { return nil }
      _ = self.session.subscriptionsChanged(to: holdings(client))
      self.waiting = Fifo(self.session.receivedEnd())
    }
  }

  private func perform(_ action: ServerSession.Action, _ client: inout ServedClient) -> SpokenAction? {
    switch action {
    case .handle(let serial, let request): return self.serve(request, serial, &client)
    case .notified(let notification):
      // There is no answer to this call: the cancelled request gets the error.
      guard let cancel = notification as? CancelRequestNotification, let target = self.target(cancel.id, of: client.id)
      else { return nil }
      return .report(.called(CallID(client: target.client, serial: 0), .cancelRequest(target)))
    case .answered(let request, let result):
      guard let prompt = self.prompts.answered(request) else { return nil }
      let answer: PromptAnswer? = if case .success(let value as PromptAnswer) = result { value } else { nil }
      return .report(.promptAnswered(prompt, by: client.id, answer))
    case .unexpectedResponse: return .logUnaskedAnswer
    case .send(let bytes):
      client.queue.append(bytes)
      return nil
    case .sendSensitive(let reply):
      client.queue.append(.reply(reply))
      return nil
    case .close: return .close
    }
  }

  private func perform(_ actions: [ServerSession.Action], _ client: inout ServedClient) -> [SpokenAction] {
    var others: [SpokenAction] = []
    for action in actions { if let other = self.perform(action, &client) { others.append(other) } }
    return others
  }

  /// The client's open request with this id.
  private func target(_ id: RequestID, of client: ClientID) -> CallID? {
    self.session.serial(of: id).map { CallID(client: client, serial: $0) }
  }

  // MARK: Requests

  private func serve(_ request: any RequestType, _ serial: UInt64, _ client: inout ServedClient)
    -> SpokenAction?
  {
    guard let id = self.session.id(of: serial) else { preconditionFailure("a request is served after its answer") }
    let open = OpenRequest(id: id, handler: client.server.handlers.handler(of: request))
    let call = CallID(client: client.id, serial: serial)
    do throws(RPCError) {
      switch try open.handler.step() {
      case .reply(let reply): return self.reply(serial, reply, &client)
      case .call(let what):
        self.requests[serial] = open
        return .report(.called(call, what))
      case .about(let target, let make, let unknown):
        guard let target = self.target(target, of: client.id) else {
          return self.reply(serial, .success(unknown), &client)
        }
        self.requests[serial] = open
        return .report(.called(call, make(target)))
      case .introduction(let name, let purpose, let what):
        self.requests[serial] = open
        return .introduce(name: name, purpose: purpose, call, what)
      case .relaying(let user, let name, let purpose, let what):
        // A session numbers its requests from 1.
        try Self.checkRelay(client, isFirst: serial == 1)
        self.requests[serial] = open
        self.relayed = RelayedRequest(call: call, name: name, purpose: purpose, what: what)
        return .handOver(to: user)
      case .naming(let user, let needsName, let make):
        // Others are denied before the lookup.
        if let failure = client.server.denial(call, .administrator) { throw RPCError(failure, at: client.moment) }
        self.requests[serial] = open
        let resolution = UserResolution(user, needsName: needsName)
        self.namings.append(NamingRequest(call: call, resolution: resolution, make: make))
        return self.namings.count == 1 ? self.follow(resolution.begin(), &client).first : nil
      }
    } catch {
      return self.reply(serial, .failure(error), &client)
    }
  }

  /// Answers a request; what else is to happen is at most that the connection closes.
  private func reply(_ serial: UInt64, _ reply: Result<ResultText, RPCError>, _ client: inout ServedClient)
    -> SpokenAction?
  {
    self.requests[serial] = nil
    return self.perform(self.session.answer(serial, reply), &client).first
  }

  // MARK: Requests that name a user

  func lookedUp(_ query: AccountQuery, _ lookup: AccountLookup<Account>?, _ client: inout ServedClient)
    -> [SpokenAction]
  {
    guard let naming = self.namings.first else { return [] }
    guard let lookup else { return self.follow(.failed(.unknownUsers), &client) }
    return self.follow(naming.resolution.answered(query, lookup), &client)
  }

  /// Continues with the first of these requests, and with the next ones until one waits for a lookup. One that was
  /// cancelled meanwhile is skipped.
  private func follow(_ step: UserResolution.Step, _ client: inout ServedClient) -> [SpokenAction] {
    var (step, actions) = (step, [SpokenAction]())
    while let naming = self.namings.first {
      if self.requests[naming.call.serial] != nil {
        switch step {
        case .ask(let query): return actions + [.lookUp(query)]
        case .found(let uid, let name): actions.append(.report(.called(naming.call, naming.make(uid, name))))
        case .failed(let error):
          if let close = self.reply(naming.call.serial, .failure(error), &client) { actions.append(close) }
        }
      }
      self.namings.popFirst()
      if let next = self.namings.first { step = next.resolution.begin() }
    }
    return actions
  }

  // MARK: Relays

  /// Relays are clients that a rule trusts to say for which user they ask, because they serve programs of many users. From
  /// its first request on, such a connection is that user's in everything: permission, prompts, limits and turns. So
  /// whatever comes after this knows no relays.
  private static func checkRelay(_ client: ServedClient, isFirst: Bool) throws(RPCError) {
    guard client.server.access?(client.principal).isRelay == true else {
      throw .restricted(
        "speaking for another user",
        remedy: "an administrator sets relay=yes in the rule for this client in positiond.conf, "
          + "then systemctl reload positiond", rule: nil)
    }
    guard isFirst else {
      throw .invalidParameter(
        path: "onBehalfOf", found: "in a later request", expected: "only in the first request of a connection")
    }
  }

  func handedOver(_ error: RPCError?, _ client: inout ServedClient) -> [SpokenAction] {
    guard let request = self.relayed else { return [] }
    self.relayed = nil
    guard let error else {
      return [.introduce(name: request.name, purpose: request.purpose, request.call, request.what)]
    }
    return self.reply(request.call.serial, .failure(error), &client).map { [$0] } ?? []
  }

  // MARK: From the broker

  /// An answer that reveals more than the client may know becomes the denial.
  func answered(_ call: CallID, _ answer: Answer, _ client: inout ServedClient) -> [SpokenAction] {
    guard let request = self.requests.removeValue(forKey: call.serial) else { return [] }
    self.stay()
    let moment = client.moment
    var (sensitivity, unwritten) = (answer.sensitivity, JSONWriter.NoJSON?.none)
    let message: [UInt8]
    if client.limit.allows(sensitivity) {
      let context = AnswerContext(
        moment: moment, daemon: client.server.daemon, principal: client.principal, requests: self.requests,
        texts: client.server.texts)
      do throws(JSONWriter.NoJSON) {
        message = try request.handler.message(answering: request.id, with: answer, in: context)
      } catch {
        // Each request must get an answer.
        message = OutgoingMessage.error(id: request.id, .internalError("the result cannot be written"))
        unwritten = error
      }
    } else {
      message = OutgoingMessage.error(id: request.id, RPCError(client.limit.denial, at: moment))
      sensitivity = .open
    }
    let actions = self.perform(
      self.session.answer(call.serial, with: message, sensitivity: sensitivity.rawValue), &client)
    return unwritten.map { [.logUnwritten($0)] + actions } ?? actions
  }

  func notified(_ notification: Notification, _ client: inout ServedClient) -> [SpokenAction] {
    self.stay()
    let sensitivity = notification.sensitivity
    guard client.limit.allows(sensitivity) else { return [] }
    let (moment, framing) = (client.moment, self.session.framing)
    do throws(JSONWriter.NoJSON) {
      let bytes = framing.frame(try client.server.texts.text(of: notification, at: moment))
      if let (message, subscription) = notification.supersedable {
        let update = SupersedableUpdate(
          notification: message, subscription: subscription, framing: framing, moment: moment)
        client.queue.append(.update(update, sensitivity), encoded: bytes)
      } else if sensitivity == .open {
        client.queue.append(bytes)
      } else {
        client.queue.append(.notification(encoded: bytes, sensitivity), encoded: bytes)
      }
      return []
    } catch {
      return [.logUnwritten(error)]
    }
  }

  func limitChanged(denial: RPCError, _ client: inout ServedClient) -> [SpokenAction] {
    self.session.withhold(above: client.limit.level, denial)
    return []
  }

  /// A half-closed connection stays open until the end of the turn, whatever the turn has ended, so that it gets all of
  /// the turn's notifications.
  private func stay() { if self.session.isHalfClosed { _ = self.session.subscriptionsChanged(to: 1) } }

  /// A half-closed connection ends where nothing is left that may still notify its client.
  func turnEnded(_ client: inout ServedClient) -> [SpokenAction] {
    guard self.session.isHalfClosed else { return [] }
    let holdings = client.server.holdings(client.id)
    return self.perform(self.session.subscriptionsChanged(to: holdings), &client)
  }

  // MARK: Prompts

  func ask(_ prompt: Prompt, _ client: inout ServedClient) -> [SpokenAction] {
    guard !self.prompts.isFull, let request = self.session.ask(AgentAuthorizeRequest(prompt.question)) else {
      return [.report(.promptAnswered(prompt.id, by: client.id, nil))]
    }
    self.prompts.asked(prompt.id, as: request.id)
    client.queue.append(request.bytes)
    return []
  }

  /// A late answer is ignored.
  func withdraw(_ prompt: PromptID, _ client: inout ServedClient) -> [SpokenAction] {
    guard let request = self.prompts.withdrawn(prompt) else { return [] }
    self.session.forget(request)
    client.queue.append(self.session.encode(CancelRequestNotification(id: request)))
    return []
  }

  func farewell(_ reason: ClosingReason) -> [UInt8]? { self.session.encode(SessionClosingNotification(reason: reason)) }
}

/// The prompts that one agent was sent and has not answered.
private struct OpenPrompts {
  /// The most open prompts of one agent; further ones do not go to it. One principal has one prompt at a time, so a
  /// person can be asked for at most this many principals at once.
  static let maximum = 64

  private var prompts: [RequestID: PromptID] = [:]
  private var requests: [PromptID: RequestID] = [:]

  var isFull: Bool { self.prompts.count >= Self.maximum }

  mutating func asked(_ prompt: PromptID, as request: RequestID) {
    self.prompts[request] = prompt
    self.requests[prompt] = request
  }

  /// The prompt of the request; `nil` if it was no prompt, or is answered or withdrawn already.
  mutating func answered(_ request: RequestID) -> PromptID? {
    guard let prompt = self.prompts.removeValue(forKey: request) else { return nil }
    self.requests[prompt] = nil
    return prompt
  }

  /// The request of the prompt; `nil` if it is not open.
  mutating func withdrawn(_ prompt: PromptID) -> RequestID? {
    guard let request = self.requests.removeValue(forKey: prompt) else { return nil }
    self.prompts[request] = nil
    return request
  }
}
