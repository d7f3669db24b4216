import JSONRPC
import PositionProtocol
package import Positioning

/// A subscription of any kind that a program iterates. It belongs to the loop's thread.
package protocol LiveSubscriber: AnyObject {
  /// The addresses of its notifications, while it is established.
  var recipients: [Recipient] { get }
  /// When it ends by itself, if it is not established and this is known.
  var expiry: Instant? { get }

  /// Requests the remaining updates; the handler is called with the error if the daemon denies it.
  ///
  /// - Returns: Whether anything is left to request.
  func subscribe(
    on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void
  ) -> Bool
  /// Sends new commands of its holder; the handler is called for each new request.
  func sendCommands(on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void)
  /// The connection is lost.
  func disconnected()
  /// The daemon denies it for lack of permission. Returns whether it waits until permission is granted again.
  func suspended() -> Bool
  /// A notification for the connection as a whole arrived.
  func heard(_ notification: any AnnouncedNotification)
  /// Whether it takes the prompt, and will answer it.
  func takes(_ question: PromptQuestion) -> Bool
  /// A prompt that it took needs no answer any more.
  func withdrawn(_ question: PromptQuestion)
  /// Delivers a notification; returns whether it was the last that was requested.
  func deliver(_ notification: any AddressedNotification) -> Bool
  /// The daemon has ended the subscription.
  func end(_ reason: EndReason)
  /// Nothing more follows, because of the error if there is one.
  func finish(_ error: PositionError?)
  /// Ends it on the daemon, if it is established there. An error means that it has ended already, as desired.
  func cancel(on connection: DaemonConnection)
}

/// Most kinds do nothing in these.
extension LiveSubscriber {
  package func suspended() -> Bool { false }
  package func heard(_ notification: any AnnouncedNotification) {}
  package func takes(_ question: PromptQuestion) -> Bool { false }
  package func withdrawn(_ question: PromptQuestion) {}
}

/// A subscription whose updates go to a sink.
final class Subscriber<Update: SubscriptionUpdate>: LiveSubscriber {
  private var recipient: Recipient?
  private let request: Update.Request
  private let sink: UpdateSink<Update>
  private let commands: CommandQueue?
  private var past = DeliveryProgress()
  private var notified = NotifiedState.connected
  /// Whether its holder was notified that it is established.
  private var hasBegun = false

  init(_ request: Update.Request, to sink: UpdateSink<Update>, commands: CommandQueue? = nil) {
    self.request = request
    self.sink = sink
    self.commands = commands
  }

  deinit {
    self.commands?.leave()
  }

  var recipients: [Recipient] { self.recipient.map { [$0] } ?? [] }

  var expiry: Instant? {
    guard self.recipient == nil, let begun = self.past.begun else { return nil }
    return self.request.lifetime.map { begun + $0 }
  }

  // MARK: The daemon

  func subscribe(
    on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void
  ) -> Bool {
    guard let request = self.past.begun == nil ? self.request : self.request.remaining(after: self.past, now: now)
    else { return false }
    connection.request(request) { [weak self, unowned connection] result in
      switch result {
      case .success(let answer):
        guard let self else { return handler(nil) }
        self.recipient = self.request.recipient(answer)
        self.past.established(now: now, lastEvent: self.request.lastEvent(answer))
        self.settle(answer, on: connection, then: handler)
      case .failure(let error): handler(error)
      }
    }
    return true
  }

  /// Brings a new subscription to the state that its holder requested. Updates before it is paused are not delivered.
  private func settle(
    _ answer: Update.Request.Result, on connection: DaemonConnection, then handler: @escaping (PositionError?) -> Void
  ) {
    guard let command = self.commands?.takeLasting(), let number = self.number else {
      self.established(answer)
      return handler(nil)
    }
    if command == .acquire {
      self.established(answer)
      handler(nil)
      return connection.send(number, command) { _ in }
    }
    connection.send(number, command) { [weak self] result in
      switch result {
      case .success(let paused):
        self?.established(paused as? Update.Request.Result ?? answer)
        handler(nil)
      case .failure(let error): handler(error)
      }
    }
  }

  private func established(_ answer: Update.Request.Result) {
    if self.notified.becomes(.connected) {
      self.sink.put(.reconnected(answer), .reconnection)
    } else if !self.hasBegun, let update = Update.began(answer) {
      self.sink.put(update, .delivery)
    }
    self.hasBegun = true
  }

  func sendCommands(on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void) {
    // A subscription that is not established yet gets the commands when it is.
    guard let number = self.number, let commands else { return }
    for command in commands.takeCommands() { connection.send(number, command) { _ in } }
  }

  func cancel(on connection: DaemonConnection) {
    guard let recipient = self.recipient.take(), let cancellation = self.request.cancellation(recipient) else { return }
    connection.request(cancellation) { _ in }
  }

  private var number: Int? {
    if case .subscription(let number)? = self.recipient { number } else { nil }
  }

  // MARK: The sink

  func disconnected() {
    self.recipient = nil
    if self.notified.becomes(.disconnected) { self.sink.put(.disconnected, .disconnection) }
  }

  /// A subscription that was never established fails; an established one continues when permission is granted again.
  func suspended() -> Bool {
    guard self.past.begun != nil else { return false }
    if self.notified.becomes(.suspended) { self.sink.put(.suspended, .reconnection) }
    return true
  }

  /// What waits for the program and may not be known any more is removed before anything else comes.
  func heard(_ notification: any AnnouncedNotification) {
    guard let change = notification as? AuthorizationChangedNotification else { return }
    self.sink.withhold { change.authorization.withholds($0.reveals) }
  }

  func deliver(_ notification: any AddressedNotification) -> Bool {
    guard let update = Update(notification), !self.past.has(update) else { return false }
    self.past.delivered(update)
    self.sink.put(update, .delivery)
    // A subscription whose request was never shortened is ended by the daemon itself.
    return self.past.isRemade && self.request.isComplete(after: self.past)
  }

  func end(_ reason: EndReason) {
    if let update = Update.ended(reason) { self.sink.put(update, .delivery) }
    self.sink.finish(PositionError(reason))
  }

  func finish(_ error: PositionError?) {
    self.sink.finish(error)
  }
}

/// What a subscription has delivered so far, over all its connections.
package struct DeliveryProgress: Hashable, Sendable {
  /// Updates with a fix, including those that were dropped unread.
  private(set) var updates = 0
  /// The arrival of the newest fix at the daemon.
  private(set) var newest: Instant?
  /// The number of the newest event, for events that have numbers.
  private(set) var newestEvent = 0
  /// When the subscription was first established.
  private(set) var begun: Instant?
  /// Whether it was made again after a lost connection.
  private(set) var isRemade = false

  /// - Parameter lastEvent: The newest event's number at the daemon, for events that have numbers.
  mutating func established(now: Instant, lastEvent: Int? = nil) {
    if self.begun == nil { self.begun = now } else { self.isRemade = true }
    // Numbers only rise, unless the daemon has lost its store and starts again.
    if let lastEvent, lastEvent < self.newestEvent { self.newestEvent = 0 }
  }

  /// Whether an update was delivered before.
  func has(_ update: some SubscriptionUpdate) -> Bool {
    if let event = update.eventID { return event <= self.newestEvent }
    guard self.isRemade, update.isReplay, let arrival = update.arrival, let newest = self.newest else { return false }
    return arrival <= newest
  }

  mutating func delivered(_ update: some SubscriptionUpdate) {
    if let event = update.eventID { self.newestEvent = event }
    guard let arrival = update.arrival else { return }
    self.updates = self.updates.plus(update.deliveries)
    self.newest = max(arrival, self.newest ?? arrival)
  }
}

/// The state of the subscription that the program was notified of last, so that no state is repeated.
enum NotifiedState: Hashable, Sendable {
  case connected
  case disconnected
  /// The daemon denies it until permission is granted again.
  case suspended

  /// Whether the state is new.
  mutating func becomes(_ other: Self) -> Bool {
    defer { self = other }
    return self != other
  }
}
