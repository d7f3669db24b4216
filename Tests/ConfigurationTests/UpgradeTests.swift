import Broker
import TestSupport
import Testing

@testable import Configuration

/// The configurations of earlier versions: each file is kept as it was released.
@Suite struct UpgradeTests {
  @Test("Every key of an earlier version has its value still", arguments: ["0.1.0"])
  func earlier(version: String) throws {
    let text = try WrittenDocument("Tests/ConfigurationTests/Fixtures/\(version).conf").text
    let file = ConfigurationFile(path: "\(version).conf", contents: Array(text.utf8))
    let settings = try Settings.load(from: [file]).get()
    let entries = ConfigurationReader(file).entries
    #expect(entries.count > 45)
    for entry in entries {
      let now = Self.text(of: entry, in: settings)
      #expect(now == entry.value, "\(entry.key) in [\(entry.section)]")
    }
  }

  /// The key's value as a file would have it; `nil` if there is no such key.
  private static func text(of entry: ConfigurationReader.Entry, in settings: Settings) -> String? {
    if entry.section.kind == AccessRule.section {
      let rule = settings.rules.first { $0.name == entry.section.name }
      return rule.flatMap { rule in AccessRule.table.first { $0.key == entry.key }?.text(in: rule) }
    }
    return Settings.table.first { $0.section == entry.section.kind && $0.key == entry.key }?.text(in: settings)
  }
}
