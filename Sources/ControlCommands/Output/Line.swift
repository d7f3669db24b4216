import Printable

/// One line for people, with optional emphasis.
///
/// Its text may come from other programs. Control characters are escaped when the line is written, and the emphasis is
/// added after that, so that no text can imitate it or control a terminal.
struct Line: Hashable, Sendable, ExpressibleByStringInterpolation {
  enum Emphasis: String, Sendable {
    case bold = "1"
    case dim = "2"
    case good = "32"
    case bad = "1;31"
    case doubtful = "33"
  }

  private struct Part: Hashable {
    var text: String
    var emphasis: Emphasis?
  }

  private var parts: [Part]

  init(_ text: some StringProtocol, _ emphasis: Emphasis? = nil) {
    self.parts = [Part(text: String(text), emphasis: emphasis)]
  }

  init(stringLiteral text: String) { self.init(text) }

  static func + (left: Line, right: Line) -> Line {
    var sum = left
    sum.parts += right.parts
    return sum
  }

  /// The line as it is written, without its end.
  func written(isColored: Bool) -> String {
    self.parts.map { part in
      let text = part.text.printable
      guard isColored, let emphasis = part.emphasis else { return text }
      return "\u{1b}[\(emphasis.rawValue)m\(text)\u{1b}[0m"
    }.joined()
  }
}
