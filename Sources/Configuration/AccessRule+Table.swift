package import Broker

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
