import JSONRPC
import Synchronization

/// A prompt of the daemon, from when it came until it is answered or withdrawn.
final class PromptQuestion: Sendable {
  private enum State {
    /// What ends the work on an answer, once there is such work.
    case open((@Sendable () -> Void)?)
    case withdrawn
  }

  /// The daemon's id for it, on the connection that it came by.
  let id: RequestID
  /// Whose loop answers it.
  let ticket: Int
  let prompt: PermissionPrompt
  private let state = Mutex(State.open(nil))

  init(id: RequestID, ticket: Int, prompt: PermissionPrompt) {
    self.id = id
    self.ticket = ticket
    self.prompt = prompt
  }

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
