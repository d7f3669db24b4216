/// Escaping of text for XML.
enum XML {
  /// The text as an element's content or an attribute's value in quotes; a character that XML does not allow becomes
  /// U+FFFD.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where self.isAllowed(scalar): result.unicodeScalars.append(scalar)
      default: result += "\u{FFFD}"
      }
    }
  }

  /// XML 1.0 allows only these three control characters; those of C1 are discouraged.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0x00...0x1F, 0x7F...0x9F, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
