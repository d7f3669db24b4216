/// Text of manual pages.
package enum ManualText {
  /// A text as a manual page's lines have it.
  package static func escaped(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: #"\-"#)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? #"\&"# + escaped : escaped
  }

  /// A paragraph: lines of up to 120 characters, none of which is taken for a request.
  package static func paragraph(_ text: String) -> [String] {
    self.wrapped(text.replacing("\\", with: "\\e").replacing("--", with: #"\-\-"#)).map { line in
      line.hasPrefix(".") || line.hasPrefix("'") ? #"\&"# + line : line
    }
  }

  /// A sentence made of some words without a full stop.
  package static func sentence(_ words: String) -> String { words.prefix(1).uppercased() + words.dropFirst() + "." }

  package static func wrapped(_ text: String) -> [String] {
    text.split(separator: " ").reduce(into: [""]) { lines, word in
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + 1 + word.count <= 120 {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }
}
