import CLinux

/// A signal that the loop reports instead of interrupting the process. Releasing the last reference ends it.
///
/// The signal stays blocked afterwards: unblocking could deliver one that is pending.
package final class SignalWatch {
  private let loop: EventLoop
  private let source: EventSource

  fileprivate init(on loop: EventLoop, _ number: Int32, handler: @escaping () -> Void) throws(SystemError) {
    self.loop = loop
    source = try EventSource.signal(on: loop, number, handler: handler)
  }

  deinit {
    loop.release(source, then: nil)
  }

  package func cancel() {
    loop.claim()
    source.cancel()
  }
}

extension EventLoop {
  /// Calls the handler on the loop for each such signal, after blocking it for the calling thread.
  ///
  /// A signal sent to the process goes to any thread that does not block it, so the first thread calls
  /// ``blockSignal(_:)`` before it starts others.
  package func onSignal(_ number: Int32, handler: @escaping () -> Void) throws(SystemError) -> SignalWatch {
    claim()
    switch backend {
    case .system: try EventLoop.blockSignal(number)
    case .memory: break
    }
    return try SignalWatch(on: self, number, handler: handler)
  }

  /// Whether the process ignores a signal, such as SIGHUP after nohup. A watch would report it nevertheless.
  package static func isIgnored(_ number: Int32) -> Bool { clinux_ignores_signal(number) == 1 }

  /// Blocks a signal for the calling thread and the threads it starts later.
  package static func blockSignal(_ number: Int32) throws(SystemError) {
    let result = clinux_block_signal(number)
    guard result == 0 else { throw SystemError(code: result, call: "block signal \(number)") }
  }
}
