import Broker
import Configuration
import EventLoop

/// Who the users and groups are that the rules name.
extension Settings {
  /// The rules with the system's numbers in them.
  ///
  /// - Parameter warn: hears of each rule that names whom the system does not know.
  func accessPolicy(warn: (String) -> Void) -> AccessPolicy {
    var users: [String: AccountLookup<UInt32>] = [:]
    var groups: [String: AccountLookup<UInt32>] = [:]
    for name in Set(self.rules.compactMap(\.user)) { users[name] = .user(named: name) }
    for name in Set(self.rules.compactMap(\.group)) { groups[name] = .group(named: name) }
    for rule in self.rules {
      let doubts = [rule.userDoubt(users), rule.groupDoubt(groups)].compactMap { $0 }
      if !doubts.isEmpty { warn("[rule \(rule.name)]: \(doubts.joined(separator: "; "))") }
    }
    return self.accessPolicy {
      if case .found(let uid)? = users[$0] { uid } else { nil }
    } groups: {
      switch groups[$0] {
      case .found(let gid)?: .number(gid)
      case .absent?: .absent
      case .unknown?, nil: .unknown
      }
    }
  }
}

extension Settings.Rule {
  /// In words what is wrong with `user=`, if anything. Clients are known by name, so one who comes later counts at once.
  fileprivate func userDoubt(_ users: [String: AccountLookup<UInt32>]) -> String? {
    guard let user = self.user else { return nil }
    switch users[user] {
    case .found?, nil: return nil
    case .absent?: return "there is no user \(user)"
    case .unknown(let error)?: return "the system cannot say who user \(user) is, so the name alone counts: \(error)"
    }
  }

  /// The same for `group=`, which the kernel knows by number alone.
  fileprivate func groupDoubt(_ groups: [String: AccountLookup<UInt32>]) -> String? {
    guard let group = self.group else { return nil }
    switch groups[group] {
    case .found?, nil: return nil
    case .absent?: return "there is no group \(group), so the rule is for nobody; make it, and reload positiond"
    case .unknown(let error)?:
      let effect = self.grant == .deny ? "the rule counts for everybody whom the rest of it fits" : "it is for nobody"
      return "the system cannot say which group \(group) is, so \(effect) until positiond is reloaded: \(error)"
    }
  }
}
