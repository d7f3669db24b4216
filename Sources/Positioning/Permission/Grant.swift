/// The answer of a person, or of an administrator, for all programs of one user.
public struct Decision: Hashable, Sendable {
  /// The user's name, so that a later user of the same number does not inherit it. `nil`: the number has no name, and
  /// the decision holds for one connection and is not stored.
  public var user: String?
  /// The granted level; `nil`: none.
  public var level: AuthorizationLevel?
  /// How precisely they may know the position; without meaning if no level is granted.
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

/// The decision for all programs of one user, made by the user or an administrator.
public struct Grant: Hashable, Sendable {
  /// The user's number: a decision holds for the number and the name together.
  public var uid: UInt32
  public var decision: Decision
  /// Whether it is on the disk; if not, it applies, but is lost if the daemon dies now.
  public var isStored: Bool

  public init(uid: UInt32, decision: Decision, isStored: Bool = true) {
    self.uid = uid
    self.decision = decision
    self.isStored = isStored
  }
}
