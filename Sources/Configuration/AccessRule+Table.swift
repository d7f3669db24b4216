package import Broker
import Positioning

/// The section `[rule NAME]`: what some clients may do.
extension AccessRule {
  package static let defaults = AccessRule(name: "NAME")

  /// The kind of section that a rule is.
  package static let section = "rule"

  /// The keys of a rule, in the order of the installed file and the documentation.
  package static let table: [ConfigurationKey<AccessRule>] = [
    ConfigurationKey(
      section, "user", \.user, .orUnset(.accountName("user")),
      "Clients of this user; those of user=, group= and unit= that are set must all match"),
    ConfigurationKey(
      section, "group", \.groupName, .orUnset(.accountName("group")),
      "Clients in this group; with grant=deny also those whose user is in it, whatever groups their process has"),
    ConfigurationKey(
      section, "unit", \.unit, .orUnset(.serviceUnit),
      "Clients that are part of this systemd service"),
    ConfigurationKey(
      section, "grant", \.grant, .orUnset(.choice()),
      "deny: never; whenInUse: while connected; always: also durable registrations; empty: a person or default= decides"
    ),
    ConfigurationKey(
      section, "precision", \.precision, .choice(),
      "The finest precision that they get, whoever grants it: precise, or reduced to a few kilometres"),
    ConfigurationKey(
      section, "min-interval", \.minInterval, .duration(.zero ... .seconds(86_400)),
      "The least time between two fixes that they get; 0s: no limit"),
    ConfigurationKey(
      section, "wake", \.wake, .wakeUnits,
      "Units that an event of a durable registration may start; wake.md says what else is necessary"),
    ConfigurationKey(
      section, "agent", \.agent, .agentScope,
      "Whether they may be agents for their own user; all: for every user, only in a rule with user="),
    ConfigurationKey(
      section, "admin", \.isAdministrator, .boolean,
      "Whether they may see all clients, grant and revoke, and turn the service off, as root may"),
    ConfigurationKey(
      section, "relay", \.isRelay, .boolean,
      "Whether they may say for which user they ask, as positiond-geoclue does; whoever may, speaks for every user"),
  ]
}

extension AccessRule {
  var hasSelector: Bool { self.user != nil || self.groupName != nil || self.unit != nil }

  /// Ends the sentence "expected ...".
  static let nameExpectation = "at most 64 letters, digits or -_. such as [rule members]"

  /// Names of rules appear in logs and replies.
  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { isNameByte($0) || $0 == UInt8(ascii: ".") }
  }
}

extension SettingKind where Value == String {
  /// The name of a user or a group. One that does not exist yet may be created later, so it is not looked up.
  ///
  /// - Parameter what: `user` or `group`.
  static func accountName(_ what: String) -> SettingKind {
    .text("a \(what)'s name, not its number", longest: 255) { text in
      // Characters that no user database allows. A list would otherwise be read as one strange name.
      let unfit: Set<UInt8> = [UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "/")]
      return !text.isEmpty && !text.utf8.contains { unfit.contains($0) } && !text.utf8.allSatisfy(isDigit)
    }
  }

  /// A systemd service, by its full name.
  static var serviceUnit: SettingKind {
    .text("a service unit's full name, such as map.service") { WakeUnit.isValid($0) }
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
