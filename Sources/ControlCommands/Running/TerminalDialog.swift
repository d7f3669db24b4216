import EventLoop
import Glibc

/// Asks questions and reads answers on a terminal, line by line.
final class TerminalDialog {
  /// A line was typed, without its end.
  var onLine: ((String) -> Void)?
  /// No more text will be typed.
  var onEnd: (() -> Void)?

  private let terminal: FileDescriptor
  private let output: StandardStream
  private let isUnicode: Bool
  private var watch: DescriptorWatch?
  private var typed: [UInt8] = []

  /// Longer than any answer.
  private static let longestLine = 1000

  /// - Parameter isUnicode: Whether the terminal's characters are those of Unicode.
  init(_ terminal: FileDescriptor, isUnicode: Bool) {
    self.isUnicode = isUnicode
    self.terminal = terminal
    self.output = StandardStream(terminal.rawValue)
  }

  func begin(on loop: EventLoop) throws(SystemError) {
    self.watch = try loop.watch(self.terminal, for: .read) { [unowned self] _ in self.read() }
  }

  /// Shows lines and the question after them, with control characters of foreign text escaped.
  func show(_ lines: [String], asking question: String = "") {
    self.output.write(lines.map { "\(self.written($0))\n" }.joined() + self.written(question))
  }

  private func written(_ text: String) -> String { Line(text).written(isColored: false, isUnicode: self.isUnicode) }

  /// Discards text that was typed before a question.
  func discardTyped() {
    self.typed = []
    tcflush(self.terminal.rawValue, TCIFLUSH)
  }

  func end() {
    self.onLine = nil
    self.onEnd = nil
    self.watch?.cancel()
    self.terminal.close()
  }

  private func read() {
    do throws(SystemError) {
      switch try self.terminal.read(into: &self.typed, upTo: 4096) {
      case .bytes: self.takeLines()
      case .wouldBlock: break
      case .endOfFile: self.onEnd?()
      }
    } catch {
      self.onEnd?()
    }
  }

  private func takeLines() {
    while let end = self.typed.firstIndex(where: { $0 == 10 || $0 == 13 }) {
      let line = String(decoding: self.typed[..<end], as: UTF8.self)
      self.typed.removeFirst(end + 1)
      self.onLine?(line)
    }
    if self.typed.count > Self.longestLine { self.typed = [] }
  }
}

/// The terminal of a person, even if standard input and output are redirected.
enum PersonTerminal {
  /// Opens it again, so that settings on it do not affect other programs.
  ///
  /// - Returns: `nil` if the process has none.
  static func open() throws(SystemError) -> FileDescriptor? {
    let number = unsafe Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    if number >= 0 { return try FileDescriptor(adopting: number) }
    switch errno {
    case ENXIO, ENOENT, EIO: return nil
    default: throw SystemError.last("open /dev/tty")
    }
  }

  /// Opens the terminal of a descriptor again, for a process that has none of its own.
  ///
  /// - Returns: `nil` if it cannot be opened.
  static func reopen(_ descriptor: Int32) -> FileDescriptor? {
    let number = unsafe Glibc.open("/proc/self/fd/\(descriptor)", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { return nil }
    do throws(SystemError) { return try FileDescriptor(adopting: number) } catch { return nil }
  }
}
