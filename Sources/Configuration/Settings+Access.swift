package import Broker

extension Settings {
  /// What the rules say of who may know the position.
  ///
  /// - Parameters:
  ///   - users: the number of the user of that name, where there is one.
  ///   - groups: which group has that name.
  package func accessPolicy(
    users: (String) -> UInt32?, groups: (String) -> AccessRule.GroupSelector
  ) -> AccessPolicy {
    var policy = AccessPolicy()
    policy.isEnabled = self.authorization.isEnabled
    policy.fallback = self.authorization.fallback
    policy.rules = self.rules.map { $0.accessRule(users: users, groups: groups) }
    return policy
  }
}

extension Settings.Rule {
  fileprivate func accessRule(
    users: (String) -> UInt32?, groups: (String) -> AccessRule.GroupSelector
  ) -> AccessRule {
    var rule = AccessRule(name: self.name)
    rule.user = self.user
    rule.uid = self.user.flatMap(users)
    rule.group = self.group.map(groups)
    rule.unit = self.unit
    rule.grant = self.grant
    rule.precision = self.precision
    rule.minInterval = self.minInterval
    rule.wake = self.wake
    rule.agent = self.agent
    rule.isAdministrator = self.isAdministrator
    return rule
  }
}
