/// The answer of a person, or of an administrator, for all programs of one user.
public struct Decision: Hashable, Sendable {
  /// Whom it is for, by name: a number that another user has now is not theirs. `nil`: the number has no name, and the
  /// decision holds for a connection, and is not kept.
  public var user: String?
  /// What the programs may have; `nil`: nothing.
  public var level: AuthorizationLevel?
  /// How precisely they may know the position; without a level it says nothing.
  public var precision: Precision
  /// When it was decided.
  public var at: Instant

  public init(user: String?, level: AuthorizationLevel?, precision: Precision = .precise, at: Instant) {
    self.user = user
    self.level = level
    self.precision = precision
    self.at = at
  }
}

/// What was decided for all programs of one user, by the user or an administrator.
public struct Grant: Hashable, Sendable {
  /// The user's number: a decision holds for the number and the name together.
  public var uid: UInt32
  public var decision: Decision
  /// Whether it is on the disk; else it counts, and a daemon that dies now has not known it.
  public var isStored: Bool

  public init(uid: UInt32, decision: Decision, isStored: Bool = true) {
    self.uid = uid
    self.decision = decision
    self.isStored = isStored
  }
}
