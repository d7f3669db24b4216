package import Broker

extension Settings {
  /// Takes into the rules whom the system knows by the names that they hold.
  ///
  /// - Parameters:
  ///   - users: the number of the user of that name, where there is one.
  ///   - groups: which group has that name.
  package mutating func resolveRules(users: (String) -> UInt32?, groups: (String) -> AccessRule.GroupSelector) {
    for place in self.rules.indices {
      self.rules[place].uid = self.rules[place].user.flatMap(users)
      self.rules[place].group = self.rules[place].groupName.map(groups)
    }
  }
}
