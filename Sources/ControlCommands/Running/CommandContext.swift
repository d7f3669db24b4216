import ConfigurationTables
import EventLoop
import Glibc
import JSONRPC
import Notations
import PositionClient
import PositionProtocol
import ProgramArguments

/// What a command needs to run: the loop, the output, and the values of the common options.
struct CommandContext {
  let loop: EventLoop
  let process: ProcessEnvironment
  /// The path of the daemon's socket.
  let socket: String
  let wantsJSON: Bool
  /// How the person reads positions. JSON is as the protocol has it.
  let format: PositionFormat

  init(_ arguments: Arguments, in process: ProcessEnvironment) throws(SystemError) {
    self.loop = try EventLoop()
    self.process = process
    self.socket = SocketPath.resolved(arguments[CommonOptions.socket], environment: process.environment)
    self.wantsJSON = arguments.has(CommonOptions.json)
    guard !self.wantsJSON else {
      self.format = PositionFormat()
      return
    }
    let settings = DisplaySettings(arguments, environment: process.environment) { ConfigurationFiles.read($0) }
    self.format = settings.format
    settings.problems.forEach { process.report($0) }
  }

  /// The present time, by the clocks for ages and times.
  var moment: CodingMoment { self.process.clock() }

  /// Prints a result as JSON if that was requested, else as lines.
  func print(_ value: some WireValue, drawn lines: @autoclosure () -> [Line]) {
    guard self.wantsJSON else { return self.process.print(lines()) }
    self.process.print([Line(JSONFormat.line(value, moment: self.moment))], isForPrograms: true)
  }

  /// Prints a line only for people, such as that a list is empty.
  func note(_ line: String) {
    if !self.wantsJSON { self.process.print([Line(line)]) }
  }

  /// Reports something that is not a result.
  func report(_ message: String) { self.process.report(message) }

  /// Reports an error, and what to do next.
  func report(_ error: PositionError) {
    if self.wantsJSON { return self.process.report(ErrorObject(error)) }
    self.report(ErrorFormat.line(error))
    if case .notPermitted(let refusal) = error {
      if let rule = refusal.rule { self.report("decided by rule \(rule)") }
      if let decision = refusal.decision { self.report("decided at \(decision)") }
    }
    if let advice = error.advice { self.advise(advice) }
  }

  /// Reports what to do; commands are lines of their own without the program's name, so that they can be copied.
  func advise(_ advice: String) {
    let lines = PermissionAdvice.lines(advice)
    self.report("what to do: \(lines[0])")
    lines.dropFirst().forEach { self.process.explain($0) }
  }

  /// Connects, lets the command begin, and serves the connection until the command ends it.
  ///
  /// - Parameters:
  ///   - command: The command whose name the daemon shows to others.
  ///   - waits: Whether it begins at once, for a command that waits for a daemon that is not there.
  ///   - begin: Sends the first request; must lead to `finish` or `fail` in the end.
  func converse(
    _ command: CommandDescription, waits: Bool = false, _ begin: @escaping (Conversation) -> Void
  ) -> ExitCode {
    // "positionctl status --why" shows it.
    let conversation = Conversation(context: self, purpose: "the command \(command.name)")
    defer { conversation.end() }
    conversation.begin(waits: waits) { [unowned conversation] in begin(conversation) }
    return self.serve(conversation)
  }

  private func serve(_ conversation: Conversation) -> ExitCode {
    do throws(SystemError) {
      let watches = self.process.handlesSignals ? try self.watchSignals(conversation) : []
      defer { watches.forEach { $0.cancel() } }
      if conversation.outcome == nil { _ = try self.loop.run() }
      return conversation.outcome ?? .failure
    } catch {
      self.report("\(error)")
      return .failure
    }
  }

  private func watchSignals(_ conversation: Conversation) throws(SystemError) -> [ProcessWatch] {
    let signals: [(Int32, ExitCode)] = [(SIGINT, .interrupted), (SIGTERM, .terminated), (SIGHUP, .hungUp)]
    var watches: [ProcessWatch] = []
    // Under nohup the command goes on when the terminal is closed.
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

/// How a command ended, as the shell sees it.
enum ExitCode: Int32, Sendable, CaseIterable {
  case success = 0
  case failure = 1
  case timedOut = 2
  case notPermitted = 3
  /// EX_USAGE of sysexits.h, as systemd's tools use it.
  case usage = 64
  /// By SIGHUP: the terminal is gone.
  case hungUp = 129
  /// By SIGINT, with the number that shells use.
  case interrupted = 130
  /// By SIGTERM.
  case terminated = 143

  var meaning: String {
    switch self {
    case .success: "success"
    case .failure: "failure; standard error says why and what to do"
    case .timedOut: "timed out; the best result so far is printed"
    case .notPermitted: "permission denied"
    case .usage: "wrong command line"
    case .interrupted: "interrupted with Ctrl-C"
    case .terminated: "terminated"
    case .hungUp: "the terminal was closed"
    }
  }

  /// What `doctor --quiet` found.
  static let (quietWarning, quietProblem) = (ExitCode.failure, ExitCode.timedOut)

  /// The exit codes of the help text.
  static let documented: [ExitCode] = Self.allCases.filter { $0 != .terminated && $0 != .hungUp }
}
