package import Positioning

/// A timer that calls its handler once each time it is armed. Releasing the last reference ends it.
///
/// Timers that are due at the same wake-up are called in no particular order.
package final class LoopTimer {
  private let loop: EventLoop
  private let source: EventSource

  fileprivate init(on loop: EventLoop, accuracy: Duration, handler: @escaping () -> Void) throws(SystemError) {
    self.loop = loop
    // 0 would mean sd-event's default, a quarter of a second.
    source = try EventSource.timer(on: loop, accuracy: max(1, accuracy.microsecondsRoundedUp), handler: handler)
    loop.add(source)
  }

  deinit {
    loop.release(source, then: nil)
  }

  /// Arms it, or moves it if it is armed. For a moment in the past the handler is called in the next turn, never during
  /// this call.
  ///
  /// It is never early; it may be late by its accuracy.
  package func arm(at moment: Instant) {
    loop.claim()
    precondition(!source.isCancelled, "a cancelled timer cannot be armed")
    source.arm(at: moment.sinceBoot.microsecondsRoundedUp)
  }

  package func disarm() {
    loop.claim()
    source.disable()
  }

  /// Whether it is armed; false again once the handler is called.
  package var isArmed: Bool {
    loop.claim()
    return source.isEnabled
  }

  /// Ends it for good and releases its handler. A second call does nothing.
  package func cancel() {
    loop.claim()
    source.cancel()
  }
}

extension EventLoop {
  /// Makes a timer that is not armed.
  ///
  /// - Parameter accuracy: How late it may be, so that wake-ups can be shared: 1 ms if a client waits, 1 s for
  ///   planning.
  package func timer(accuracy: Duration, handler: @escaping () -> Void) throws(SystemError) -> LoopTimer {
    claim()
    return try LoopTimer(on: self, accuracy: accuracy, handler: handler)
  }
}
