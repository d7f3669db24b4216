package import EventLoop
package import JSONRPC
import PositionProtocol
package import Positioning

/// The open requests and subscriptions of a client, and the link that carries both.
///
/// It belongs to the loop's thread. Each request and subscription has a ticket, in the order in which they were made;
/// when the link is up again, they are made again in that order. While nothing is open the link does not reconnect: an
/// idle client does not wake an idle daemon.
///
/// `@unchecked Sendable`: only the loop's thread calls it, which the loop's timers and watches assert.
package final class RequestMultiplexer: @unchecked Sendable {
  package let loop: EventLoop
  private let link: DaemonLink
  private var timer: LoopTimer?
  private var lastTicket = 0
  private var requests: [Int: OpenRequest] = [:]
  var subscribers: [Int: any LiveSubscriber] = [:]
  /// Which subscription receives which notifications, on the present connection.
  var recipients: [Recipient: Int] = [:]
  /// Subscriptions that wait until permission is granted again, on the present connection.
  var suspended: Set<Int> = []
  /// The daemon's requests that are not answered yet, on the present connection.
  var questions: [RequestID: PromptQuestion] = [:]
  /// Called with notifications for the whole connection, in addition to the subscriptions.
  package var onAnnouncement: ((any AnnouncedNotification) -> Void)?
  /// Why there is no connection.
  package private(set) var connectionError = PositionError.connectionLost(reason: "there is none")
  private(set) var isClosed = false

  /// Uses the loop only once it begins, so that it can be created on any thread.
  ///
  /// - Parameters:
  ///   - onBehalfOf: The user for whom it asks, by a rule with `relay=yes`; `nil`: its own.
  ///   - clock: The clock for ages and times; `nil`: the loop's.
  package init(
    on loop: EventLoop, path: String, name: String?, purpose: String?, onBehalfOf: UInt32? = nil,
    clock: CodingMoment.Clock? = nil
  ) {
    self.loop = loop
    self.link = DaemonLink(
      on: loop, path: path, name: name, purpose: purpose, onBehalfOf: onBehalfOf, clock: clock)
  }

  package func begin() throws(SystemError) {
    try self.link.begin()
    self.timer = try self.loop.timer(accuracy: .milliseconds(1)) { [unowned self] in self.deadlineReached() }
    self.link.onConnected = { [unowned self] in self.established() }
    self.link.onFailed = { [unowned self] in self.failed($0) }
    self.link.onLost = { [unowned self] in self.lost($0) }
    self.link.onNotification = { [unowned self] in self.notified($0) }
    self.link.onQuestion = { [unowned self] in self.asked($0, $1) }
    self.link.onWithdrawal = { [unowned self] in self.withdrawn($0) }
  }

  var connection: DaemonConnection? { self.link.connection }

  /// Ends everything: requests fail with `.closed`, sequences end.
  package func close() {
    self.isClosed = true
    self.timer = nil
    self.link.close()
    self.finishAll(.closed, subscribers: nil)
  }

  /// What tickets stand for, in the order in which they were made.
  private func inOrder<Ticketed>(_ open: [Int: Ticketed]) -> [(key: Int, value: Ticketed)] {
    open.sorted { $0.key < $1.key }
  }

  package func makeTicket() -> Int {
    self.lastTicket += 1
    return self.lastTicket
  }

  // MARK: Requests

  /// Sends a request as soon as the link is up; the handler is called exactly once.
  ///
  /// - Parameter send: Sends the request; called again for each connection on which it is repeated.
  package func ask<Value: Sendable>(
    ticket: Int, whileDown: OpenRequest.WhileDown,
    send: @escaping (DaemonConnection, @escaping DaemonConnection.AnswerHandler<Value>) -> RequestID?,
    then handler: @escaping DaemonConnection.AnswerHandler<Value>
  ) {
    guard !self.isClosed else { return handler(.failure(.closed)) }
    self.requests[ticket] = OpenRequest(
      whileDown: whileDown,
      send: { [unowned self] connection in
        send(connection) { [unowned self, unowned connection] result in
          if case .failure(let error) = result, self.postpones(ticket, error, on: connection) { return }
          self.requests[ticket] = nil
          handler(result)
        }
      }, fail: { handler(.failure($0)) })
    if self.connection != nil { self.send(ticket) } else { self.seek() }
  }

  /// Cancels a request; its handler is called with `.cancelled`. One that was answered is not affected.
  func cancel(ticket: Int) {
    guard let request = self.requests[ticket] else { return }
    if let id = request.id {
      self.connection?.cancel(id)
    } else {
      self.requests[ticket] = nil
      request.fail(.cancelled)
      self.rearm()
    }
  }

  private func send(_ ticket: Int) {
    guard let request = self.requests[ticket], request.id == nil, let connection = self.connection,
      !connection.hasEnded
    else { return }
    let id = request.send(connection)
    self.requests[ticket]?.id = id
  }

  /// Whether a request that failed waits for the next connection instead.
  private func postpones(_ ticket: Int, _ error: PositionError, on connection: DaemonConnection) -> Bool {
    guard
      !self.isClosed, !error.isFinal, connection.hasEnded || error.isShuttingDown,
      let request = self.requests[ticket], case .wait = request.whileDown
    else { return false }
    self.requests[ticket]?.id = nil
    self.connectionError = error
    self.rearm()
    return true
  }

  // MARK: The link

  private var isNeeded: Bool { !self.requests.isEmpty || !self.subscribers.isEmpty }

  /// Tries to connect now, because a request has no connection.
  func seek() {
    self.link.connect()
    self.rearm()
  }

  private func established() {
    for ticket in (Array(self.requests.keys) + Array(self.subscribers.keys)).sorted() {
      self.send(ticket)
      self.subscribe(ticket)
    }
    self.rearm()
  }

  private func failed(_ error: PositionError) {
    self.connectionError = error
    if error.isFinal { return self.finishAll(error, subscribers: error) }
    for (ticket, request) in self.inOrder(self.requests) where request.whileDown == .fail {
      self.requests[ticket] = nil
      request.fail(error)
    }
    self.notifyDisconnected()
    self.rearm()
  }

  private func lost(_ error: PositionError) {
    self.connectionError = error
    self.recipients = [:]
    self.suspended = []
    self.dropQuestions()
    if error.isFinal { return self.finishAll(error, subscribers: error) }
    self.notifyDisconnected()
    self.rearm()
  }

  private func notifyDisconnected() {
    for (_, subscriber) in self.inOrder(self.subscribers) { subscriber.disconnected() }
  }

  private func finishAll(_ error: PositionError, subscribers ending: PositionError?) {
    let (requests, subscribers) = (self.requests, self.subscribers)
    (self.requests, self.subscribers, self.recipients, self.suspended) = ([:], [:], [:], [])
    self.dropQuestions()
    for (_, request) in self.inOrder(requests) { request.fail(error) }
    for (_, subscriber) in self.inOrder(subscribers) { subscriber.finish(ending) }
    self.rearm()
  }

  // MARK: Time

  /// Arms the timer for the next attempt or deadline, while there is no connection.
  func rearm() {
    guard !self.isClosed else { return }
    self.timer?.disarm()
    guard self.connection == nil || self.requests.values.contains(where: { $0.id == nil }) else { return }
    guard self.isNeeded else { return self.link.rest() }
    self.link.connectInTime()
    let deadlines = self.requests.values.compactMap(\.deadline) + self.subscribers.values.compactMap(\.expiry)
    if let next = deadlines.min() { self.timer?.arm(at: next) }
  }

  private func deadlineReached() {
    let now = self.loop.now
    for (ticket, request) in self.inOrder(self.requests) {
      guard let deadline = request.deadline, deadline <= now else { continue }
      self.requests[ticket] = nil
      request.fail(self.connectionError)
    }
    for (ticket, subscriber) in self.inOrder(self.subscribers) {
      guard let expiry = subscriber.expiry, expiry <= now else { continue }
      self.subscribers[ticket] = nil
      subscriber.finish(nil)
    }
    self.rearm()
  }
}

/// A request from when it is made until it is answered, over as many connections as necessary.
package struct OpenRequest {
  /// What happens to the request while there is no connection.
  package enum WhileDown: Hashable, Sendable {
    /// It may have had its effect, so it is not repeated: it fails with the connection.
    case fail
    /// It only reads, so it waits and is repeated; until this moment, if there is one.
    case wait(until: Instant?)
  }

  let whileDown: WhileDown
  /// Sends the request and returns its id on the connection; `nil` if it was answered at once.
  let send: (DaemonConnection) -> RequestID?
  let fail: (PositionError) -> Void
  /// Its id on the connection, while it waits for the answer.
  var id: RequestID?

  /// When the request's time is over; only for one that waits for a connection.
  var deadline: Instant? {
    if self.id == nil, case .wait(let moment) = self.whileDown { moment } else { nil }
  }
}

extension PositionError {
  /// Whether the daemon stops: the request can be repeated with the next one.
  var isShuttingDown: Bool { self.rpcError?.code == .shuttingDown }

  /// Whether another connection would not help, because the peer does not speak this client's protocol.
  var isFinal: Bool {
    if case .unexpected = self { true } else { false }
  }
}

/// Subscriptions: made, made again on each new connection, and ended.
extension RequestMultiplexer {
  /// Adds a subscription, which is made as soon as the link stands.
  package func add(_ subscriber: any LiveSubscriber, ticket: Int) {
    guard !self.isClosed else { return subscriber.finish(.closed) }
    self.subscribers[ticket] = subscriber
    if self.connection != nil { self.subscribe(ticket) } else { self.seek() }
  }

  /// Nobody waits for the subscription's updates any more.
  func unsubscribe(ticket: Int) {
    guard let subscriber = self.subscribers.removeValue(forKey: ticket) else { return }
    self.suspended.remove(ticket)
    self.leaveQuestions(of: ticket)
    self.cancel(subscriber)
    self.rearm()
  }

  /// There are commands for the subscription. They wait until it is established.
  func sendCommands(ticket: Int) {
    guard let subscriber = self.subscribers[ticket], let connection = self.connection, !connection.hasEnded else {
      return
    }
    subscriber.sendCommands(on: connection, now: self.loop.now) { [unowned self, unowned connection] error in
      self.subscribed(ticket, subscriber, error, on: connection)
    }
    let living = Set(subscriber.recipients)
    self.recipients = self.recipients.filter { $0.value != ticket || living.contains($0.key) }
  }

  /// Makes the subscription on the present connection, for the remaining updates.
  func subscribe(_ ticket: Int) {
    guard let subscriber = self.subscribers[ticket], let connection = self.connection, !connection.hasEnded else {
      return
    }
    let isAsked = subscriber.subscribe(on: connection, now: self.loop.now) { [unowned self, unowned connection] error in
      self.subscribed(ticket, subscriber, error, on: connection)
    }
    if !isAsked {
      self.subscribers[ticket] = nil
      subscriber.finish(nil)
    }
  }

  /// Called before anything else is read, because the first update may follow the answer directly.
  private func subscribed(
    _ ticket: Int, _ subscriber: any LiveSubscriber, _ error: PositionError?, on connection: DaemonConnection
  ) {
    // The program left it before its answer arrived; without cancelling, the subscription would keep the receiver on.
    guard self.subscribers[ticket] != nil else { return self.cancel(subscriber) }
    if let error {
      // It is made again on the next connection.
      if connection.hasEnded || error.isShuttingDown { return }
      if case .notPermitted = error, subscriber.suspended() {
        self.suspended.insert(ticket)
        return
      }
      self.subscribers[ticket] = nil
      subscriber.finish(error)
      self.cancel(subscriber)
    } else {
      for recipient in subscriber.recipients { self.enter(recipient, ticket: ticket) }
    }
  }

  /// From now on the recipient's notifications go to this subscription.
  private func enter(_ recipient: Recipient, ticket: Int) {
    let older = self.recipients.updateValue(ticket, forKey: recipient)
    // Only one loop receives a durable name's events. To the daemon both loops are one client, so it does not notify
    // the older one that it was replaced.
    guard case .durable = recipient, let older, older != ticket else { return }
    self.subscribers.removeValue(forKey: older)?.end(.replaced)
  }

  /// Ends it on the daemon, if it is established there.
  private func cancel(_ subscriber: any LiveSubscriber) {
    for recipient in subscriber.recipients { self.recipients[recipient] = nil }
    // An error means that the subscription is gone already, as desired.
    if let connection = self.connection { subscriber.cancel(on: connection) }
  }

  func notified(_ notification: any NotificationType) {
    switch notification {
    case let end as SubscriptionEndedNotification: self.ended(end)
    case let announcement as any AnnouncedNotification: self.announced(announcement)
    case let notification as any AddressedNotification:
      guard let recipient = notification.recipient, let ticket = self.recipients[recipient],
        let subscriber = self.subscribers[ticket]
      else { return }
      if subscriber.deliver(notification) {
        self.subscribers[ticket] = nil
        subscriber.finish(nil)
        self.cancel(subscriber)
      }
    default: break  // A notification for the whole connection, or one of a later daemon.
    }
  }

  private func announced(_ announcement: any AnnouncedNotification) {
    self.onAnnouncement?(announcement)
    for (_, subscriber) in self.inOrder(self.subscribers) { subscriber.heard(announcement) }
    guard announcement is AuthorizationChangedNotification else { return }
    let waiting = self.suspended.sorted()
    self.suspended = []
    for ticket in waiting { self.subscribe(ticket) }
  }

  private func ended(_ end: SubscriptionEndedNotification) {
    guard let recipient = end.recipient, let ticket = self.recipients.removeValue(forKey: recipient) else { return }
    self.subscribers.removeValue(forKey: ticket)?.end(end.reason)
  }
}

extension PositionError {
  /// `nil` if the subscription did not fail.
  init?(_ reason: EndReason) {
    guard reason == .unavailable else { return nil }
    self = .failed(RPCError(code: .unavailable, message: "this device cannot serve the subscription"))
  }
}

/// Requests of the daemon: each goes to the loop that answers its kind, and is answered once.
extension RequestMultiplexer {
  /// The daemon has no more than this many prompts open with one agent.
  static let maximumQuestions = 64

  func asked(_ id: RequestID, _ request: any RequestType) {
    if let request = request as? AgentAuthorizeRequest {
      guard self.questions.count < Self.maximumQuestions else {
        let error = RPCError(code: .limitExceeded, message: "this agent has \(Self.maximumQuestions) open questions")
        self.connection?.answer(id, .failure(error))
        return
      }
      // The oldest loop answers; to the daemon all of them are one agent.
      for (ticket, subscriber) in self.inOrder(self.subscribers) {
        let question = PromptQuestion(id: id, ticket: ticket, prompt: request.prompt)
        // Stored first, because the loop may answer at once.
        self.questions[id] = question
        if subscriber.takes(question) { return }
        self.questions[id] = nil
      }
    }
    // Nobody answers this kind any more: with the error the daemon asks another agent at once.
    self.connection?.answer(id, .failure(.methodNotFound(type(of: request).method)))
  }

  /// Answers a prompt; one that is not open any more is ignored.
  package func answer(_ question: PromptQuestion, _ result: Result<PromptAnswer, RPCError>) {
    guard self.questions[question.id] === question else { return }
    self.questions[question.id] = nil
    self.connection?.answer(question.id, result.map { AgentAuthorizeRequest.finite($0) })
  }

  /// The daemon needs no answer any more.
  func withdrawn(_ id: RequestID) {
    if let question = self.questions.removeValue(forKey: id) { self.withdraw(question) }
  }

  /// The loop that would answer these has been left.
  func leaveQuestions(of ticket: Int) {
    for (_, question) in self.questions where question.ticket == ticket {
      self.answer(question, .failure(.requestCancelled))
      question.withdraw()
    }
  }

  /// The connection is lost, so nobody waits for the answers.
  func dropQuestions() {
    let questions = self.questions
    self.questions = [:]
    for question in questions.values { self.withdraw(question) }
  }

  private func withdraw(_ question: PromptQuestion) {
    question.withdraw()
    self.subscribers[question.ticket]?.withdrawn(question)
  }
}
