import Broker
import Positioning
import Testing

@testable import Configuration

/// Damaged files cause an error, never a crash.
@Suite struct MutationTests {
  private static let seedText =
    Settings.table.map { "[\($0.section)]\n# \($0.meaning)\n\($0.key)=\($0.defaultText)\n" }.joined()
    + "[rule a]\nuser=alice\nwake=a.service b.service\nagent=all\n[rule b]\ngroup=users\nunit=b.service\ngrant=deny\n"

  @Test("a damaged file is refused with lines that exist, or every line of it is understood", arguments: 0..<40)
  func mutated(seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    var accepted = 0
    for _ in 0..<50 {
      var bytes = Array(Self.seedText.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        Self.damage(&bytes, &generator)
      }
      switch Settings.load(from: [ConfigurationFile(path: "mutated", contents: bytes)]) {
      case .success(let settings):
        accepted += 1
        #expect(Self.unknownLines(bytes) == [])
        #expect(Self.reread(settings) == settings)
      case .failure(let errors):
        let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        for error in errors.all {
          #expect((1...lines).contains(error.line ?? 0))
          #expect(error.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
      }
    }
    // Damage in a comment has no effect: if nothing were accepted, the first half of this test would test nothing.
    #expect(accepted > 0)
  }

  @Test("noise is reported as noise, and quickly", arguments: 0..<20)
  func noise(seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    let bytes = (0..<4000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(errors(in: ConfigurationFile(path: "noise", contents: bytes)) != [])
  }

  /// One edit, of the kinds that editors, disks and people make.
  private static func damage(_ bytes: inout [UInt8], _ generator: inout SeededRandom) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: bytes.indices, using: &generator)
    let until = min(bytes.count, place + Int.random(in: 1...40, using: &generator))
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes.insert(Array("\n=[]# \0\u{FF}-0a".utf8).randomElement(using: &generator) ?? 0, at: place)
    case 2: bytes.removeSubrange(place..<until)
    case 3: bytes.insert(contentsOf: bytes[place..<until], at: Int.random(in: bytes.indices, using: &generator))
    case 4: bytes.removeLast(bytes.count - place)
    default: bytes.swapAt(place, Int.random(in: bytes.indices, using: &generator))
    }
  }

  /// The keys that the table does not have, found more simply than by the reader.
  private static func unknownLines(_ bytes: [UInt8]) -> [String] {
    let known: [(section: String, key: String)] =
      Settings.table.map { ($0.section, $0.key) } + AccessRule.table.map { ($0.section, $0.key) }
    var section = ""
    var unknown: [String] = []
    for raw in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let line = raw.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
      if line.isEmpty || line.hasPrefix("#") { continue }
      if line.hasPrefix("[") {
        section = line.filter { !"[] \t\r".contains($0) }
        if section.hasPrefix("rule") { section = "rule" }
        if !known.contains(where: { $0.section == section }) { unknown.append(String(line)) }
      } else {
        let key = line.prefix { $0 != "=" }.filter { $0 != " " && $0 != "\t" }
        if !known.contains(where: { $0.section == section && $0.key == key }) { unknown.append(String(line)) }
      }
    }
    return unknown
  }

  /// The result of writing the settings and reading them again.
  private static func reread(_ settings: Settings) -> Settings? {
    let keys = Settings.table.map { "[\($0.section)]\n\($0.key)=\($0.text(in: settings))\n" }
    let rules = settings.rules.map { rule in
      "[rule \(rule.name)]\n" + AccessRule.table.map { "\($0.key)=\($0.text(in: rule))\n" }.joined()
    }
    let text = (keys + rules).joined()
    return try? Settings.load(from: [ConfigurationFile(text)]).get()
  }
}
