package import Positioning

/// A moment at which the loop calls, once each time it is armed. The last reference to it ends it.
///
/// Timers whose moments have all passed when the loop wakes are called in no particular order.
package final class LoopTimer {
  private let loop: EventLoop
  private let source: EventSource

  fileprivate init(on loop: EventLoop, accuracy: Duration, handler: @escaping () -> Void) throws(SystemError) {
    self.loop = loop
    // 0 would mean sd-event's own default, a quarter of a second.
    source = try EventSource.timer(on: loop, accuracy: max(1, accuracy.microsecondsRoundedUp), handler: handler)
  }

  deinit {
    loop.release(source, then: nil)
  }

  /// Arms it, or moves it if it is armed. A moment that has passed calls in the next turn, never inside this call.
  ///
  /// It never calls early; it may call late by the accuracy it was made with.
  package func arm(at moment: Instant) {
    loop.claim()
    precondition(!source.isCancelled, "a cancelled timer cannot be armed")
    source.arm(at: moment.sinceBoot.microsecondsRoundedUp)
  }

  package func disarm() {
    loop.claim()
    source.disable()
  }

  /// Whether it will call; false again once the handler is called.
  package var isArmed: Bool {
    loop.claim()
    return source.isEnabled
  }

  /// Ends it for good and lets its handler go. A second time does nothing.
  package func cancel() {
    loop.claim()
    source.cancel()
  }
}

extension EventLoop {
  /// Makes a timer that is not armed.
  ///
  /// - Parameter accuracy: how late it may call so that wake-ups can be shared: 1 ms for what a client waits for,
  ///   1 s for planning.
  package func timer(accuracy: Duration, handler: @escaping () -> Void) throws(SystemError) -> LoopTimer {
    claim()
    return try LoopTimer(on: self, accuracy: accuracy, handler: handler)
  }
}
