import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import Printable

/// A command's conversation with the daemon, from its first request until `finish`.
///
/// Requests fail with the connection. Subscriptions go on over lost connections, as in the Swift library, whose code this
/// uses: it reconnects and subscribes again.
final class Conversation {
  let context: CommandContext
  /// Called before the command ends, however it ends: to clear a line that was drawn.
  var onFinish: (() -> Void)?
  /// Called when the user ends the command by a signal, with the shell's exit code for it; `nil` finishes with that.
  var onSignal: ((ExitCode) -> Void)?
  /// Called with what the daemon announces for the whole connection; `nil` reports that a person is asked.
  var onAnnouncement: ((any AnnouncedNotification) -> Void)?
  /// The exit code, once it is known.
  private(set) var outcome: ExitCode?
  /// Whether a person was asked for this command.
  private(set) var hasPrompted = false
  private let multiplexer: RequestMultiplexer
  private var outage = OutageReport()

  init(context: CommandContext, purpose: String) {
    self.context = context
    self.multiplexer = RequestMultiplexer(
      on: context.loop, path: context.socket, name: "positionctl", purpose: purpose,
      clock: context.process.clock)
  }

  var loop: EventLoop { self.context.loop }

  var isFinished: Bool { self.outcome != nil }

  /// Why there is no connection.
  var connectionError: PositionError { self.multiplexer.connectionError }

  /// Connects, and begins once the daemon has answered; a failure ends the command.
  ///
  /// - Parameter waits: Whether it begins at once, for a command that waits for a daemon that is not there.
  func begin(waits: Bool = false, _ body: @escaping () -> Void) {
    self.multiplexer.onAnnouncement = { [unowned self] in self.announced($0) }
    do throws(SystemError) {
      try self.multiplexer.begin()
    } catch {
      self.finish(.failure)
      return self.context.report("\(error)")
    }
    guard !waits else { return body() }
    self.send { (_: DaemonConnection, handler: @escaping DaemonConnection.AnswerHandler<Void>) in
      handler(.success(()))
      return nil
    } then: { [unowned self] result in
      switch result {
      case .success: body()
      case .failure(let error): self.fail(error)
      }
    }
  }

  // MARK: Asking

  /// Sends a request.
  ///
  /// - Parameter time: How long it is sent again on another connection if the connection is lost; zero: it is sent once.
  func request<Request: RequestType>(
    _ request: Request, within time: Duration = .zero,
    then handler: @escaping (Result<Request.Result, PositionError>) -> Void
  ) {
    self.send(within: time, { $0.request(request, then: $1) }, then: handler)
  }

  /// Sends a request whose failure ends the command.
  func ask<Request: RequestType>(
    _ request: Request, within time: Duration = .zero, then handler: @escaping (Request.Result) -> Void
  ) {
    self.request(request, within: time) { [unowned self] result in
      switch result {
      case .success(let value): handler(value)
      case .failure(let error): self.fail(error)
      }
    }
  }

  /// Sends a request once, by its method's name.
  func call(
    method: String, params: JSONValue, then handler: @escaping (Result<JSONValue, PositionError>) -> Void
  ) {
    self.send({ $0.call(method: method, params: params, then: $1) }, then: handler)
  }

  private func send<Value: Sendable>(
    within time: Duration = .zero,
    _ send: @escaping (DaemonConnection, @escaping DaemonConnection.AnswerHandler<Value>) -> RequestID?,
    then handler: @escaping (Result<Value, PositionError>) -> Void
  ) {
    self.multiplexer.ask(
      ticket: self.multiplexer.makeTicket(),
      whileDown: time == .zero ? .fail : .wait(until: self.loop.now + time), send: send, then: handler)
  }

  // MARK: Following

  /// Follows the command's main subscription, and reports lost connections and reconnections.
  ///
  /// - Parameters:
  ///   - missed: What happens to events without a connection, for people.
  ///   - handler: Gets the events in order, and nothing after `over`. An error is reported and ends the command.
  func follow<Request: SubscribingRequest>(
    _ request: Request, missed: String, _ handler: @escaping (SubscriptionEvent<Request>) -> Void
  ) {
    self.multiplexer.follow(request) { [unowned self] (event: SubscriptionEvent<Request>) in
      guard !self.isFinished else { return }
      handler(event)
      switch event {
      case .disconnected: self.lost()
      case .suspended: self.suspended()
      case .reconnected: self.restored(missed)
      case .over(let error?): self.fail(error)
      case .begun, .notified, .stopped, .over(nil): break
      }
    }
  }

  /// Follows a secondary subscription, whose errors are ignored.
  func follow<Request: SubscribingRequest>(
    beside request: Request, _ handler: @escaping (any AddressedNotification) -> Void
  ) {
    self.multiplexer.follow(request) { [unowned self] (event: SubscriptionEvent<Request>) in
      if !self.isFinished, case .notified(let notification) = event { handler(notification) }
    }
  }

  /// Follows a subscription of several, and leaves everything that happens to it to the handler: also lost connections and
  /// errors.
  func observe<Request: SubscribingRequest>(
    _ request: Request, _ handler: @escaping (SubscriptionEvent<Request>) -> Void
  ) {
    self.multiplexer.follow(request) { [unowned self] (event: SubscriptionEvent<Request>) in
      if !self.isFinished { handler(event) }
    }
  }

  /// Follows with a subscriber of the command's own.
  ///
  /// - Parameter make: Makes it for its ticket.
  func follow(_ make: (_ ticket: Int) -> any LiveSubscriber) {
    let ticket = self.multiplexer.makeTicket()
    self.multiplexer.add(make(ticket), ticket: ticket)
  }

  /// Answers a prompt of the daemon; a withdrawn one is ignored.
  func answer(_ question: PromptQuestion, _ result: AgentAuthorizeRequest.Result) {
    self.multiplexer.answer(question, .success(result))
  }

  // MARK: Reports

  /// The connection is lost.
  func lost() { self.report(self.outage.lost(self.multiplexer.connectionError, now: self.loop.now)) }

  /// The connection is restored.
  ///
  /// - Parameter missed: What happens to the events in between, for people.
  func restored(_ missed: String) { self.report(self.outage.restored(missed, now: self.loop.now)) }

  /// The connection is restored, but the daemon refuses the subscription.
  func suspended() { self.report(self.outage.suspended(now: self.loop.now)) }

  private func report(_ message: String?) {
    if let message, !self.isFinished { self.context.report(message) }
  }

  /// Reports that a person is asked, which any command may have to wait for.
  private func announced(_ notification: any AnnouncedNotification) {
    guard !self.isFinished else { return }
    let prompt = notification as? AuthorizationPromptedNotification
    if prompt != nil { self.hasPrompted = true }
    if let onAnnouncement { return onAnnouncement(notification) }
    if let prompt { self.context.report(Conversation.words(prompt)) }
  }

  /// That a person is asked.
  static func words(_ prompt: AuthorizationPromptedNotification) -> String {
    "waiting up to \(TimeSpan.words(prompt.expiresIn.seconds)) for a person to allow or deny this"
  }

  /// Prints a result; if the output can take no more, the command ends.
  func print(_ value: some WireValue, human lines: @autoclosure () -> [String]) {
    self.print(value, drawn: lines().map { Line($0) })
  }

  /// Prints a result whose lines have emphasis; if the output can take no more, the command ends.
  func print(_ value: some WireValue, drawn lines: @autoclosure () -> [Line]) {
    guard !self.isFinished else { return }
    self.context.print(value, drawn: lines())
    self.endIfUnread()
  }

  /// Ends the command if nothing that it prints is read any more.
  func endIfUnread() {
    if self.context.process.output.loss != nil { self.finish(.success) }
  }

  /// A timer that calls the handler from the loop; `nil`: there is none, so the command fails.
  func timer(accuracy: Duration = .milliseconds(50), _ handler: @escaping () -> Void) -> LoopTimer? {
    do throws(SystemError) {
      return try self.loop.timer(accuracy: accuracy, handler: handler)
    } catch {
      self.context.report("\(error)")
      self.finish(.failure)
      return nil
    }
  }

  // MARK: The end

  /// Ends the command. Only the first call counts.
  func finish(_ code: ExitCode) {
    guard !self.isFinished else { return }
    self.outcome = code
    self.onFinish?()
    self.loop.stop(code: code.rawValue)
  }

  /// Ends the command as a signal does.
  func signalled(_ code: ExitCode) {
    guard !self.isFinished else { return }
    if let onSignal { onSignal(code) } else { self.finish(code) }
  }

  /// Ends the command with an error, and reports it.
  func fail(_ error: PositionError) {
    guard !self.isFinished else { return }
    self.finish(error.exitCode)
    self.context.report(error)
  }

  /// Ends the command because the daemon has ended what it followed.
  func fail(_ reason: EndReason) {
    guard !self.isFinished else { return }
    self.finish(.failure)
    self.context.report("positiond ended it: \(reason.rawValue)")
  }

  /// Releases everything after the loop has ended.
  func end() {
    self.outcome = self.outcome ?? .failure
    self.onFinish = nil
    self.onSignal = nil
    self.onAnnouncement = nil
    self.multiplexer.onAnnouncement = nil
    self.multiplexer.close()
  }
}

/// The reports about the connection of a command that follows a subscription: once when it is lost, once when it is
/// restored.
struct OutageReport {
  private enum State {
    case connected
    case lost(since: Instant)
    /// It is restored, but permission is missing.
    case suspended(since: Instant)
  }

  private var state = State.connected

  /// The connection is lost; `nil` if that was reported already.
  mutating func lost(_ error: PositionError, now: Instant) -> String? {
    switch self.state {
    case .connected: self.state = .lost(since: now)
    case .suspended(let since): self.state = .lost(since: since)
    case .lost: return nil
    }
    let reason = if case .connectionLost(let reason) = error { reason } else { "\(error)" }
    return "lost the connection to positiond (\(reason)); reconnecting"
  }

  /// The connection is restored; `nil` if it was not lost.
  ///
  /// - Parameter missed: What happens to the events in between, for people.
  mutating func restored(_ missed: String, now: Instant) -> String? {
    let since: Instant
    switch self.state {
    case .connected: return nil
    case .lost(let moment), .suspended(let moment): since = moment
    }
    self.state = .connected
    return "reconnected to positiond after \(TimeSpan.words((now - since).seconds)); \(missed)"
  }

  /// The connection is restored without permission; `nil` if that was reported already.
  mutating func suspended(now: Instant) -> String? {
    switch self.state {
    case .connected: self.state = .suspended(since: now)
    case .lost(let since): self.state = .suspended(since: since)
    case .suspended: return nil
    }
    return "reconnected to positiond, but permission is gone; waiting until it is granted again"
  }
}
