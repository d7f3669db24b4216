package import Broker

extension Settings {
  /// What some clients may have; the section `[rule NAME]`.
  package struct Rule: Hashable, Sendable {
    /// What messages call it.
    package let name: String

    // Whom it is for: a client for whom all holds that is given. Something is given.

    /// Of this user; nobody has looked whether there is one.
    package var user: String?
    /// In this group, likewise.
    package var group: String?
    /// Of this service of the system, likewise.
    package var unit: String?

    // What it says of them.

    /// `nil`: it leaves that to a person, or to the default.
    package var grant: AccessRule.Grant?
    package var precision = Precision.precise
    /// The least time between two fixes.
    package var minInterval: Duration = .zero
    /// The system's service units that an event may start, each once.
    package var wake: [String] = []
    package var agent = AgentScope.none
    package var isAdministrator = false

    package init(name: String) {
      self.name = name
    }

    var hasSelector: Bool { self.user != nil || self.group != nil || self.unit != nil }

    /// Ends the sentence "expected ...".
    static let nameExpectation = "at most 64 letters, digits or -_. such as [rule members]"

    /// Names stand in logs and in replies.
    static func isName(_ text: String) -> Bool {
      guard (1...64).contains(text.utf8.count) else { return false }
      return text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
    }
  }
}

extension Settings.Rule: Configurable {
  package static let defaults = Settings.Rule(name: "NAME")

  /// The kind of section that a rule is.
  package static let section = "rule"

  /// Every key of a rule that this version knows, in the order in which the installed file and the documentation show
  /// them.
  package static let table: [ConfigurationKey<Settings.Rule>] = [
    ConfigurationKey(
      section, "user", \.user, .orUnset(.accountName("user")),
      "Whom the rule is for: clients of this user; all of user=, group= and unit= that are set must hold"),
    ConfigurationKey(
      section, "group", \.group, .orUnset(.accountName("group")),
      "Whom the rule is for: clients in this group"),
    ConfigurationKey(
      section, "unit", \.unit, .orUnset(.serviceUnit),
      "Whom the rule is for: clients of this service of the system"),
    ConfigurationKey(
      section, "grant", \.grant, .orUnset(.choice()),
      "deny: never; whenInUse: while connected; always: durable registrations too; empty: a person or default= decides"),
    ConfigurationKey(
      section, "precision", \.precision, .choice(),
      "The finest that they are told, whoever grants: precise, or reduced to a few kilometres"),
    ConfigurationKey(
      section, "min-interval", \.minInterval, .duration(.zero ... .seconds(86_400)),
      "The least time between two fixes that they get; 0s: none"),
    ConfigurationKey(
      section, "wake", \.wake, .wakeUnits,
      "System units that an event of a durable registration may start; wake.md tells what else it takes"),
    ConfigurationKey(
      section, "agent", \.agent, .agentScope,
      "Whether they may let a person answer for their own user; all: for every user, in a rule with user= only"),
    ConfigurationKey(
      section, "admin", \.isAdministrator, .boolean,
      "Whether they may see all clients, grant and revoke, and turn the service off, as root may"),
  ]
}
