package import Positioning

/// What one client may have: what `AccessPolicy` makes of who it is, of the rules, and of a person's answer.
package struct Access: Hashable, Sendable {
  /// What the client is told of it. Where nothing is granted, its precision is the finest that could be.
  package var authorization: Authorization
  /// The least time between two fixes that it gets; zero: all of them.
  package var minInterval: Duration
  /// The system units that its durable events may start, while it is granted anything.
  package var wake: [String]
  /// For whom it may answer prompts.
  package var agent: AgentScope
  package var isAdministrator: Bool
  /// Whether a person may be asked, and could grant more than it has. After a person's no, only by force.
  package var isAskable: Bool
  /// The finest that a person may grant.
  package var ceiling: Precision

  package init(
    authorization: Authorization, minInterval: Duration = .zero, wake: [String] = [], agent: AgentScope = .none,
    isAdministrator: Bool = false, isAskable: Bool = false, ceiling: Precision = .precise
  ) {
    self.authorization = authorization
    self.minInterval = minInterval
    self.wake = wake
    self.agent = agent
    self.isAdministrator = isAdministrator
    self.isAskable = isAskable
    self.ceiling = ceiling
  }

  /// Which fixes it gets to see; `nil`: none.
  package var feed: FixFeedKey? {
    guard self.authorization.state.isGranted else { return nil }
    return FixFeedKey(precision: self.authorization.precision, minInterval: self.minInterval)
  }
}
