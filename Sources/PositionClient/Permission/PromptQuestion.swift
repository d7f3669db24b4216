package import JSONRPC
package import Positioning
import Synchronization

/// A prompt of the daemon, from its arrival until it is answered or withdrawn.
package final class PromptQuestion: Sendable {
  private enum State {
    /// The closure cancels the task that works on an answer, once there is one.
    case open((@Sendable () -> Void)?)
    case withdrawn
  }

  /// The daemon's id of the prompt on the connection that brought it.
  package let id: RequestID
  /// The loop that answers it.
  let ticket: Int
  package let prompt: PermissionPrompt
  private let state = Mutex(State.open(nil))

  init(id: RequestID, ticket: Int, prompt: PermissionPrompt) {
    self.id = id
    self.ticket = ticket
    self.prompt = prompt
  }

  /// The daemon needs no answer any more.
  func withdraw() {
    let stop = self.state.withLock { state -> (@Sendable () -> Void)? in
      defer { state = .withdrawn }
      if case .open(let stop) = state { return stop }
      return nil
    }
    stop?()
  }

  /// Calls the closure once the prompt is withdrawn; at once if it already is.
  func whenWithdrawn(_ stop: @escaping @Sendable () -> Void) {
    let isWithdrawn = self.state.withLock { state in
      if case .withdrawn = state { return true }
      state = .open(stop)
      return false
    }
    if isWithdrawn { stop() }
  }
}
