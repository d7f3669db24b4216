import EventLoop
import Glibc
import JSONRPC
import PositionProtocol
import Synchronization
import TestSupport
import Testing

@testable import ControlCommands

/// The result of a command line.
struct CommandRun {
  var code: Int32
  var output: String
  var errors: String

  /// The differences of a run from one into pipes.
  struct Setting: Sendable {
    var isOutputTerminal = false
    var isErrorTerminal = false
    var environment: [String: String] = [:]
    var input = STDIN_FILENO
    /// After so many writes the output takes no more.
    var outputBreaksAfter = Int.max
    /// Why it does not.
    var outputLoss = OutputLoss.readerGone
    /// A signal for the command's thread, as soon as the command handles signals.
    var pendingSignal: Int32?
    /// A signal that follows as soon as this was written to standard error.
    var signalAfterOutput: (signal: Int32, text: String)?
    /// Called on the command's thread before that signal.
    var afterOutput: (@Sendable () -> Void)?
    /// The file of the person's terminal; `nil`: there is none.
    var terminal: String?
    /// An empty machine, not the one that the tests run on.
    var machine = InspectedMachine(root: "/nonexistent", sharedMemoryKey: unused)

    var clock: CodingMoment.Clock = { Samples.moment }
    var localClock = LocalClock.system

    /// gpsd's key with its last byte changed, which nobody uses.
    private static let unused: Int32 = 0x4750_53FF
  }

  /// Runs it on a thread of its own, since a command blocks until it is done.
  static func of(_ words: [String], at socket: String? = nil, _ setting: Setting = Setting()) async throws -> CommandRun
  {
    let words = (socket.map { ["--socket", $0] } ?? []) + words
    let thread = RunningThread()
    return try await withTaskCancellationHandler {
      try await self.run(words, setting, on: thread)
    } onCancel: {
      // A command that would run for ever ends with its test's time limit.
      thread.terminate()
    }
  }

  private static func run(_ words: [String], _ setting: Setting, on thread: RunningThread) async throws -> CommandRun {
    try await withCheckedThrowingContinuation { continuation in
      do {
        _ = try EventLoop.spawnThread(name: "command") {
          thread.begin()
          if let signal = setting.pendingSignal { Self.raise(signal) }
          let output = TestSink(
            isTerminal: setting.isOutputTerminal, breaksAfter: setting.outputBreaksAfter, because: setting.outputLoss)
          let errors = TestSink(isTerminal: setting.isErrorTerminal)
          if let (signal, text) = setting.signalAfterOutput {
            errors.onText = (
              text,
              {
                setting.afterOutput?()
                Self.raise(signal)
              }
            )
          }
          let code = PositionControl.run(
            words,
            in: ProcessEnvironment(
              output: output, errors: errors, input: setting.input, environment: setting.environment,
              handlesSignals: true,
              openTerminal: { () throws(SystemError) in try setting.terminal.map(Self.open) ?? nil },
              machine: setting.machine, clock: setting.clock, localClock: setting.localClock))
          thread.end()
          continuation.resume(returning: CommandRun(code: code, output: output.text, errors: errors.text))
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  private static func open(terminal path: String) throws(SystemError) -> FileDescriptor {
    let number = unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw SystemError.last("open \(path)") }
    return try FileDescriptor(adopting: number)
  }

  /// Sends the calling thread a signal that stays pending until it is handled: the test's process has other threads.
  private static func raise(_ signal: Int32) {
    do {
      try EventLoop.blockSignal(signal)
      pthread_kill(pthread_self(), signal)
    } catch {
      Issue.record(error)
    }
  }
}

/// The thread of a running command.
private final class RunningThread: Sendable {
  private let thread = Mutex<pthread_t?>(nil)

  func begin() { self.thread.withLock { $0 = pthread_self() } }
  func end() { self.thread.withLock { $0 = nil } }

  /// Ends the command, as SIGTERM does.
  func terminate() {
    self.thread.withLock { thread in
      if let thread { pthread_kill(thread, SIGTERM) }
    }
  }
}

/// Remembers the written text.
private final class TestSink: TextSink {
  let isTerminal: Bool
  let columns = 80
  let rows = 24
  private(set) var text = ""
  /// Called once, when a text was written.
  var onText: (text: String, action: () -> Void)?
  private var writesLeft: Int
  private let reason: OutputLoss

  init(isTerminal: Bool, breaksAfter writes: Int = .max, because reason: OutputLoss = .readerGone) {
    self.isTerminal = isTerminal
    self.writesLeft = writes
    self.reason = reason
  }

  var loss: OutputLoss? { self.writesLeft <= 0 ? self.reason : nil }

  func write(_ text: String) {
    guard self.loss == nil else { return }
    self.text += text
    self.writesLeft -= 1
    if let (text, action) = self.onText, self.text.contains(text) {
      self.onText = nil
      action()
    }
  }
}
