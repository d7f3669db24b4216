package import Positioning

/// The access of one client, which `AccessPolicy` derives from its principal, the rules, and a person's decision.
package struct Access: Hashable, Sendable {
  /// The authorization for the client. If nothing is granted, the precision is the finest possible one.
  package var authorization: Authorization
  /// The least time between two fixes that it gets; zero: no limit.
  package var minInterval: Duration
  /// The units that its durable events may start, while anything is granted.
  package var wake: [String]
  /// The users for whom it may answer prompts.
  package var agent: AgentScope
  package var isAdministrator: Bool
  /// Whether it may say for which user it asks.
  package var isRelay: Bool
  /// Whether a person may be asked and could grant more. After a person's denial only if forced.
  package var isAskable: Bool
  /// The finest precision that a person may grant.
  package var ceiling: Precision

  package init(
    authorization: Authorization, minInterval: Duration = .zero, wake: [String] = [], agent: AgentScope = .none,
    isAdministrator: Bool = false, isRelay: Bool = false, isAskable: Bool = false, ceiling: Precision = .precise
  ) {
    self.authorization = authorization
    self.minInterval = minInterval
    self.wake = wake
    self.agent = agent
    self.isAdministrator = isAdministrator
    self.isRelay = isRelay
    self.isAskable = isAskable
    self.ceiling = ceiling
  }

  /// The client's feed; `nil`: none.
  package var feed: FixFeedKey? {
    guard self.authorization.state.isGranted else { return nil }
    return FixFeedKey(precision: self.authorization.precision, minInterval: self.minInterval)
  }
}
