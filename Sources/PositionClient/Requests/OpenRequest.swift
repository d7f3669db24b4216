import JSONRPC
package import Positioning

/// A request from when it is made until it is answered, over as many connections as necessary.
package struct OpenRequest {
  /// What happens to the request while there is no connection.
  package enum Patience: Hashable, Sendable {
    /// It may have had its effect, so it is not repeated: it fails with the connection.
    case none
    /// It only reads, so it waits and is repeated; until this moment, if there is one.
    case until(Instant?)
  }

  let patience: Patience
  /// Sends the request and returns its id on the connection; `nil` if it was answered at once.
  let send: (DaemonConnection) -> RequestID?
  let fail: (PositionError) -> Void
  /// Its id on the connection, while it waits for the answer.
  var id: RequestID?

  /// When the request's time is over; only for one that waits for a connection.
  var deadline: Instant? {
    if self.id == nil, case .until(let moment) = self.patience { moment } else { nil }
  }
}

extension PositionError {
  /// Whether the daemon stops: the request can be repeated with the next one.
  var isShuttingDown: Bool { self.rpcError?.code == .shuttingDown }

  /// Whether another connection would not help, because the peer does not speak this client's protocol.
  var isFinal: Bool {
    if case .unexpected = self { true } else { false }
  }
}
