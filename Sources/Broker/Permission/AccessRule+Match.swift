import Positioning

/// Whether a rule is for a client.
enum RuleMatch: Hashable, Sendable {
  case yes, no
  /// Possibly: a lookup failed, and everything known matches.
  case unknown(UnknownFact)
}

/// The failed lookup.
enum UnknownFact: Hashable, Sendable {
  case userName, group, unit
  /// The groups that the system has for the user.
  case membership
  /// Whose subordinate number it is.
  case owner
}

extension AccessRule {
  /// For a rule that grants: all its selectors match.
  func match(_ principal: Principal) -> RuleMatch {
    self.joined(
      self.user.map { Self.userMatch($0, principal) }, self.group.map { Self.groupMatch($0, principal) }, principal)
  }

  /// For a rule that denies: another name of the user's number is the same user, and a group that the process has given
  /// up is still the user's.
  func matchForDenial(_ principal: Principal) -> RuleMatch {
    self.joined(
      self.user.map { self.uid == principal.uid ? .yes : Self.userMatch($0, principal) },
      self.group.map { Self.groupMatchForDenial($0, principal) }, principal)
  }

  /// For a rule that limits: it matches, or would if the process had not given up the group.
  func matchForLimit(_ principal: Principal) -> RuleMatch {
    self.joined(
      self.user.map { Self.userMatch($0, principal) }, self.group.map { Self.groupMatchForDenial($0, principal) },
      principal)
  }

  /// A rule without selectors matches nobody. One selector that does not match decides, whatever is unknown.
  private func joined(_ user: RuleMatch?, _ group: RuleMatch?, _ principal: Principal) -> RuleMatch {
    let selectors = [user, group, self.unit.map { Self.unitMatch($0, principal) }].compactMap { $0 }
    guard !selectors.isEmpty, !selectors.contains(.no) else { return .no }
    return selectors.first { $0 != .yes } ?? .yes
  }

  private static func userMatch(_ user: String, _ principal: Principal) -> RuleMatch {
    principal.user.map { $0 == user ? .yes : .no } ?? .unknown(.userName)
  }

  /// The process has the group, and not from a program's file alone.
  private static func groupMatch(_ group: GroupSelector, _ principal: Principal) -> RuleMatch {
    switch group {
    case .number(let number):
      if !principal.ownGroups.contains(number) { .no } else { principal.isOwnerUnknown ? .unknown(.owner) : .yes }
    case .absent: .no
    case .unknown: .unknown(.group)
    }
  }

  /// The process or its user has the group.
  private static func groupMatchForDenial(_ group: GroupSelector, _ principal: Principal) -> RuleMatch {
    switch group {
    case .number(let number):
      if principal.groups.contains(number) {
        .yes
      } else {
        principal.accountGroups.map { $0.contains(number) ? .yes : .no } ?? .unknown(.membership)
      }
    case .absent: .no
    case .unknown: .unknown(.group)
    }
  }

  private static func unitMatch(_ unit: String, _ principal: Principal) -> RuleMatch {
    switch principal.unit {
    case .named(let name): name == unit ? .yes : .no
    case .none: .no
    case .unknown: .unknown(.unit)
    }
  }
}
