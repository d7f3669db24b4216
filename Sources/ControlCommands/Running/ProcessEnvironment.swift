import EventLoop
import Glibc
import JSONRPC
import PositionProtocol

/// The environment of a command: streams, variables, signals, terminal; a test has its own.
struct ProcessEnvironment {
  /// For results.
  var output: any TextSink
  /// For errors and progress.
  var errors: any TextSink
  /// The descriptor of standard input, for the one command that reads it.
  var input: Int32 = STDIN_FILENO
  var environment: [String: String] = [:]
  /// Whether SIGINT, SIGTERM and SIGHUP end a command.
  var handlesSignals = false
  /// Opens the terminal of a person; `nil` if there is none.
  var openTerminal: () throws(SystemError) -> FileDescriptor? = { () throws(SystemError) in nil }
  /// The descriptor of the terminal whose whole screen a command may take; `nil`: none.
  var screen: Int32?
  /// The machine that `doctor` checks.
  var machine = InspectedMachine()
  /// The clock for ages, and the wall clock for times.
  var clock: CodingMoment.Clock = { .current }
  /// The clock by which a person writes and reads times of the history.
  var localClock = LocalClock.system

  /// Whether the terminal's characters are those of Unicode. Else symbols of the command's own are written in ASCII.
  var isUnicode = true
  /// Whether the user is root.
  var isRoot = false
  /// Whether a line is drawn on the terminal of errors, which the next text there replaces.
  let drawnLine = DrawnLine()

  /// How many characters a line has: `COLUMNS`, else those of the window.
  var columns: Int { self.count("COLUMNS") ?? self.output.columns }
  var errorColumns: Int { self.count("COLUMNS") ?? self.errors.columns }
  /// How many lines the window has.
  var rows: Int { self.count("LINES") ?? self.output.rows }

  private func count(_ variable: String) -> Int? {
    self.environment[variable].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Whether lines can be redrawn, on the terminal for errors.
  var canRedrawErrors: Bool { self.errors.isTerminal && !self.isDumb }

  /// Whether the screen can be redrawn.
  var canRedrawOutput: Bool { self.output.isTerminal && !self.isDumb }

  var isDumb: Bool { self.environment["TERM"] == "dumb" }
}

/// Writes all text of a command, with control characters of foreign text escaped.
extension ProcessEnvironment {
  /// Writes results, a line each.
  ///
  /// - Parameter isForPrograms: Whether the characters stay, because a format says that they are UTF-8.
  func print(_ lines: [Line], isForPrograms: Bool = false) {
    let isColored = self.isOutputColored
    let isUnicode = self.isUnicode || isForPrograms
    self.output.write(lines.map { "\($0.written(isColored: isColored, isUnicode: isUnicode))\n" }.joined())
  }

  /// Writes one line that is not a result.
  func report(_ message: String) {
    self.clearDrawn()
    self.errors.write("\(Line("positionctl: \(message)").written(isColored: false, isUnicode: self.isUnicode))\n")
  }

  /// Writes a line that belongs to a report, without the program's name.
  func explain(_ line: String) {
    self.clearDrawn()
    self.errors.write("\(Line(line).written(isColored: false, isUnicode: self.isUnicode))\n")
  }

  /// Writes an error for programs.
  func report(_ error: ErrorObject) {
    self.clearDrawn()
    self.errors.write("\(Line(JSONFormat.line(error)).written(isColored: false, isUnicode: true))\n")
  }

  /// Replaces the current line on the terminal of errors; an empty line clears it.
  ///
  /// The cursor stays at the line's begin, and all below is cleared: in a window that was made narrower the line has become
  /// several, and the cursor is at the begin of the first.
  func redraw(_ line: String) {
    let text = Line(line).written(isColored: false, isUnicode: self.isUnicode)
    guard self.drawnLine.isDrawn || !text.isEmpty else { return }
    self.errors.write("\r\u{1b}[J\(text)" + (text.isEmpty ? "" : "\r"))
    self.drawnLine.isDrawn = !text.isEmpty
  }

  private func clearDrawn() { self.redraw("") }

  /// Clears the screen for new results; without a terminal an empty line separates them.
  func turnPage() {
    self.output.write(self.canRedrawOutput ? "\u{1b}[H\u{1b}[2J" : "\n")
  }

  /// No emphasis for pipes, if `NO_COLOR` is set, and on terminals without support.
  private var isOutputColored: Bool { self.output.isTerminal && !self.isDumb && self.wantsColor }

  /// Whether `NO_COLOR` does not forbid colours.
  var wantsColor: Bool { self.environment["NO_COLOR"].map(\.isEmpty) ?? true }
}

/// A destination for text: a terminal, a pipe, a file, or a test.
protocol TextSink: AnyObject {
  /// Whether a person reads it.
  var isTerminal: Bool { get }
  /// How many characters a line of the terminal has; 80 for another sink.
  var columns: Int { get }
  /// How many lines the terminal has; 24 for another sink.
  var rows: Int { get }
  /// Why no more can be written; `nil`: all was.
  var loss: OutputLoss? { get }

  /// Writes the text, unless there is a loss already.
  func write(_ text: String)
}

/// Whether a line is drawn that is no result.
final class DrawnLine {
  var isDrawn = false
}

/// Why text does not reach its destination.
enum OutputLoss: Hashable, Sendable {
  /// The reader has what it wanted, as at the end of `| head`, so the command has succeeded.
  case readerGone
  /// Text is lost, for example because the disk is full.
  case failed(SystemError)
}

/// Standard output or standard error.
///
/// It is unbuffered, so that the next command of a pipe gets every line at once.
final class StandardStream: TextSink {
  private let descriptor: Int32
  private(set) var loss: OutputLoss?

  /// - Parameter descriptor: `STDOUT_FILENO`, `STDERR_FILENO`, or that of a terminal.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  var isTerminal: Bool { isatty(self.descriptor) == 1 }

  var columns: Int { self.size.flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil } ?? 80 }
  var rows: Int { self.size.flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } ?? 24 }

  /// `nil`: it is no terminal.
  private var size: winsize? {
    var size = winsize()
    return unsafe ioctl(self.descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
  }

  func write(_ text: String) {
    guard self.loss == nil else { return }
    do throws(SystemError) {
      try StandardStreams.write(text, to: self.descriptor)
    } catch {
      self.loss = error.code == EPIPE ? .readerGone : .failed(error)
    }
  }
}
