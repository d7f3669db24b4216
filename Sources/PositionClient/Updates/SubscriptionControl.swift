import JSONRPC
import PositionProtocol
import Positioning
import Synchronization

/// Controls a sequence of positions while it is iterated: pass it to `PositionClient.updates`.
///
/// It may be used from any thread, before the loop and during it. Its state outlives lost connections: a paused
/// subscription stays paused. If several loops use it, it controls all of them.
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

  /// - Parameter isPaused: Whether loops begin paused. The first update of such a loop says so.
  public init(isPaused: Bool = false) {
    self.state = Mutex(State(isPaused: isPaused))
  }

  /// Whether this control has paused it. An automatic pause because the device rests does not count.
  public var isPaused: Bool { self.state.withLock { $0.isPaused } }

  /// Pauses delivery and the need of the receiver until it is resumed. An update with the reason `.paused` follows.
  public func pause() { self.send(.pause) }

  /// Resumes delivery, whatever paused it; an update with the reason `.resumed` follows.
  public func resume() { self.send(.resume) }

  /// Searches for a fix now, in any mode. An update with the reason `.acquiring` follows, then one with `.acquired` and
  /// the fix, or one with `.acquisitionFailed`. Has no effect while it is paused or no loop runs.
  public func acquire() { self.send(.acquire) }

  /// Delivers what the mode `.deferred` has collected, with the reason `.flush`. Has no effect in other modes, or if
  /// nothing was collected.
  public func flush() { self.send(.flush) }

  private func send(_ command: SubscriptionCommand) {
    self.state.withLock { state in
      state.isPaused = command.pauses ?? state.isPaused
      // Under the lock, so that all subscriptions get the commands of several threads in the same order.
      for line in state.lines.values { line.put(command) }
    }
  }

  /// A new queue for one subscription.
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

extension SubscriptionCommand {
  /// Whether the subscription is paused afterwards; `nil`: unchanged.
  var pauses: Bool? {
    switch self {
    case .pause: true
    case .resume: false
    case .acquire, .flush: nil
    }
  }
}

extension DaemonConnection {
  /// Sends the command to a subscription of this connection.
  func send(
    _ subscription: Int, _ command: SubscriptionCommand, then handler: @escaping AnswerHandler<SubscriptionResult>
  ) {
    let target = SubscriptionTarget.subscription(subscription)
    switch command {
    case .pause: self.request(SubscriptionPauseRequest(target), then: handler)
    case .resume: self.request(SubscriptionResumeRequest(target), then: handler)
    case .acquire: self.request(SubscriptionAcquireRequest(target), then: handler)
    case .flush: self.request(SubscriptionFlushRequest(target), then: handler)
    }
  }
}
