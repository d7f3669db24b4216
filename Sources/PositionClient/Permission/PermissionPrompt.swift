public import PositionProtocol
import Positioning

/// A question to a person: may the programs of this user know the position? One of them asks.
public struct PermissionPrompt: Hashable, Sendable {
  /// The program that asks. Its `name` and `purpose` are its own claims; the rest comes from the kernel. Show the rest
  /// first, and escape all of it before printing it to a terminal.
  public var principal: PrincipalObject
  /// The requested level: while connected, or also for durable registrations.
  public var level: AuthorizationObject.Level
  /// The requested precision.
  public var precision: AuthorizationObject.Precision
  /// How long an answer is accepted.
  public var expiresIn: Duration

  /// Creates a prompt, for a program's tests.
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

/// A person's answer to a prompt.
public enum PromptDecision: Hashable, Sendable {
  /// Yes. An absent level or precision is granted as requested; never is more granted than requested.
  ///
  /// `remember` says whether the answer is stored for all programs of the user; else it holds for the waiting
  /// connections.
  case allow(
    level: AuthorizationObject.Level? = nil, precision: AuthorizationObject.Precision? = nil, remember: Bool = true)
  /// No; `remember` as in `allow`.
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
