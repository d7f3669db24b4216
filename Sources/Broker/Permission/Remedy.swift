import Positioning

/// Texts for people: who can change that a client has less than full access, and how.
enum Remedy {
  private static let reload = "then systemctl reload positiond"

  static func switchedOff(isEnabled: Bool, isSwitchedOn: Bool, unread: String? = nil) -> String {
    let configuration =
      isEnabled ? nil : "an administrator sets enabled=yes in [authorization] of positiond.conf, \(self.reload)"
    let stored =
      isSwitchedOn
      ? nil
      : unread.map {
        "what was decided of permission cannot be read (\($0)): an administrator denies again whom that concerns, then "
          + "turns the service on with positionctl auth enable"
      } ?? "an administrator turns the service on with positionctl auth enable"
    return [configuration, stored].compactMap { $0 }.joined(separator: "; and ")
  }

  /// A rule denies. `fact`: a failed lookup, if the rule does not certainly match the client.
  static func denied(by rule: AccessRule, because fact: UnknownFact?, of principal: Principal) -> String {
    let change = "an administrator changes [rule \(rule.name)] in positiond.conf, \(self.reload)"
    guard let fact else { return change }
    let unknown =
      switch fact {
      case .userName: "what user \(principal.uid) is called"
      case .group: "which group it names"
      case .unit: "to which unit this program belongs"
      case .membership: "which groups user \(principal.user ?? "\(principal.uid)") has"
      case .owner: "whose subordinate number \(principal.subordinate ?? principal.uid) is"
      }
    return "that rule counts because the system cannot say \(unknown); \(change)"
  }

  /// A person denied it.
  static func denied(user: String?, isAskable: Bool) -> String {
    guard let user else { return "positionctl auth request --force asks again" }
    let removal = "an administrator removes the answer with positionctl auth revoke \(user)"
    return isAskable ? "positionctl auth request --force asks again; or \(removal)" : removal
  }

  /// A person granted less than is possible.
  static func shortOf(decisionFor user: String?, isAskable: Bool) -> String {
    guard let user else { return "positionctl auth request asks for more" }
    let grant = "an administrator grants more with positionctl auth grant \(user)"
    return isAskable ? "positionctl auth request asks for more; or \(grant)" : grant
  }

  /// `nil`: the rule does not restrict.
  static func shortOf(rule: AccessRule) -> String? {
    guard rule.grant == .whenInUse || rule.precision < .precise else { return nil }
    return "an administrator changes [rule \(rule.name)] in positiond.conf, \(self.reload)"
  }

  /// A relay's client has at most a connection's permission.
  static let relayed = "a program that connects to positiond itself may have more"

  /// By a subordinate number a user has at most a connection's permission.
  static func subordinate(_ principal: Principal) -> String {
    "a program that runs with \(principal.user.map { "\($0)'s" } ?? "a user's") own number may have more"
  }

  /// It cannot be known who owns the client's number.
  static func unowned(_ principal: Principal) -> String {
    "the system cannot say whose subordinate number \(principal.subordinate ?? principal.uid) is: an administrator sees to"
      + " /etc/subuid, then the program connects again"
  }

  /// No rule grants anything.
  static func unruled(_ principal: Principal) -> String {
    if principal.mayKeep, let user = principal.user { return "adduser \(user) position, and a new login" }
    // Such a user cannot be put into a group, and has no permanent name.
    let unit = if case .named(let name) = principal.unit { name } else { "NAME.service" }
    return "an administrator writes a rule with unit=\(unit) and grant=always into positiond.conf for the unit that"
      + " user \(principal.user ?? "\(principal.uid)") belongs to, \(self.reload)"
  }
}
