/// What a client asks to be allowed.
public struct AuthorizationRequest: Hashable, Sendable {
  /// While connected, or also for what outlives the connection.
  public var level: AuthorizationLevel
  /// How precisely the client wants to know the position.
  public var precision: Precision
  /// Whether to ask again after a person's no; a rule is never asked past.
  public var isForced: Bool

  public init(level: AuthorizationLevel = .whenInUse, precision: Precision = .precise, isForced: Bool = false) {
    self.level = level
    self.precision = precision
    self.isForced = isForced
  }
}
