import Synchronization

/// What a control has said to one subscription, until that has done it.
final class CommandQueue: Sendable {
  private struct State {
    var isPaused: Bool
    var orders: [SubscriptionCommand] = []
  }

  private let control: SubscriptionControl
  private let state: Mutex<State>
  private let wake: @Sendable () -> Void

  /// - Parameter wake: Tells the subscription, from any thread, that there are orders.
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

  /// The orders for a subscription that stands, in order.
  func takeOrders() -> [SubscriptionCommand] {
    self.state.withLock { state in
      defer { state.orders = [] }
      return state.orders
    }
  }

  /// What a subscription that was just made must be told, whatever was said before it stood; `nil`, nothing.
  func takeStanding() -> SubscriptionCommand? {
    self.state.withLock { state in
      defer { state.orders = [] }
      if state.isPaused { return .pause }
      return state.orders.contains(.acquire) ? .acquire : nil
    }
  }

  /// The subscription is gone.
  func leave() {
    self.control.leave(self)
  }
}
