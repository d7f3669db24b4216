import Broker
import Positioning

extension SettingKind where Value == String {
  /// The name of a user or a group. One that does not exist yet may be created later, so it is not looked up.
  ///
  /// - Parameter what: `user` or `group`.
  static func accountName(_ what: String) -> SettingKind {
    SettingKind(
      expectation: "a \(what)'s name, not its number",
      read: { (text: String) throws(SettingError) in
        // Characters that no user database allows. A list would otherwise be read as one strange name.
        let unfit: Set<UInt8> = [UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "/")]
        guard !text.isEmpty, !text.utf8.contains(where: { unfit.contains($0) }), !text.utf8.allSatisfy(isDigit) else {
          throw .malformed
        }
        guard text.utf8.count <= 255 else { throw .outOfRange }
        return text
      },
      write: { $0 })
  }
}

extension SettingKind where Value == String {
  /// A systemd service, by its full name.
  static var serviceUnit: SettingKind {
    SettingKind(
      expectation: "a service unit's full name, such as map.service",
      read: { (text: String) throws(SettingError) in
        guard WakeUnit.isValid(text) else { throw .malformed }
        return text
      },
      write: { $0 })
  }
}

extension SettingKind where Value == AgentScope {
  /// The users for whom a client may answer prompts.
  static var agentScope: SettingKind {
    SettingKind(
      expectation: "no | yes | all",
      read: { (text: String) throws(SettingError) in
        switch text {
        case "no": .none
        case "yes": .own
        case "all": .all
        default: throw .malformed
        }
      },
      write: { scope in
        switch scope {
        case .none: "no"
        case .own: "yes"
        case .all: "all"
        }
      })
  }
}

extension SettingKind where Value == [String] {
  /// The units that an event may start.
  static var wakeUnits: SettingKind {
    SettingKind(
      expectation: "names of service units with .service at their ends, separated by spaces",
      read: { (text: String) throws(SettingError) in
        var units: [String] = []
        for name in text.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
          let unit = String(Substring(name))
          guard WakeUnit.isValid(unit) else { throw .malformed }
          if !units.contains(unit) { units.append(unit) }
        }
        return units
      },
      write: { $0.joined(separator: " ") })
  }
}
