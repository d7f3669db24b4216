/// A client's request for permission.
public struct AuthorizationRequest: Hashable, Sendable {
  /// While connected, or also for durable registrations.
  public var level: AuthorizationLevel
  /// The requested precision.
  public var precision: Precision
  /// Whether to ask again after a person answered no; a rule cannot be overridden.
  public var isForced: Bool

  public init(level: AuthorizationLevel = .whenInUse, precision: Precision = .precise, isForced: Bool = false) {
    self.level = level
    self.precision = precision
    self.isForced = isForced
  }
}
