import Broker
import Positioning
import TestSupport
import Testing

@testable import Configuration

/// The installed file and the documentation agree with the table.
///
/// `make documents` writes both again after a change of the table.
@Suite struct DocumentTests {
  private static let sample = "config/positiond.conf"

  @Test("the installed file holds every key, commented, with its default and its meaning")
  func installedFileIsWritten() throws {
    #expect(try WrittenDocument(Self.sample).isCurrent(Documents.sample), "\(WrittenDocument.advice)")
  }

  @Test("the installed file grants the position to the members of the package's group, and sets nothing else")
  func installedFile() throws {
    var expected = Settings()
    expected.rules = [Documents.members]
    #expect(try Settings.load(path: "\(PackageRoot.path)/\(Self.sample)").get() == expected)
    #expect(expected.broker.access.isEnabled && expected.broker.access.fallback == .ask)
  }

  @Test("the installed file with every key uncommented has the defaults, that rule, and one example; no key is missing")
  func uncommented() throws {
    let text = try WrittenDocument(Self.sample).text
    let lines = text.split(separator: "\n").map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
    }
    let file = ConfigurationFile(lines.joined(separator: "\n"))
    var expected = Settings()
    expected.rules = [Documents.members, Documents.exampleRule]
    #expect(try Settings.load(from: [file]).get() == expected)
    let keys = ConfigurationReader(file).entries.map { "\($0.key) in [\($0.section.kind)]" }
    let members = ["group", "grant", "precision"].map { "\($0) in [rule]" }
    #expect(keys == Settings.table.map(\.name) + members + AccessRule.table.map(\.name))
  }

  @Test("the documentation's tables hold every key with its bounds")
  func documented() throws {
    let document = try WrittenDocument("docs/configuration.md")
    let text = document.text
    let begin = try #require(text.firstRange(of: Documents.tablesBegin)).upperBound
    let end = try #require(text.firstRange(of: Documents.tablesEnd)).lowerBound
    let written = String(text[..<begin]) + Documents.tables + String(text[end...])
    #expect(try document.isCurrent(written), "\(WrittenDocument.advice)")
  }

  @Test("the manual page has every key with its default and its bounds")
  func manualPage() throws {
    #expect(try WrittenDocument("man/positiond.conf.5").isCurrent(ConfigurationPage.text), "\(WrittenDocument.advice)")
  }
}

/// The texts that are made from the table.
private enum Documents {
  static let tablesBegin = "<!-- begin: written by `make documents` -->\n"
  static let tablesEnd = "<!-- end -->"

  static var sample: String {
    let opening = """
      # The configuration of positiond: every key, commented out, with its default, and one rule near the end.
      #
      # Do not change this file: put your settings into a new file, positiond.conf.d/NAME.conf, which overrides this one.
      # `positiond --check-config` checks the result, and `systemctl reload positiond` applies it. Some keys take effect
      # only after a restart; the reload says which.

      """
    let settings = sections.reduce(opening) { text, section in
      text + "\n[\(section.name)]\n" + keys(of: section.settings, in: Settings())
    }
    return settings + """

      # A rule says what some clients may do. There may be any number of rules, each with its own name; permission.md says
      # which one applies. This rule is for the group that the package creates, as dialout is for serial ports.
      [rule \(members.name)]
      group=\(members.groupName ?? "")
      grant=\(members.grant?.rawValue ?? "")
      precision=\(members.precision.rawValue)

      # An example with every key of a rule:
      #[rule \(exampleRule.name)]

      """ + keys(of: AccessRule.table, in: exampleRule)
  }

  static let members: AccessRule = {
    var rule = AccessRule(name: "members")
    rule.groupName = "position"
    rule.grant = .always
    return rule
  }()

  static let exampleRule: AccessRule = {
    var rule = AccessRule(name: "weather")
    rule.user = "weather"
    rule.grant = .always
    rule.precision = .reduced
    rule.wake = ["weather.service"]
    return rule
  }()

  private static func keys<Subject>(of table: [ConfigurationKey<Subject>], in subject: Subject) -> String {
    table.map { "# \($0.meaning)\n#\($0.key)=\($0.text(in: subject))\n" }.joined(separator: "\n")
  }

  static var tables: String {
    sections.map { table($0.settings, titled: $0.name) }.joined()
      + table(AccessRule.table, titled: "\(AccessRule.section) NAME") + "\n"
  }

  private static func table<Subject>(_ keys: [ConfigurationKey<Subject>], titled title: String) -> String {
    let rows = keys.map { key in
      let value = key.defaultText.isEmpty ? "(empty)" : "`\(key.defaultText)`"
      let expectation = key.expectation.replacing("|", with: "\\|")
      return "| `\(key.key)` | \(value) | \(expectation) | \(key.meaning) | \(key.effect.words) |\n"
    }
    return "\n### [\(title)]\n\n| key | default | value | meaning | changes |\n|---|---|---|---|---|\n" + rows.joined()
  }

  static var sections: [(name: String, settings: [Setting])] {
    Settings.table.reduce(into: []) { sections, setting in
      if sections.last?.name == setting.section {
        sections[sections.count - 1].settings.append(setting)
      } else {
        sections.append((setting.section, [setting]))
      }
    }
  }
}

/// The manual page, made from the table.
private enum ConfigurationPage {
  static var text: String {
    let opening = """
      .\\" Written by `make documents`.
      .TH POSITIOND.CONF 5 "" positiond "File formats"
      .SH NAME
      positiond.conf \\- the configuration of the location service
      .SH SYNOPSIS
      .I /etc/positiond/positiond.conf
      .br
      .I /etc/positiond/positiond.conf.d/*.conf
      .SH DESCRIPTION
      positiond(8) reads the file, then the others in the order of their names; a later one overrides an earlier one key by
      key. A line is a section such as [receiver], a key such as linger=2min, or a comment that begins with #. Durations are
      500ms, 30s, 5min, 2h or plain seconds; sizes are 64KiB, 8MiB or plain bytes; lists are separated by blanks.
      .PP
      An unknown key, a value out of range and a key twice in one file are errors, which
      .B positiond \\-\\-check\\-config
      prints with file and line.
      .B systemctl reload positiond
      checks the files and applies them; where they have errors, it fails and the old settings stay.

      """
    let sections = Documents.sections.map { self.section($0.name, $0.settings) }.joined()
    let closing = """
      .SH SEE ALSO
      .BR positiond (8),
      .BR positionctl (1)

      """
    return opening + sections + self.section("\(AccessRule.section) NAME", AccessRule.table) + closing
  }

  private static func section<Subject>(_ name: String, _ keys: [ConfigurationKey<Subject>]) -> String {
    let entries = keys.flatMap { key in
      let initial = key.defaultText.isEmpty ? "" : "; the default is \(key.defaultText)"
      let effect = key.effect == .afterRestart ? " A change takes effect after a restart." : ""
      return [".TP", ".B \(ManualText.escaped(key.key))="]
        + ManualText.paragraph("\(key.meaning). Takes \(key.expectation)\(initial).\(effect)")
    }
    return ([".SH [\(name)]"] + entries).joined(separator: "\n") + "\n"
  }
}

extension SettingEffect {
  fileprivate var words: String {
    switch self {
    case .onReload: "at once"
    case .afterRestart: "after a restart"
    }
  }
}
