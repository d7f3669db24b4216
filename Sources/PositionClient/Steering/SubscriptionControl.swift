import Synchronization

/// Steers a sequence of positions while it is iterated: hand it to `PositionClient.updates`.
///
/// It may be used from anywhere, before the loop and during it. What it says holds over lost connections: what is paused
/// stays paused. Where several loops run with it, it steers them all.
///
/// ```swift
/// let control = SubscriptionControl()
/// let updates = client.updates(mode: .deferred(timeout: .seconds(600)), control: control)
/// // ... while a task iterates them:
/// control.flush()
/// ```
public final class SubscriptionControl: Sendable {
  private struct State {
    var isPaused: Bool
    var lines: [ObjectIdentifier: CommandQueue] = [:]
  }

  private let state: Mutex<State>

  /// - Parameter isPaused: Whether a loop begins with nothing but the word that it is paused.
  public init(isPaused: Bool = false) {
    self.state = Mutex(State(isPaused: isPaused))
  }

  /// Whether it is paused by this. That the device rests does not count.
  public var isPaused: Bool { self.state.withLock { $0.isPaused } }

  /// Stops what is delivered, and what it needs of the receiver, until it is resumed. An update with the reason `.paused`
  /// follows.
  public func pause() { self.steer(.pause) }

  /// Lets it go on, whatever paused it; an update with the reason `.resumed` follows.
  public func resume() { self.steer(.resume) }

  /// Gets a fix now, whatever the mode. An update with the reason `.acquiring` follows, then one with `.acquired` and the
  /// fix, or `.acquisitionFailed`. Where it is paused, or no loop runs, nothing comes of it.
  public func acquire() { self.steer(.acquire) }

  /// Has the mode `.deferred` deliver what it has collected, with the reason `.flush`. In another mode, and where there is
  /// nothing, nothing comes.
  public func flush() { self.steer(.flush) }

  private func steer(_ order: SubscriptionCommand) {
    self.state.withLock { state in
      state.isPaused = order.pauses ?? state.isPaused
      // Under the lock, so that all hear orders of several threads in one order.
      for line in state.lines.values { line.put(order) }
    }
  }

  /// A new line to one subscription.
  func join(wake: @escaping @Sendable () -> Void) -> CommandQueue {
    self.state.withLock { state in
      let line = CommandQueue(control: self, isPaused: state.isPaused, wake: wake)
      state.lines[ObjectIdentifier(line)] = line
      return line
    }
  }

  func leave(_ line: CommandQueue) {
    self.state.withLock { $0.lines[ObjectIdentifier(line)] = nil }
  }
}
