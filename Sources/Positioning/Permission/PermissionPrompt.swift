/// A question to a person: may the programs of this user know the position? One of them asks.
public struct PermissionPrompt: Hashable, Sendable {
  /// The program that asks. Its `name` and `purpose` are its own claims; the rest comes from the kernel. Show the rest
  /// first, and escape all of it before printing it to a terminal.
  public var principal: Principal
  /// The requested level: while connected, or also for durable registrations.
  public var level: AuthorizationLevel
  /// The requested precision.
  public var precision: Precision
  /// How long an answer is accepted.
  public var expiresIn: Duration

  public init(
    principal: Principal, level: AuthorizationLevel = .whenInUse, precision: Precision = .precise,
    expiresIn: Duration = .seconds(120)
  ) {
    self.principal = principal
    self.level = level
    self.precision = precision
    self.expiresIn = expiresIn
  }
}

/// A person's answer to a prompt.
public struct PromptAnswer: Hashable, Sendable {
  /// Yes or no.
  public var isAllowed: Bool
  /// The granted level, if it is less than requested; it is never more.
  public var level: AuthorizationLevel?
  /// The granted precision, if it is less than requested; it is never more.
  public var precision: Precision?
  /// Whether the answer is stored; if so, for all programs of the user, if not, it holds only for the waiting
  /// connections.
  public var isRemembered: Bool

  public init(
    isAllowed: Bool, level: AuthorizationLevel? = nil, precision: Precision? = nil, isRemembered: Bool = true
  ) {
    self.isAllowed = isAllowed
    self.level = level
    self.precision = precision
    self.isRemembered = isRemembered
  }

  /// Yes. An absent level or precision is granted as requested; never is more granted than requested.
  ///
  /// - Parameter remember: Whether the answer is stored for all programs of the user; else it holds for the waiting
  ///   connections.
  public static func allow(
    level: AuthorizationLevel? = nil, precision: Precision? = nil, remember: Bool = true
  ) -> PromptAnswer {
    PromptAnswer(isAllowed: true, level: level, precision: precision, isRemembered: remember)
  }

  /// No; `remember` as in `allow`.
  public static func deny(remember: Bool = true) -> PromptAnswer {
    PromptAnswer(isAllowed: false, isRemembered: remember)
  }
}
