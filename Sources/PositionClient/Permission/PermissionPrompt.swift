public import PositionProtocol
import Positioning

/// A question to a person: may programs of this user, of which one asks, know where the device is?
public struct PermissionPrompt: Hashable, Sendable {
  /// Who asks. Its `name` and `purpose` are what the program says of itself, the rest is the kernel's word: show that
  /// first, and escape all of it before a terminal.
  public var principal: PrincipalObject
  /// What it asks for: while connected, or also for what outlives the connection.
  public var level: AuthorizationObject.Level
  /// How precisely it wants to know the position.
  public var precision: AuthorizationObject.Precision
  /// How long an answer counts.
  public var expiresIn: Duration

  /// A question as a test of a program may want one.
  public init(
    principal: PrincipalObject, level: AuthorizationObject.Level = .whenInUse,
    precision: AuthorizationObject.Precision = .precise, expiresIn: Duration = .seconds(120)
  ) {
    self.principal = principal
    self.level = level
    self.precision = precision
    self.expiresIn = expiresIn
  }

  init(_ request: AgentAuthorizeRequest) {
    self.init(
      principal: request.principal, level: request.level, precision: request.precision,
      expiresIn: .bounded(seconds: request.expiresIn))
  }
}

/// What a person says to a prompt.
public enum PromptDecision: Hashable, Sendable {
  /// Yes. What is absent is granted as it was asked for; no more than that is granted, whatever stands here.
  ///
  /// `remember` is whether it holds for all the user's programs and for later; else it is for the connections that wait
  /// for it.
  case allow(
    level: AuthorizationObject.Level? = nil, precision: AuthorizationObject.Precision? = nil, remember: Bool = true)
  /// No; `remember` as with yes.
  case deny(remember: Bool = true)
}

extension AgentAuthorizeRequest.Result {
  init(_ decision: PromptDecision) {
    switch decision {
    case .allow(let level, let precision, let remember):
      self.init(decision: .allow, level: level, precision: precision, remember: remember)
    case .deny(let remember): self.init(decision: .deny, remember: remember)
    }
  }
}
