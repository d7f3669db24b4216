/// Text that came from elsewhere, made harmless for a terminal.
enum Escaping {
  /// Control characters, and those that turn the direction of text, are shown as `\u{1b}`; the rest stays.
  static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: self.isHarmful) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if self.isHarmful(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  /// A JSON text with the same characters as JSON escapes: outside of strings there are none of them.
  static func escapedJSON(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: self.isHarmful) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if self.isHarmful(scalar) {
        // All of them are below U+10000.
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // C0, delete and C1; terminals obey C1 in UTF-8 too.
    case 0x00...0x1F, 0x7F...0x9F: true
    // Marks, embeddings, overrides and isolates of direction; line and paragraph separators.
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
