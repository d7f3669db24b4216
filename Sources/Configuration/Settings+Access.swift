package import Broker

extension Settings {
  /// Enters the numbers of users and the members of groups into the rules.
  ///
  /// - Parameters:
  ///   - users: The number of the user with this name, if there is one.
  ///   - groups: The group with this name.
  package mutating func resolveRules(users: (String) -> UInt32?, groups: (String) -> AccessRule.GroupSelector) {
    for place in self.rules.indices {
      self.rules[place].uid = self.rules[place].user.flatMap(users)
      self.rules[place].group = self.rules[place].groupName.map(groups)
    }
  }
}
