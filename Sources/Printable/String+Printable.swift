// Text that comes from elsewhere - from clients, from gpsd, from a file - may hold what a terminal obeys, what turns the
// direction of the text around it, and what ends a line of a log. Whatever is written for people to read goes through
// here on its last step, where a log and a terminal are written: then nobody who puts a message together has to think of
// it.
//
// The form is that of Swift's string literals: `\n`, `\r`, `\t`, and `\u{1b}` with the scalar's number for anything else.
// A backslash stays as it is, so paths and names of units look as they are, and text that was made harmless already
// stays the same. So it cannot be turned back: whoever needs to know exactly takes the JSON form, which can.

extension String {
  /// The text on one line and without anything that a terminal obeys: no control characters (C0, delete and C1), no
  /// marks, embeddings, overrides or isolates of direction, no separators of lines or paragraphs, nothing else that is
  /// only there for programs. All that can be seen stays, and what joins letters and pictures.
  package var printable: String {
    guard !self.isPrintable else { return self }
    return self.unicodeScalars.reduce(into: "") { $0 += $1.printable }
  }

  /// The same, cut where it is longer.
  ///
  /// - Parameter limit: how many Unicode scalars it may have; where some are left out, an ellipsis follows them. No
  ///   character and no escape is cut in two.
  package func printable(upTo limit: Int) -> String {
    guard self.unicodeScalars.count > limit || !self.isPrintable else { return self }
    var shown = ""
    var left = limit
    for character in self {
      let next = character.unicodeScalars.reduce(into: "") { $0 += $1.printable }
      left -= next.unicodeScalars.count
      guard left >= 0 else { return "\(shown)…" }
      shown += next
    }
    return shown
  }

  /// A JSON text in which the same characters are written as JSON's escapes, so that it means what it meant. Outside of
  /// its strings there must be none of them: no line breaks for people.
  package var printableJSON: String {
    guard !self.isPrintable else { return self }
    return self.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar.isPrintable {
        result.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
  }

  private var isPrintable: Bool { self.unicodeScalars.allSatisfy(\.isPrintable) }
}

extension Unicode.Scalar {
  /// Whether it may be shown as it is.
  var isPrintable: Bool {
    // Most text is this.
    if self.isASCII { return (0x20..<0x7F).contains(self.value) }
    switch self.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return false
    // What joins and keeps apart is part of how words are written, and pictures of several.
    case .format: return self.value == 0x200C || self.value == 0x200D
    default: return !self.properties.isNoncharacterCodePoint
    }
  }

  fileprivate var printable: String {
    switch self {
    case _ where self.isPrintable: String(self)
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(self.value, radix: 16))}"
    }
  }
}
