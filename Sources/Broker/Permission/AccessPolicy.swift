package import Positioning

/// The administrator's rules about who may know the position.
///
/// Any rule that denies a client has precedence; else the first rule that matches it decides alone. If there is none,
/// or it has no grant, a person's decision applies, and then `fallback`. Root needs no rule.
package struct AccessPolicy: Hashable, Sendable {
  /// For clients for whom neither a rule nor a person decides.
  package enum Fallback: String, Hashable, Sendable, CaseIterable {
    case allow, reduced, ask, deny
  }

  /// The master switch of the configuration.
  package var isEnabled = true
  package var fallback = Fallback.ask
  package var rules: [AccessRule] = []

  package init() {}
}

/// One rule: whom it is for, and what it grants or denies.
package struct AccessRule: Hashable, Sendable {
  package enum GroupSelector: Hashable, Sendable {
    case number(UInt32)
    /// There is no such group, so nobody is in it.
    case absent
    /// The lookup of the group failed.
    case unknown
  }

  package var name: String
  // All that are set must match.
  package var user: String?
  /// The number of the user when the rule was read: a rule that denies also matches other names of the number.
  package var uid: UInt32?
  /// The configured group; its number is not known until it is looked up.
  package var groupName: String? {
    didSet { self.group = self.groupName.map { _ in .unknown } }
  }
  package var group: GroupSelector?
  package var unit: String?

  /// `nil`: a person or the fallback decides.
  package var grant: GrantedLevel?
  /// The finest precision, whoever grants.
  package var precision = Precision.precise
  package var minInterval: Duration = .zero
  /// The units that durable events of its clients may start.
  package var wake: [String] = []
  package var agent = AgentScope.none
  package var isAdministrator = false
  /// Whether its clients may say for which user they ask.
  package var isRelay = false

  package init(name: String) { self.name = name }
}

/// The users for whom a client may answer prompts.
package enum AgentScope: String, Hashable, Sendable, CaseIterable {
  case none
  /// Its own user.
  case own
  case all
}

/// The access of one client, which `AccessPolicy` derives from its principal, the rules, and a person's decision.
package struct Access: Hashable, Sendable {
  /// The authorization for the client. If nothing is granted, the precision is the finest possible one.
  package var authorization: Authorization
  /// The least time between two fixes that it gets; zero: no limit.
  package var minInterval: Duration = .zero
  /// The units that its durable events may start, while anything is granted.
  package var wake: [String] = []
  /// The users for whom it may answer prompts.
  package var agent: AgentScope = .none
  package var isAdministrator = false
  /// Whether it may say for which user it asks.
  package var isRelay = false
  /// Whether a person may be asked and could grant more. After a person's denial only if forced.
  package var isAskable = false
  /// The finest precision that a person may grant.
  package var ceiling: Precision = .precise

  /// The client's feed; `nil`: none.
  package var feed: FixFeedKey? {
    guard self.authorization.state.isGranted else { return nil }
    return FixFeedKey(precision: self.authorization.precision, minInterval: self.minInterval)
  }
}
