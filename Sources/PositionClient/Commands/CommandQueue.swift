import Positioning
import Synchronization

/// The commands of a control for one subscription that were not sent yet.
final class CommandQueue: Sendable {
  private struct State {
    var isPaused: Bool
    var commands: [SubscriptionCommand] = []
  }

  private let control: SubscriptionControl
  private let state: Mutex<State>
  private let wake: @Sendable () -> Void

  /// - Parameter wake: Called, from any thread, when there are commands.
  init(control: SubscriptionControl, isPaused: Bool, wake: @escaping @Sendable () -> Void) {
    self.control = control
    self.state = Mutex(State(isPaused: isPaused))
    self.wake = wake
  }

  func put(_ command: SubscriptionCommand) {
    self.state.withLock { state in
      state.isPaused = command.pauses ?? state.isPaused
      state.commands.append(command)
    }
    self.wake()
  }

  /// The commands for an established subscription, in order.
  func takeCommands() -> [SubscriptionCommand] {
    self.state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// The command for a new subscription, which combines all earlier ones; `nil`: none is necessary.
  func takeLasting() -> SubscriptionCommand? {
    self.state.withLock { state in
      defer { state.commands = [] }
      if state.isPaused { return .pause }
      return state.commands.contains(.acquire) ? .acquire : nil
    }
  }

  /// The subscription has ended.
  func leave() {
    self.control.leave(self)
  }
}
