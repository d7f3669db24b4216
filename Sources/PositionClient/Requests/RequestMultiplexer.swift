package import EventLoop
package import JSONRPC
import PositionProtocol
import Positioning

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
  ///   - clock: The clock for ages and times.
  package init(
    on loop: EventLoop, path: String, name: String?, purpose: String?, onBehalfOf: UInt32? = nil,
    clock: @escaping CodingMoment.Clock = { .current }
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

  package func makeTicket() -> Int {
    self.lastTicket += 1
    return self.lastTicket
  }

  // MARK: Requests

  /// Sends a request as soon as the link is up; the handler is called exactly once.
  ///
  /// - Parameter send: Sends the request; called again for each connection on which it is repeated.
  package func ask<Value: Sendable>(
    ticket: Int, patience: OpenRequest.Patience,
    send: @escaping (DaemonConnection, @escaping DaemonConnection.AnswerHandler<Value>) -> RequestID?,
    then handler: @escaping DaemonConnection.AnswerHandler<Value>
  ) {
    guard !self.isClosed else { return handler(.failure(.closed)) }
    self.requests[ticket] = OpenRequest(
      patience: patience,
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
      let request = self.requests[ticket], case .until = request.patience
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
    for (ticket, request) in self.requests where request.patience == .none {
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
    for subscriber in self.subscribers.values { subscriber.disconnected() }
  }

  private func finishAll(_ error: PositionError, subscribers ending: PositionError?) {
    let (requests, subscribers) = (self.requests, self.subscribers)
    (self.requests, self.subscribers, self.recipients, self.suspended) = ([:], [:], [:], [])
    self.dropQuestions()
    for (_, request) in requests.sorted(by: { $0.key < $1.key }) { request.fail(error) }
    for subscriber in subscribers.values { subscriber.finish(ending) }
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
    for (ticket, request) in self.requests {
      guard let deadline = request.deadline, deadline <= now else { continue }
      self.requests[ticket] = nil
      request.fail(self.connectionError)
    }
    for (ticket, subscriber) in self.subscribers {
      guard let expiry = subscriber.expiry, expiry <= now else { continue }
      self.subscribers[ticket] = nil
      subscriber.finish(nil)
    }
    self.rearm()
  }
}
