public import JSONRPC
import PositionProtocol
public import Positioning

/// Why the daemon denies this program the position, or the requested accuracy.
public struct PermissionDenial: Hashable, Sendable {
  /// The reasons for a denial.
  public enum Reason: Hashable, Sendable {
    /// A person answered no; `decision` says when.
    case denied
    /// A rule of the configuration denies it; `rule` names it.
    case restricted
    /// Positions are turned off on this device.
    case disabled
    /// No rule grants it and no person has answered: there was no agent, or the prompt went unanswered.
    case notDetermined
    /// The request needs more than a reduced position reveals.
    case accuracyLimited
  }

  /// The reason for the denial.
  public let reason: Reason
  /// The daemon's error.
  public let error: RPCError

  /// `nil` for an error that is not about permission.
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

  /// When a person answered no, if the daemon says so.
  public var decision: Timestamp? {
    // A time in the format of a later daemon must not hide the rest of the error.
    self.text("decision").flatMap { Timestamp($0) }
  }

  /// The rule that decided, if one did.
  public var rule: String? { self.text("rule") }

  /// Who can change the denial, and how.
  public var remedy: String? { self.text("remedy") }

  private func text(_ member: String) -> String? {
    if case .string(let text)? = self.error.data?[member] { text } else { nil }
  }
}
