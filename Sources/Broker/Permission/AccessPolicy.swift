package import Positioning

/// What the administrator says of who may know the position.
///
/// Any rule that denies a client wins; else the first rule that matches it decides, alone and wholly. Without one, and
/// where that rule says nothing of a grant, a person's decision counts, and then `fallback`. Root needs no rule.
package struct AccessPolicy: Hashable, Sendable {
  /// For clients of whom neither a rule nor a person says anything.
  package enum Fallback: String, Hashable, Sendable, CaseIterable {
    case allow, reduced, ask, deny
  }

  /// The master switch of the configuration.
  package var isEnabled = true
  package var fallback = Fallback.ask
  package var rules: [AccessRule] = []

  package init() {}
}

/// One rule: whom it is for, and what it says of them.
package struct AccessRule: Hashable, Sendable {
  package enum Grant: String, Hashable, Sendable, CaseIterable {
    case deny, whenInUse, always
  }

  package enum GroupSelector: Hashable, Sendable {
    case number(UInt32)
    /// There is no such group: nobody is in it.
    case absent
    /// The system could not say which group it is.
    case unknown
  }

  package var name: String
  // All that are given must match.
  package var user: String?
  /// The number that the user's name had when the rule was read: a rule that denies also counts for another name of it.
  package var uid: UInt32?
  /// As the configuration names it; which group that is is not known until the system has said so.
  package var groupName: String? {
    didSet { self.group = self.groupName.map { _ in .unknown } }
  }
  package var group: GroupSelector?
  package var unit: String?

  /// `nil`: it leaves that to a person or to the fallback.
  package var grant: Grant?
  /// The finest that is told, whoever granted.
  package var precision = Precision.precise
  package var minInterval: Duration = .zero
  /// The system units that its clients' durable events may start.
  package var wake: [String] = []
  package var agent = AgentScope.none
  package var isAdministrator = false

  package init(name: String) { self.name = name }
}

/// For whom a client may answer prompts.
package enum AgentScope: String, Hashable, Sendable, CaseIterable {
  case none
  /// For its own user.
  case own
  case all
}
