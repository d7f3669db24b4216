import CTerminal
import EventLoop
import Glibc

/// The whole screen of a terminal, until `end`. It paints lines, and what ncurses finds unchanged costs nothing.
final class TerminalScreen {
  let glyphs: Glyphs
  private let output: Int32
  private let input: FileDescriptor
  private let isColored: Bool
  private var watch: DescriptorWatch?
  private var isOpen = true

  /// Terminals of these kinds show no Unicode, or only a part that nobody knows.
  private static let asciiTypes = ["vt", "linux", "ansi", "cons"]

  /// Whether ncurses is installed; it is loaded then.
  static func load() -> Bool { cterminal_load() == 0 }

  /// Takes the terminal.
  ///
  /// - Parameters:
  ///   - output: The terminal's descriptor.
  ///   - input: The same terminal, opened for this alone.
  ///   - type: The value of `TERM`.
  ///   - isUnicode: Whether the person's language has more than ASCII.
  /// - Returns: `nil` if the terminal cannot show a screen. ncurses must be loaded.
  init?(output: Int32, input: FileDescriptor, type: String, isUnicode: Bool, wantsColor: Bool) {
    let isUtf8 = cterminal_use_locale() == 1
    let isUnicode = isUnicode && isUtf8 && !Self.asciiTypes.contains { type.hasPrefix($0) }
    guard unsafe cterminal_open(output, input.rawValue, type) == 0 else { return nil }
    self.glyphs = Glyphs(isUnicode: isUnicode)
    self.output = output
    self.input = input
    self.isColored = cterminal_use_colors(wantsColor ? 1 : 0) != 0
  }

  /// Calls with each key that was typed; and with `nil` when nothing can be typed any more.
  func onKey(on loop: EventLoop, _ handler: @escaping (Character?) -> Void) throws(SystemError) {
    self.watch = try loop.watch(self.input, for: .read) { [unowned self] readiness in
      var isRead = false
      while self.isOpen {
        let key = cterminal_key()
        guard key != CTERMINAL_NO_KEY else { break }
        isRead = true
        if let scalar = UInt8(exactly: key), key > 0 { handler(Character(Unicode.Scalar(scalar))) }
      }
      // A terminal that is gone is ready for ever.
      if !isRead, readiness.contains(.hangup) { handler(nil) }
    }
  }

  /// The terminal's size.
  var size: (rows: Int, columns: Int) {
    var size = winsize()
    let result = unsafe ioctl(self.output, UInt(TIOCGWINSZ), &size)
    guard result == 0, size.ws_row > 0, size.ws_col > 0 else { return (24, 80) }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  func paint(_ lines: [Line]) {
    guard self.isOpen else { return }
    cterminal_begin()
    for (row, line) in lines.enumerated() {
      var column = 0
      for part in line.parts {
        let text = part.printable
        unsafe cterminal_put(Int32(row), Int32(column), text, Self.style(part.emphasis))
        column += text.columns
      }
    }
    cterminal_show()
  }

  /// The terminal has another size.
  func resize() {
    let size = self.size
    cterminal_resize(Int32(size.rows), Int32(size.columns))
  }

  /// Leaves the terminal to the shell, and stops the process until it is continued.
  func stop() {
    cterminal_stop()
    self.takeAgain()
  }

  /// The process was continued: others may have used the terminal.
  func takeAgain() {
    cterminal_return()
    self.resize()
  }

  /// Leaves the terminal as it was. A second call does nothing.
  func end() {
    guard self.isOpen else { return }
    self.isOpen = false
    self.watch?.cancel()
    cterminal_close()
    self.input.close()
  }

  private static func style(_ emphasis: Line.Emphasis?) -> cterminal_style {
    switch emphasis {
    case nil: CTERMINAL_PLAIN
    case .bold: CTERMINAL_BOLD
    case .dim: CTERMINAL_DIM
    case .good: CTERMINAL_GOOD
    case .bad: CTERMINAL_BAD
    case .doubtful: CTERMINAL_DOUBTFUL
    }
  }
}
