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
  /// The rule that decided, if one did.
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
