import EventLoop
import Glibc
import PositionClient
import PositionProtocol

/// What a command needs to run: the loop, where to print, and what the common options say.
struct CommandContext {
  let loop: EventLoop
  let surroundings: Surroundings
  /// Where the daemon is reached.
  let socket: String
  let wantsJSON: Bool

  init(_ arguments: Arguments, in surroundings: Surroundings) throws(SystemError) {
    self.loop = try EventLoop()
    self.surroundings = surroundings
    self.socket = SocketPath.resolved(arguments[CommonOptions.socket], environment: surroundings.environment)
    self.wantsJSON = arguments.has(CommonOptions.json)
  }

  /// Prints a result as one JSON text where that was asked for, else as lines.
  func print(_ value: some Encodable, human lines: @autoclosure () -> [String]) {
    self.print(value, drawn: lines().map { Line($0) })
  }

  /// The same with emphasis.
  func print(_ value: some Encodable, drawn lines: @autoclosure () -> [Line]) {
    self.surroundings.print(self.wantsJSON ? [Line(JSONFormat.line(value))] : lines())
  }

  /// Prints for people what a program sees from the results, such as that there is none.
  func note(_ line: String) {
    if !self.wantsJSON { self.surroundings.print([Line(line)]) }
  }

  /// Tells what is not a result.
  func tell(_ message: String) { self.surroundings.tell(message) }

  /// Tells an error, and what to do next.
  func tell(_ error: PositionError) {
    self.tell(ErrorFormat.line(error))
    if case .notPermitted(let refusal) = error {
      if let rule = refusal.rule { self.tell("decided by rule \(rule)") }
      if let decision = refusal.decision { self.tell("decided at \(decision)") }
    }
    if let advice = error.advice { self.tell("what to do: \(PermissionAdvice.words(advice))") }
  }

  /// Connects, lets the command begin, and serves the connection until the command ends it.
  ///
  /// - Parameters:
  ///   - command: Whom the daemon tells others that it works for.
  ///   - begin: Sends the first request; must lead to `finish` or `fail` in the end.
  func converse(_ command: CommandDescription, _ begin: @escaping (Conversation) -> Void) -> ExitCode {
    // By this "positionctl status --why" names this program.
    let conversation = Conversation(context: self, purpose: "the command \(command.name)")
    defer { conversation.end() }
    conversation.begin { [unowned conversation] in begin(conversation) }
    return self.serve(conversation)
  }

  private func serve(_ conversation: Conversation) -> ExitCode {
    do throws(SystemError) {
      let watches = self.surroundings.hearsSignals ? try self.watchSignals(conversation) : []
      defer { watches.forEach { $0.cancel() } }
      if conversation.outcome == nil { _ = try self.loop.run() }
      return conversation.outcome ?? .failure
    } catch {
      self.tell("\(error)")
      return .failure
    }
  }

  private func watchSignals(_ conversation: Conversation) throws(SystemError) -> [SignalWatch] {
    let signals: [(Int32, ExitCode)] = [(SIGINT, .interrupted), (SIGTERM, .terminated), (SIGHUP, .hungUp)]
    var watches: [SignalWatch] = []
    // Who is to live on when the terminal goes, as by nohup, does.
    for (number, code) in signals where !EventLoop.isIgnored(number) {
      watches.append(try self.loop.onSignal(number) { [unowned conversation] in conversation.signalled(code) })
    }
    return watches
  }
}

extension PositionError {
  var exitCode: ExitCode {
    switch self {
    case .notPermitted, .notAllowedToConnect: .notPermitted
    case .daemonNotRunning, .cannotConnect, .connectionLost, .closed, .cancelled, .failed, .unexpected: .failure
    }
  }
}
