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
    let written = try #require(ConfigurationText.document(document.text, with: Documents.tables))
    #expect(try document.isCurrent(written), "\(WrittenDocument.advice)")
  }

  @Test("the manual page has every key with its default and its bounds")
  func manualPage() throws {
    #expect(try WrittenDocument("man/positiond.conf.5").isCurrent(ConfigurationPage.text), "\(WrittenDocument.advice)")
  }
}

/// The texts that are made from the table.
private enum Documents {
  static var sample: String {
    let opening = """
      # The configuration of positiond: every key, commented out, with its default, and one rule near the end.
      #
      # Do not change this file: put your settings into a new file, positiond.conf.d/NAME.conf, which overrides this one.
      # `positiond --check-config` checks the result, and `systemctl reload positiond` applies it. Some keys take effect
      # only after a restart; the reload says which.

      """
    let settings = opening + ConfigurationText.file(Settings.table)
    return settings + """

      # A rule says what some clients may do. There may be any number of rules, each with its own name; permission.md says
      # which one applies. This rule is for the group that the package creates, as dialout is for serial ports.
      [rule \(members.name)]
      group=\(members.groupName ?? "")
      grant=\(members.grant?.rawValue ?? "")
      precision=\(members.precision.rawValue)

      # An example with every key of a rule:
      #[rule \(exampleRule.name)]

      """ + ConfigurationText.keys(of: AccessRule.table, in: exampleRule)
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

  static var tables: String {
    ConfigurationText.tables(Settings.table)
      + ConfigurationText.table(AccessRule.table, titled: "\(AccessRule.section) NAME") + "\n"
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
    let sections = ConfigurationText.sections(of: Settings.table)
      .map { ConfigurationText.manual($0.name, $0.keys) }.joined()
    let closing = """
      .SH SEE ALSO
      .BR positiond (8),
      .BR positionctl (1)

      """
    return opening + sections + ConfigurationText.manual("\(AccessRule.section) NAME", AccessRule.table) + closing
  }
}
