package import JSONRPC
package import PositionProtocol
import Synchronization

/// A prompt of the daemon, from when it came until it is answered or withdrawn.
package final class PromptQuestion: Sendable {
  private enum State {
    /// What ends the work on an answer, once there is such work.
    case open((@Sendable () -> Void)?)
    case withdrawn
  }

  /// The daemon's id for it, on the connection that it came by.
  package let id: RequestID
  /// Whose loop answers it.
  let ticket: Int
  package let request: AgentAuthorizeRequest
  private let state = Mutex(State.open(nil))

  init(id: RequestID, ticket: Int, request: AgentAuthorizeRequest) {
    self.id = id
    self.ticket = ticket
    self.request = request
  }

  /// The question as programs have it.
  var prompt: PermissionPrompt { PermissionPrompt(self.request) }

  /// Nobody waits for the answer any more.
  func withdraw() {
    let stop = self.state.withLock { state -> (@Sendable () -> Void)? in
      defer { state = .withdrawn }
      if case .open(let stop) = state { return stop }
      return nil
    }
    stop?()
  }

  /// Calls the closure once it is withdrawn; at once where that has happened.
  func whenWithdrawn(_ stop: @escaping @Sendable () -> Void) {
    let isWithdrawn = self.state.withLock { state in
      if case .withdrawn = state { return true }
      state = .open(stop)
      return false
    }
    if isWithdrawn { stop() }
  }
}
