/// What a client may know.
public struct Authorization: Hashable, Sendable {
  /// Whether, and when, a client may know the position.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Not decided yet, by a rule or a person.
    case notDetermined
    /// A person answered no.
    case denied
    /// A rule denies it.
    case restricted
    /// The master switch is off.
    case disabled
    /// While connected.
    case whenInUse
    /// Also for durable registrations.
    case always

    /// Whether the client may know the position, at least while it is connected.
    public var isGranted: Bool { self == .whenInUse || self == .always }
  }

  /// Whether, and when, the client may know the position.
  public var state: State
  /// How precisely the client may know the position.
  public var precision: Precision
  /// The rule that decided; `nil` if none did.
  public var rule: String?
  /// Who can grant more, and how; absent if everything is granted.
  public var remedy: String?

  public init(state: State, precision: Precision = .precise, rule: String? = nil, remedy: String? = nil) {
    self.state = state
    self.precision = precision
    self.rule = rule
    self.remedy = remedy
  }

  /// Whether the client may know the position, at least while it is connected.
  public var isGranted: Bool { self.state.isGranted }

  /// Whether both the level and the precision are granted.
  public func covers(level: AuthorizationLevel, precision: Precision) -> Bool {
    switch level {
    case .whenInUse: guard self.isGranted else { return false }
    case .always: guard self.state == .always else { return false }
    }
    return self.precision >= precision
  }
}

/// How precisely a client may know the position; the finer is the greater.
public enum Precision: String, Hashable, Sendable, CaseIterable, Comparable {
  case precise, reduced

  public static func < (left: Precision, right: Precision) -> Bool { left == .reduced && right == .precise }
}

/// The levels that a client can request and a person can grant.
public enum AuthorizationLevel: String, Hashable, Sendable, CaseIterable, Comparable {
  /// While connected.
  case whenInUse
  /// Also for durable registrations.
  case always

  public static func < (left: AuthorizationLevel, right: AuthorizationLevel) -> Bool {
    left == .whenInUse && right == .always
  }

  /// The state of who has it.
  package var state: Authorization.State { self == .always ? .always : .whenInUse }
}

/// A client's request for permission.
public struct AuthorizationRequest: Hashable, Sendable {
  /// While connected, or also for durable registrations.
  public var level: AuthorizationLevel
  /// The requested precision: precise, or reduced to a few kilometres.
  public var precision: Precision
  /// Asks again after a person answered no; a rule cannot be overridden.
  public var isForced: Bool

  public init(level: AuthorizationLevel = .whenInUse, precision: Precision = .precise, isForced: Bool = false) {
    self.level = level
    self.precision = precision
    self.isForced = isForced
  }
}

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
  /// The user's number; a decision holds for the number and the name together.
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

/// The level that a rule or a decision grants, or that it denies.
package enum GrantedLevel: String, Hashable, Sendable, CaseIterable {
  case deny, whenInUse, always

  /// - Parameter level: `nil`: it denies.
  package init(_ level: AuthorizationLevel?) {
    switch level {
    case nil: self = .deny
    case .whenInUse: self = .whenInUse
    case .always: self = .always
    }
  }

  /// `nil` if it denies.
  package var level: AuthorizationLevel? {
    switch self {
    case .deny: nil
    case .whenInUse: .whenInUse
    case .always: .always
    }
  }
}
