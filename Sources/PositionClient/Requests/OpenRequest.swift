import JSONRPC
package import Positioning

/// A request from when it is made until it is answered, over as many connections as that takes.
package struct OpenRequest {
  /// What becomes of it while there is no connection.
  package enum Patience: Hashable, Sendable {
    /// It may have had its effect, so it is not asked twice: it fails with the connection.
    case none
    /// It only reads, so it waits, and is asked again; no longer than until then where that is said.
    case until(Instant?)
  }

  let patience: Patience
  /// Sends it, and tells the id that it has on the connection; `nil` where it was answered at once.
  let send: (DaemonConnection) -> RequestID?
  let fail: (PositionError) -> Void
  /// While it is on its way.
  var id: RequestID?

  /// When its time is over, where it waits for a connection and that is known.
  var deadline: Instant? {
    if self.id == nil, case .until(let moment) = self.patience { moment } else { nil }
  }
}

extension PositionError {
  /// Whether it says that the daemon stops: what was asked can be asked of the next one.
  var isShuttingDown: Bool { self.rpcError?.code == .shuttingDown }

  /// Whether another connection would not help: what answers is no daemon that this client understands.
  var isFinal: Bool {
    if case .unexpected = self { true } else { false }
  }
}
