import Configuration
import Positioning

/// A main file and its drop-ins: rules in any combination and notation, some of them damaged.
struct PolicyFiles {
  private(set) var files: [ConfigurationFile] = []

  init(random: inout SeededRandom) {
    var names = Self.ruleNames.shuffled(using: &random)
    names.removeLast(Int.random(in: 0..<names.count, using: &random))
    let count = [1, 1, 2, 3].randomElement(using: &random) ?? 1
    for number in 0..<count {
      // Later files extend the same rules, and others.
      let own = names.filter { _ in number == 0 || Int.random(in: 0..<3, using: &random) == 0 }
      var text = Self.authorization(random: &random)
      for name in own { text += Self.rule(name, isFirst: number == 0, random: &random) }
      if Int.random(in: 0..<4, using: &random) == 0 { text = text.replacing("\n", with: "\r\n") }
      var bytes = Array(text.utf8)
      if Int.random(in: 0..<30, using: &random) == 0 { bytes = [0xEF, 0xBB, 0xBF] + bytes }
      if Int.random(in: 0..<5, using: &random) == 0 { Self.damage(&bytes, &random) }
      self.files.append(ConfigurationFile(path: "file\(number)", contents: bytes))
    }
  }

  private static let ruleNames = ["members", "panel", "a", "B-1_c.d", "zz"]

  private static func authorization(random: inout SeededRandom) -> String {
    guard Bool.random(using: &random) else { return "" }
    var text = Self.line("[authorization]", &random)
    if Int.random(in: 0..<3, using: &random) == 0 {
      let value = ["yes", "true", "on", "1", "yes", "no", "false", "off", "0"].randomElement(using: &random) ?? ""
      text += Self.entry("enabled", value, &random)
    }
    if Int.random(in: 0..<4, using: &random) > 0 {
      text += Self.entry("default", ["allow", "reduced", "ask", "deny"].randomElement(using: &random) ?? "", &random)
    }
    return text
  }

  private static func rule(_ name: String, isFirst: Bool, random: inout SeededRandom) -> String {
    let blank = [" ", "  ", "\t", " \t "].randomElement(using: &random) ?? " "
    var entries: [(String, String)] = []
    func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }
    func add(_ key: String, _ values: [String], oneIn times: Int) {
      if Int.random(in: 0..<times, using: &random) == 0 { entries.append((key, pick(values))) }
    }
    let selectors = isFirst ? 2 : 6
    add("user", Society.userNames, oneIn: selectors)
    add("group", Society.groupNames, oneIn: selectors)
    add("unit", Society.units, oneIn: selectors)
    if isFirst, entries.isEmpty { entries.append(("group", pick(Society.groupNames))) }
    if !isFirst { add(pick(["user", "group", "unit", "grant", "wake"]), [""], oneIn: 6) }
    let keys = Set(entries.map(\.0))
    if !keys.contains("grant") { add("grant", ["deny", "whenInUse", "always", "always", ""], oneIn: 2) }
    add("precision", ["precise", "reduced", "reduced"], oneIn: 3)
    add("min-interval", ["0", "5", "5s", "2min", "1h", "60s", "86400"], oneIn: 4)
    if !keys.contains("wake") { add("wake", ["a.service", "a.service \t b@x.service", ""], oneIn: 4) }
    add("agent", ["no", "yes", "yes", "all"], oneIn: 4)
    add("admin", ["yes", "no", "1", "off"], oneIn: 4)
    entries.shuffle(using: &random)
    if Int.random(in: 0..<60, using: &random) == 0, let entry = entries.first { entries.append(entry) }
    if Int.random(in: 0..<60, using: &random) == 0 {
      entries.append((pick(["uid", "grants", "precison", "Admin"]), "yes"))
    }
    if Int.random(in: 0..<60, using: &random) == 0, let entry = entries.last {
      entries[entries.count - 1] = (entry.0, entry.1.uppercased())
    }
    let title = Self.line("[\(pick(["", " "]))rule\(blank)\(name)\(pick(["", "", " "]))]", &random)
    return title + entries.map { Self.entry($0.0, $0.1, &random) }.joined()
  }

  private static func entry(_ key: String, _ value: String, _ random: inout SeededRandom) -> String {
    let blank = ["", "", "", " ", "\t"]
    let before = blank.randomElement(using: &random) ?? ""
    let after = blank.randomElement(using: &random) ?? ""
    return self.line("\(key)\(before)=\(after)\(value)", &random)
  }

  private static func line(_ text: String, _ random: inout SeededRandom) -> String {
    let noise = Int.random(in: 0..<12, using: &random)
    let before = noise == 0 ? "# grant=always\n" : noise == 1 ? "\n \t\n" : ""
    return before + (noise == 2 ? "  " : "") + text + (noise == 3 ? " \t" : "") + "\n"
  }

  /// One edit, of the kinds that editors, disks and people make.
  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: bytes.indices, using: &random)
    let until = min(bytes.count, place + Int.random(in: 1...20, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.insert(Array("\n=[]# \0\u{FF}-0a".utf8).randomElement(using: &random) ?? 0, at: place)
    case 2: bytes.removeSubrange(place..<until)
    case 3: bytes.insert(contentsOf: bytes[place..<until], at: Int.random(in: bytes.indices, using: &random))
    case 4: bytes.removeLast(bytes.count - place)
    default: bytes.swapAt(place, Int.random(in: bytes.indices, using: &random))
    }
  }
}
