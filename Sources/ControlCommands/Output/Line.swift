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

  struct Part: Hashable, Sendable {
    fileprivate var text: String
    var emphasis: Emphasis?

    /// Without anything that controls a terminal.
    var printable: String { self.text.printable }
  }

  private(set) var parts: [Part]

  init(_ text: some StringProtocol, _ emphasis: Emphasis? = nil) {
    self.parts = [Part(text: String(text), emphasis: emphasis)]
  }

  /// How many characters it has.
  var count: Int { self.parts.reduce(0) { $0 + $1.text.count } }

  init(stringLiteral text: String) { self.init(text) }

  static func + (left: Line, right: Line) -> Line {
    var sum = left
    sum.parts += right.parts
    return sum
  }

  /// How many columns of a terminal it takes.
  var columns: Int { self.parts.reduce(0) { $0 + $1.printable.columns } }

  /// Filled with spaces on the right up to so many columns; one that is longer goes as a whole.
  func filled(_ width: Int) -> Line {
    let missing = width - self.columns
    guard missing != 0 else { return self }
    let line = missing > 0 ? self : ""
    return line + Line(String(repeating: " ", count: width - line.columns))
  }

  /// The line as it is written, without its end.
  ///
  /// - Parameter isUnicode: Whether all characters can be shown; else ASCII replaces them.
  func written(isColored: Bool, isUnicode: Bool = true) -> String {
    self.parts.map { part in
      let text = isUnicode ? part.printable : part.printable.ascii
      guard isColored, let emphasis = part.emphasis else { return text }
      return "\u{1b}[\(emphasis.rawValue)m\(text)\u{1b}[0m"
    }.joined()
  }
}

extension String {
  /// The text for a terminal that knows no other characters: symbols become what people type for them, and any other
  /// character the escape that control characters have.
  var ascii: String {
    guard !self.utf8.allSatisfy({ $0 < 0x80 }) else { return self }
    var text = ""
    let scalars = Array(self.unicodeScalars)
    for (place, scalar) in scalars.enumerated() {
      switch scalar {
      case _ where scalar.isASCII: text.unicodeScalars.append(scalar)
      case "±": text += "+/-"
      // Between numbers as GeographicLib and other programs read it, else as a word.
      case "°": text += place + 1 < scalars.count && scalars[place + 1].properties.numericType != nil ? "d" : " deg"
      case "′": text += "'"
      case "″": text += "\""
      case "…": text += "..."
      case "–", "—": text += "-"
      case "·": text += "*"
      default: text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return text
  }
}
