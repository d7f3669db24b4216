public import JSONRPC

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
