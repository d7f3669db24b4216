public import JSONRPC
import PositionProtocol
public import Positioning

/// Why the daemon gave no answer, or a different one than expected.
///
/// `description` is the reason and `advice` what to do next, both for a person. Text of other programs is included
/// unchanged: escape it before printing it to a terminal.
public enum PositionError: Error, Hashable, Sendable {
  /// Nobody listens on the socket.
  case daemonNotRunning(socket: String)
  /// The socket exists, but its file permissions exclude this user.
  case notAllowedToConnect(socket: String)
  /// The socket cannot be used; the reason is the system's.
  case cannotConnect(socket: String, reason: String)
  /// The connection ended while a request or subscription was open.
  case connectionLost(reason: String)
  /// The client was closed before, or while it waited.
  case closed
  /// The task was cancelled, or the request was cancelled in another way.
  case cancelled
  /// The daemon denies it: the denial says why, and who can change that.
  case notPermitted(PermissionDenial)
  /// Any other error of the daemon.
  case failed(RPCError)
  /// The other side does not speak the protocol.
  case unexpected(String)
}

extension PositionError {
  /// The meaning of an error that the daemon answered with.
  package init(_ error: RPCError) {
    if let denial = PermissionDenial(error) {
      self = .notPermitted(denial)
    } else {
      self = error.code == .requestCancelled ? .cancelled : .failed(error)
    }
  }

  /// The daemon's error, if it answered with one.
  public var rpcError: RPCError? {
    switch self {
    case .notPermitted(let denial): denial.error
    case .failed(let error): error
    case .daemonNotRunning, .notAllowedToConnect, .cannotConnect, .connectionLost, .closed, .cancelled, .unexpected: nil
    }
  }

  /// What to do next; `nil` if nothing would help.
  public var advice: String? {
    switch self {
    case .daemonNotRunning:
      "start it with \"systemctl start positiond.service\", or name its socket with POSITIOND_SOCKET"
    case .notAllowedToConnect:
      "[server] socket-mode= in /etc/positiond/positiond.conf says who may connect; ask whoever administers this device"
    case .cannotConnect: "see the daemon's log with \"journalctl -u positiond.service\""
    case .connectionLost: "try again; \"journalctl -u positiond.service\" shows the daemon's log"
    case .notPermitted(let denial): denial.remedy
    case .failed(let error):
      if case .string(let remedy)? = error.data?["remedy"] { remedy } else { nil }
    case .unexpected: "whatever serves this socket is not positiond, or one of another major version"
    case .closed, .cancelled: nil
    }
  }
}

extension PositionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .daemonNotRunning(let socket): "positiond is not running: nobody serves \(socket)"
    case .notAllowedToConnect(let socket): "this user may not connect to \(socket)"
    case .cannotConnect(let socket, let reason): "cannot connect to \(socket): \(reason)"
    case .connectionLost(let reason): "the connection to positiond ended: \(reason)"
    case .closed: "this client is closed"
    case .cancelled: "the request was cancelled"
    case .notPermitted(let denial): "no permission: \(denial.error.message)"
    case .failed(let error): error.message
    case .unexpected(let what): "positiond was expected to answer, but there came \(what)"
    }
  }
}

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
