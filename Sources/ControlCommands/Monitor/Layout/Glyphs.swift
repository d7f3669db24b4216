import Printable

/// The characters that a terminal can show.
struct Glyphs: Hashable, Sendable {
  /// Whether it shows Unicode; else ASCII alone.
  let isUnicode: Bool

  static let unicode = Glyphs(isUnicode: true)
  static let ascii = Glyphs(isUnicode: false)

  var ellipsis: String { self.isUnicode ? "…" : "..." }
  var rule: String { self.isUnicode ? "─" : "-" }
  var here: Character { self.isUnicode ? "●" : "@" }

  /// From weak to strong.
  var bars: [Character] { Array(self.isUnicode ? "▁▂▃▄▅▆▇█" : "123456789") }
  var bar: String { self.isUnicode ? "█" : "#" }

  /// When the receiver was on, as `PowerFormat` has it, in the terminal's characters.
  func strip(_ timeline: String) -> String {
    guard self.isUnicode else { return timeline }
    return String(timeline.map { $0 == "#" ? "█" : $0 == "+" ? "▄" : "·" })
  }

  /// The text as the terminal shows it, without anything that controls it.
  func text(_ text: String) -> String {
    let text = text.printable
    return self.isUnicode ? text : text.ascii
  }
}

extension Character {
  /// How many columns of a terminal it takes.
  var columns: Int {
    guard let scalar = self.unicodeScalars.first else { return 0 }
    return switch scalar.value {
    // East Asian scripts and pictures are twice as wide.
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}

extension StringProtocol {
  /// How many columns of a terminal it takes.
  var columns: Int { self.reduce(0) { $0 + $1.columns } }
}
