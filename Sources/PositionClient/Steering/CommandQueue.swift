import Positioning
import Synchronization

/// The commands of a control to one subscription that it has not carried out yet.
final class CommandQueue: Sendable {
  private struct State {
    var isPaused: Bool
    var orders: [SubscriptionCommand] = []
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

  func put(_ order: SubscriptionCommand) {
    self.state.withLock { state in
      state.isPaused = order.pauses ?? state.isPaused
      state.orders.append(order)
    }
    self.wake()
  }

  /// The commands for a subscription that stands, in order.
  func takeOrders() -> [SubscriptionCommand] {
    self.state.withLock { state in
      defer { state.orders = [] }
      return state.orders
    }
  }

  /// The command for a subscription that was just made, which sums up all before it; `nil`: none is necessary.
  func takeStanding() -> SubscriptionCommand? {
    self.state.withLock { state in
      defer { state.orders = [] }
      if state.isPaused { return .pause }
      return state.orders.contains(.acquire) ? .acquire : nil
    }
  }

  /// The subscription has ended.
  func leave() {
    self.control.leave(self)
  }
}
