package import ConfigurationTables

/// The texts that are made from a table of settings: the installed file, the documentation's tables, and the manual page.
package enum ConfigurationText {
  /// The keys of one section.
  package typealias Section<Subject: Configurable> = (name: String, keys: [ConfigurationKey<Subject>])

  /// Where the tables stand in a document.
  package static let tablesBegin = "<!-- begin: written by `make documents` -->\n"
  package static let tablesEnd = "<!-- end -->"

  /// The table's sections, in its order.
  package static func sections<Subject>(of table: [ConfigurationKey<Subject>]) -> [Section<Subject>] {
    table.reduce(into: []) { sections, key in
      if sections.last?.name == key.section {
        sections[sections.count - 1].keys.append(key)
      } else {
        sections.append((key.section, [key]))
      }
    }
  }

  /// The sections of an installed file, every key commented out.
  package static func file<Subject>(_ table: [ConfigurationKey<Subject>]) -> String {
    self.sections(of: table).map { "\n[\($0.name)]\n" + self.keys(of: $0.keys, in: Subject.defaults) }.joined()
  }

  /// The keys of a section of an installed file, commented out.
  package static func keys<Subject>(of table: [ConfigurationKey<Subject>], in subject: Subject) -> String {
    table.map { "# \($0.meaning)\n#\($0.key)=\($0.text(in: subject))\n" }.joined(separator: "\n")
  }

  /// A document's tables.
  package static func tables<Subject>(_ table: [ConfigurationKey<Subject>]) -> String {
    self.sections(of: table).map { self.table($0.keys, titled: $0.name) }.joined()
  }

  /// One table of a document.
  package static func table<Subject>(_ keys: [ConfigurationKey<Subject>], titled title: String) -> String {
    let rows = keys.map { key in
      let value = key.defaultText.isEmpty ? "(empty)" : "`\(key.defaultText)`"
      let expectation = key.expectation.replacing("|", with: "\\|")
      return "| `\(key.key)` | \(value) | \(expectation) | \(key.meaning) | \(self.words(key.effect)) |\n"
    }
    return "\n### [\(title)]\n\n| key | default | value | meaning | changes |\n|---|---|---|---|---|\n" + rows.joined()
  }

  /// The document with these tables in place of its own; `nil` if it has no place for them.
  package static func document(_ text: String, with tables: String) -> String? {
    guard let begin = text.firstRange(of: self.tablesBegin)?.upperBound,
      let end = text.firstRange(of: self.tablesEnd)?.lowerBound
    else { return nil }
    return String(text[..<begin]) + tables + String(text[end...])
  }

  /// A section of a manual page.
  package static func manual<Subject>(_ name: String, _ keys: [ConfigurationKey<Subject>]) -> String {
    let entries = keys.flatMap { key in
      let initial = key.defaultText.isEmpty ? "" : "; the default is \(key.defaultText)"
      let effect = key.effect == .afterRestart ? " A change takes effect after a restart." : ""
      return [".TP", ".B \(ManualText.escaped(key.key))="]
        + ManualText.paragraph("\(key.meaning). Takes \(key.expectation)\(initial).\(effect)")
    }
    return ([".SH [\(name)]"] + entries).joined(separator: "\n") + "\n"
  }

  private static func words(_ effect: SettingEffect) -> String {
    switch effect {
    case .onReload: "at once"
    case .afterRestart: "after a restart"
    }
  }
}
