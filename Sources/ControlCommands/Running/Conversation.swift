import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol

/// A command's talk with the daemon, from its first request until `finish`.
final class Conversation {
  let context: CommandContext
  let connection: DaemonConnection
  /// Called before the command ends, however it ends: to clear a line that was drawn.
  var onFinish: (() -> Void)?
  /// Called when the user ends the command by a signal, with the shell's exit code for it; `nil` finishes with that.
  var onSignal: ((ExitCode) -> Void)?
  private var isFinished = false

  init(context: CommandContext, connection: DaemonConnection) {
    self.context = context
    self.connection = connection
    connection.onEnd = { [unowned self] error in self.fail(error) }
  }

  var loop: EventLoop { self.context.loop }

  /// Tells what any command may have to wait for; those that take notifications themselves pass the others on.
  func announced(_ notification: any NotificationType) {
    guard !self.isFinished, let prompt = notification as? AuthorizationPromptedNotification else { return }
    self.context.tell(
      "a person is being asked whether you may know where this device is, and has \(TimeSpan.words(prompt.expiresIn))"
        + " to answer")
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

  /// Ends the command. Only the first time counts.
  func finish(_ code: ExitCode) {
    guard !self.isFinished else { return }
    self.isFinished = true
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
    self.isFinished = true
    self.onFinish = nil
    self.onSignal = nil
    self.connection.onNotification = nil
    self.connection.onQuestion = nil
    self.connection.onWithdrawal = nil
    self.connection.close()
  }
}
