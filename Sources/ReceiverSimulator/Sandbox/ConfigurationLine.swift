extension Sandbox {
  /// One key of positiond's configuration.
  package struct ConfigurationLine: Hashable, Sendable {
    package var section: String
    package var key: String
    package var value: String

    package init(section: String, key: String, value: String) {
      self.section = section
      self.key = key
      self.value = value
    }

    /// Reads `SECTION.KEY=VALUE`. A section such as `rule me` may have blanks; `nil` for any other form.
    package init?(_ text: String) {
      guard let equals = text.firstIndex(of: "="), let dot = text[..<equals].lastIndex(of: "."), dot > text.startIndex,
        text.index(after: dot) < equals, !text.contains(where: \.isNewline)
      else { return nil }
      self.init(
        section: String(text[..<dot]), key: String(text[text.index(after: dot)..<equals]),
        value: String(text[text.index(after: equals)...]))
    }
  }
}

extension [Sandbox.ConfigurationLine] {
  /// The lines without those whose key occurs again later.
  package var withoutRepetition: Self {
    self.reduce(into: []) { lines, line in
      lines.removeAll { ($0.section, $0.key) == (line.section, line.key) }
      lines.append(line)
    }
  }

  /// The text of a configuration file with these lines.
  package var text: String {
    let sections = Dictionary(grouping: self, by: \.section).sorted { $0.key < $1.key }
    return sections.map { section, lines in
      "[\(section)]\n" + lines.map { "\($0.key)=\($0.value)\n" }.joined()
    }.joined()
  }
}
