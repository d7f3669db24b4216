// Foreign text - from clients, from gpsd, from a file - may contain control sequences for terminals, characters that
// change the direction of the text around them, and line ends. All text for people is escaped here, in the last step
// before a log or a terminal, so that code that builds messages need not care.
//
// The form is that of Swift's string literals: `\n`, `\r`, `\t`, and `\u{1b}` with the scalar's number for anything
// else. A backslash is not changed, so paths and unit names look right, and ordinary text stays the same. So the form
// cannot be reversed; the JSON form can.

extension String {
  /// The text on one line and without anything that controls a terminal: no control characters (C0, delete and C1), no
  /// marks, embeddings, overrides or isolates of direction, no separators of lines or paragraphs, nothing else that is
  /// only there for programs. All visible characters stay, and those that join letters and pictures.
  package var printable: String {
    guard !self.isPrintable else { return self }
    return self.unicodeScalars.reduce(into: "") { $0 += $1.printable }
  }

  /// The printable text, cut if it is too long: an ellipsis follows then, and no character and no escape is cut in two.
  ///
  /// - Parameter limit: How many Unicode scalars it may have.
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

  /// A JSON text in which characters that are not printable are written as JSON's escapes, so that its meaning is
  /// unchanged. Outside of its strings there must be none of them, so no line breaks for people.
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
