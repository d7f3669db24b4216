import Broker
import Configuration
import Positioning

/// Policy files, read line by line and judged by docs/permission.md, with as little as possible in common with the
/// daemon: only text.
struct PolicyText {
  private var authorization: [String: String] = [:]
  /// In the order in which their names first occur.
  private var rules: [(name: String, keys: [String: String])] = []

  init(_ files: [ConfigurationFile]) {
    for file in files {
      var section: [String] = []
      let text = String(decoding: file.contents, as: UTF8.self).unicodeScalars
      for raw in (text.first == "\u{FEFF}" ? text.dropFirst() : text[...]).split(separator: "\n") {
        let line = Self.trimmed(String(raw))
        if line.isEmpty || line.hasPrefix("#") { continue }
        if let title = Self.title(of: line) {
          section = title
          if title.first == "rule", let name = title.last, !self.rules.contains(where: { $0.name == name }) {
            self.rules.append((name, [:]))
          }
          continue
        }
        guard let equals = line.unicodeScalars.firstIndex(of: "=") else { continue }
        let key = Self.trimmed(String(line.unicodeScalars[..<equals]))
        let value = Self.trimmed(String(line.unicodeScalars[equals...].dropFirst()))
        if section == ["authorization"] { self.authorization[key] = value }
        if section.first == "rule", let place = self.rules.firstIndex(where: { $0.name == section.last }) {
          // An empty value is the same as an absent key.
          self.rules[place].keys[key] = value.isEmpty ? nil : value
        }
      }
    }
  }

  private static func trimmed(_ text: String) -> String {
    let blanks: Set<Unicode.Scalar> = [" ", "\t", "\r"]
    let scalars = text.unicodeScalars
    let start = scalars.drop { blanks.contains($0) }
    return String(String.UnicodeScalarView(start.reversed().drop { blanks.contains($0) }.reversed()))
  }

  /// The text between the brackets.
  private static func title(of line: String) -> [String]? {
    guard line.hasPrefix("[") else { return nil }
    return line.split(whereSeparator: { "[] \t\r".contains($0) }).map { String($0) }
  }

  // MARK: Judging

  func reading(of client: Principal, decision: Decision?, isSwitchedOn: Bool) -> Reading {
    var reading = self.reading(of: client, decision: decision)
    // Admin methods stay root's.
    if client.uid == 0 { reading.isAdministrator = true }
    // Either switch.
    if !isSwitchedOn || ["no", "false", "off", "0"].contains(self.authorization["enabled"] ?? "yes") {
      reading.state = "disabled"
      reading.isPrecise = false
      reading.rule = nil
      reading.isAskable = false
    }
    return reading
  }

  private func reading(of client: Principal, decision: Decision?) -> Reading {
    // Any matching denial has precedence.
    if let deny = self.rules.first(where: { $0.keys["grant"] == "deny" && self.mayBeFor($0.keys, client) }) {
      var reading = Reading(state: "restricted")
      if self.isFor(deny.keys, client) { Self.addTerms(of: deny.keys, to: &reading) }
      reading.rule = deny.name
      return reading
    }
    // Then the first match.
    let rule = self.rules.first { self.isFor($0.keys, client) }
    let mayBePrecise = rule?.keys["precision"] != "reduced"
    var reading: Reading
    if let rule, let grant = rule.keys["grant"] {
      reading = Reading(state: grant)
      reading.isPrecise = mayBePrecise
      reading.rule = rule.name
    } else if client.uid == 0 {
      reading = Reading(state: "always")
      reading.isPrecise = mayBePrecise
    } else {
      reading = self.unruled(client, decision, mayBePrecise: mayBePrecise)
    }
    if let rule { Self.addTerms(of: rule.keys, to: &reading) }
    return reading
  }

  /// A person's decision for this user by name and number, and then the default.
  private func unruled(_ client: Principal, _ decision: Decision?, mayBePrecise: Bool) -> Reading {
    let fallback = self.authorization["default"] ?? "ask"
    var reading = Reading(state: "notDetermined")
    if let decision, let user = client.user, decision.user == user {
      guard let level = decision.level else {
        reading.state = "denied"
        reading.isAskable = fallback == "ask"
        return reading
      }
      reading.state = level == .always ? "always" : "whenInUse"
      reading.isPrecise = mayBePrecise && decision.precision == .precise
      reading.isAskable = fallback == "ask" && (level != .always || (mayBePrecise && !reading.isPrecise))
      return reading
    }
    switch fallback {
    case "allow": reading.state = "always"
    case "reduced": reading.state = "always"
    case "deny": reading.state = "restricted"
    // Nobody is asked about a client without a name.
    default: reading.isAskable = client.user != nil
    }
    reading.isPrecise = mayBePrecise && fallback == "allow"
    reading.rule = fallback == "ask" ? nil : "default"
    // A client without a name may be the user who was granted less, or nothing.
    if let decision, client.user == nil, reading.state == "always" {
      let before = reading
      switch decision.level {
      case nil:
        reading.state = "denied"
        reading.isPrecise = false
      case .whenInUse?: reading.state = "whenInUse"
      case .always?: break
      }
      if decision.precision == .reduced { reading.isPrecise = false }
      if (reading.state, reading.isPrecise) != (before.state, before.isPrecise) { reading.rule = nil }
    }
    return reading
  }

  private static func addTerms(of keys: [String: String], to reading: inout Reading) {
    reading.interval = keys["min-interval"].map { self.seconds($0) } ?? 0
    reading.wake = Set((keys["wake"] ?? "").split(whereSeparator: { " \t".contains($0) }).map { String($0) })
    reading.agent = keys["agent"] ?? "no"
    reading.isAdministrator = ["yes", "true", "on", "1"].contains(keys["admin"] ?? "no")
  }

  private static func seconds(_ text: String) -> Int {
    for (unit, factor) in [("min", 60_000), ("ms", 1), ("h", 3_600_000), ("s", 1000)] where text.hasSuffix(unit) {
      return (Int(text.dropLast(unit.count)) ?? -1) * factor / 1000
    }
    return Int(text) ?? -1
  }

  // MARK: Matching

  /// Certainly: an unknown fact does not match.
  private func isFor(_ keys: [String: String], _ client: Principal) -> Bool {
    let answers = [
      keys["user"].map { client.user == $0 }, keys["group"].map { self.isIn($0, client, ifUnknown: false) },
      keys["unit"].map { client.unit == .named($0) },
    ].compactMap { $0 }
    return !answers.isEmpty && !answers.contains(false)
  }

  /// Possibly: an unknown fact matches, and a user is also identified by number.
  private func mayBeFor(_ keys: [String: String], _ client: Principal) -> Bool {
    let answers = [
      keys["user"].map { client.user == nil || client.user == $0 || Society.users[$0] == client.uid },
      keys["group"].map { self.isIn($0, client, ifUnknown: true) },
      keys["unit"].map { client.unit == .unknown || client.unit == .named($0) },
    ].compactMap { $0 }
    return !answers.isEmpty && !answers.contains(false)
  }

  private func isIn(_ group: String, _ client: Principal, ifUnknown: Bool) -> Bool {
    switch group {
    case "position": client.groups.contains(50)
    case "staff": client.groups.contains(51)
    case "wheel": client.groups.contains(0)
    case "far": ifUnknown
    default: false
    }
  }
}

extension Instant {
  static let boot = Instant(sinceBoot: .zero)
}
