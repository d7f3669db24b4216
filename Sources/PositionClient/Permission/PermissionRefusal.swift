public import JSONRPC
public import PositionProtocol

/// Why the daemon does not tell this program the position, or not as it was asked to.
public struct PermissionRefusal: Hashable, Sendable {
  /// What stands in the way.
  public enum Reason: Hashable, Sendable {
    /// A person answered no; `decision` says when.
    case denied
    /// A rule of the configuration says no; `rule` names it.
    case restricted
    /// Positions are turned off on this device.
    case disabled
    /// No rule says yes, and no person has: there was nobody to ask, or nobody answered.
    case notDetermined
    /// More was asked for than a reduced position tells.
    case accuracyLimited
  }

  /// What stands in the way.
  public let reason: Reason
  /// The daemon's own words.
  public let error: RPCError

  /// `nil` where the error is not about permission.
  public init?(_ error: RPCError) {
    switch error.code {
    case .denied: self.reason = .denied
    case .restricted: self.reason = .restricted
    case .disabled: self.reason = .disabled
    case .notDetermined: self.reason = .notDetermined
    case .accuracyLimited: self.reason = .accuracyLimited
    default: return nil
    }
    self.error = error
  }

  /// When a person answered no, where that is known.
  public var decision: Timestamp? {
    // A later daemon's way of writing times is no reason to lose the rest.
    self.text("decision").flatMap { Timestamp($0) }
  }

  /// The rule that decided, where one did.
  public var rule: String? { self.text("rule") }

  /// Who can change that, and how.
  public var remedy: String? { self.text("remedy") }

  private func text(_ member: String) -> String? {
    if case .string(let text)? = self.error.data?[member] { text } else { nil }
  }
}
