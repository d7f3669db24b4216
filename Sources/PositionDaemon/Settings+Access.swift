import Broker
import Configuration
import EventLoop
import Positioning

/// The users and groups that the rules name.
extension Settings {
  /// The account lookups that the rules need.
  var accountQuestions: Set<AccountQuery> {
    Set(
      self.rules.compactMap(\.user).map { .userNumber($0) }
        + self.rules.compactMap(\.groupName).map { .groupNumber($0) })
  }

  /// Enters the looked up numbers into the rules.
  ///
  /// - Parameters:
  ///   - accounts: The results of the lookups.
  ///   - warn: Called with each rule whose user or group does not exist.
  mutating func resolveRules(
    _ accounts: [AccountQuery: AccountLookup<Account>], warn: (String) -> Void
  ) {
    for rule in self.rules {
      let doubts = [rule.userDoubt(accounts), rule.groupDoubt(accounts)].compactMap { $0 }
      if !doubts.isEmpty { warn("[rule \(rule.name)]: \(doubts.joined(separator: "; "))") }
    }
    self.resolveRules {
      if case .found(let user)? = accounts[.userNumber($0)] { user.number } else { nil }
    } groups: {
      switch accounts[.groupNumber($0)] {
      case .found(let group)?: .number(group.number)
      case .absent?: .absent
      case .unknown?, nil: .unknown
      }
    }
  }
}

extension AccessRule {
  /// What is wrong with `user=`, if anything. Clients are matched by name, so a user who is created later matches at
  /// once.
  fileprivate func userDoubt(_ accounts: [AccountQuery: AccountLookup<Account>]) -> String? {
    guard let user = self.user else { return nil }
    switch accounts[.userNumber(user)] {
    case .found?, nil: return nil
    case .absent?: return "there is no user \(user)"
    case .unknown(let error)?: return "cannot look up user \(user), so only the name counts: \(error)"
    }
  }

  /// What is wrong with `group=`, if anything. The kernel knows only the number of a group, so it must be looked up.
  fileprivate func groupDoubt(_ accounts: [AccountQuery: AccountLookup<Account>]) -> String? {
    guard let group = self.groupName else { return nil }
    switch accounts[.groupNumber(group)] {
    case .found?, nil: return nil
    case .absent?: return "there is no group \(group), so the rule matches nobody; create it and reload positiond"
    case .unknown(let error)?:
      let effect =
        self.grant == .deny ? "the rule applies to everybody who matches the rest of it" : "it matches nobody"
      return "cannot look up group \(group), so \(effect) until positiond is reloaded: \(error)"
    }
  }
}
