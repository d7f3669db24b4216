import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// A command's talk with the daemon, from its first request until `finish`.
///
/// What is asked once fails with the connection. What is followed goes on over lost connections, as it does in the Swift
/// library, whose machinery this is: the connection is made again, and what was followed is asked for anew.
final class Conversation {
  let context: CommandContext
  /// Called before the command ends, however it ends: to clear a line that was drawn.
  var onFinish: (() -> Void)?
  /// Called when the user ends the command by a signal, with the shell's exit code for it; `nil` finishes with that.
  var onSignal: ((ExitCode) -> Void)?
  /// What the command ends with, once that is known.
  private(set) var outcome: ExitCode?
  private let switchboard: Switchboard
  private var outage = OutageWords()

  init(context: CommandContext, purpose: String) {
    self.context = context
    self.switchboard = Switchboard(
      on: context.loop, path: context.socket, name: "positionctl", purpose: purpose)
  }

  var loop: EventLoop { self.context.loop }

  private var isFinished: Bool { self.outcome != nil }

  /// Connects, and begins once the daemon has greeted; where it does not, that ends the command.
  func begin(_ body: @escaping () -> Void) {
    self.switchboard.onAnnouncement = { [unowned self] in self.announced($0) }
    do throws(SystemError) {
      try self.switchboard.begin()
    } catch {
      self.finish(.failure)
      return self.context.tell("\(error)")
    }
    self.ask { (_: DaemonConnection, handler: @escaping DaemonConnection.AnswerHandler<Void>) in
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

  /// Asks once.
  func request<Request: RequestType>(
    _ request: Request, then handler: @escaping (Result<Request.Result, PositionError>) -> Void
  ) {
    self.ask({ $0.request(request, then: $1) }, then: handler)
  }

  /// Asks what may be asked twice: where the connection is lost, again on the next one, for so long; zero is as above.
  func request<Request: RequestType>(
    _ request: Request, within patience: Duration,
    then handler: @escaping (Result<Request.Result, PositionError>) -> Void
  ) {
    self.ask(
      until: patience == .zero ? nil : self.loop.now + patience, { $0.request(request, then: $1) }, then: handler)
  }

  /// Asks once, by a method's name.
  func call(
    method: String, params: JSONValue, then handler: @escaping (Result<JSONValue, PositionError>) -> Void
  ) {
    self.ask({ $0.call(method: method, params: params, then: $1) }, then: handler)
  }

  private func ask<Value: Sendable>(
    until deadline: Instant? = nil,
    _ send: @escaping (DaemonConnection, @escaping DaemonConnection.AnswerHandler<Value>) -> RequestID?,
    then handler: @escaping (Result<Value, PositionError>) -> Void
  ) {
    let patience = deadline.map { OpenRequest.Patience.until($0) } ?? .none
    self.switchboard.ask(ticket: self.switchboard.makeTicket(), patience: patience, send: send, then: handler)
  }

  // MARK: Following

  /// Follows what the command is about; that the connection is lost and stands again is told in words.
  ///
  /// - Parameters:
  ///   - missed: What becomes of what happens while there is no connection, in words.
  ///   - tell: Gets what comes, in order, and nothing after `over`. An error is told, and ends the command.
  func follow<Request: SubscribingRequest>(
    _ request: Request, missed: String, _ tell: @escaping (Followed<Request>) -> Void
  ) {
    self.switchboard.follow(request) { [unowned self] (event: Followed<Request>) in
      guard !self.isFinished else { return }
      tell(event)
      switch event {
      case .disconnected: self.lost()
      case .suspended: self.suspended()
      case .reconnected: self.stands(missed)
      case .over(let error?): self.fail(error)
      case .begun, .told, .stopped, .over(nil): break
      }
    }
  }

  /// Follows what the command can do without: what becomes of it is told to nobody.
  func follow<Request: SubscribingRequest>(
    beside request: Request, _ tell: @escaping (any AddressedNotification) -> Void
  ) {
    self.switchboard.follow(request) { [unowned self] (event: Followed<Request>) in
      if !self.isFinished, case .told(let notification) = event { tell(notification) }
    }
  }

  /// Follows in the subscriber's own way.
  ///
  /// - Parameter make: Makes it for its ticket.
  func follow(_ make: (_ ticket: Int) -> any LiveSubscriber) {
    let ticket = self.switchboard.makeTicket()
    self.switchboard.add(make(ticket), ticket: ticket)
  }

  /// Answers a question of the daemon; one that was withdrawn is left alone.
  func answer(_ question: PromptQuestion, _ result: AgentAuthorizeRequest.Result) {
    self.switchboard.answer(question, .success(result))
  }

  // MARK: Words

  /// The connection is lost, and sought again.
  func lost() { self.tell(self.outage.lost(self.switchboard.trouble, now: self.loop.now)) }

  /// It stands again.
  ///
  /// - Parameter missed: What becomes of what happened meanwhile.
  func stands(_ missed: String) { self.tell(self.outage.stands(missed, now: self.loop.now)) }

  /// It stands again, and the daemon refuses what was followed.
  func suspended() { self.tell(self.outage.suspended(now: self.loop.now)) }

  private func tell(_ words: String?) {
    if let words, !self.isFinished { self.context.tell(words) }
  }

  /// Tells what any command may have to wait for.
  private func announced(_ notification: any AnnouncedNotification) {
    guard !self.isFinished, let prompt = notification as? AuthorizationPromptedNotification else { return }
    self.context.tell(
      "waiting up to \(TimeSpan.words(prompt.expiresIn)) for a person to allow or deny this")
  }

  /// Prints a result; where nobody reads it, the command is over, and all is well.
  func print(_ value: some Encodable, human lines: @autoclosure () -> [String]) {
    self.print(value, drawn: lines().map { Line($0) })
  }

  /// The same with emphasis.
  func print(_ value: some Encodable, drawn lines: @autoclosure () -> [Line]) {
    guard !self.isFinished else { return }
    self.context.print(value, drawn: lines())
    if self.context.surroundings.output.isBroken { self.finish(.success) }
  }

  // MARK: The end

  /// Ends the command. Only the first time counts.
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

  /// Ends the command with an error, and tells it.
  func fail(_ error: PositionError) {
    guard !self.isFinished else { return }
    self.finish(error.exitCode)
    self.context.tell(error)
  }

  /// Lets go of everything; the loop has ended.
  func end() {
    self.outcome = self.outcome ?? .failure
    self.onFinish = nil
    self.onSignal = nil
    self.switchboard.onAnnouncement = nil
    self.switchboard.close()
  }
}
