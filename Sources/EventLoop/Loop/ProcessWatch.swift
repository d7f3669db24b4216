import CLinux
import Glibc

/// How a process ended.
package enum ChildExit: Hashable, Sendable {
  /// It exited with a code from 0 to 255.
  case exited(Int32)
  /// A signal of this number ended it.
  case killed(Int32)

  init(_ information: UnsafePointer<siginfo_t>) {
    var isKilled: Int32 = 0
    var value: Int32 = 0
    unsafe clinux_child_exit(information, &isKilled, &value)
    self = isKilled != 0 ? .killed(value) : .exited(value)
  }
}

/// Watches for a signal, which the loop reports instead of interrupting the process, or for the end of a child. Releasing
/// the last reference ends the watch, not the child.
///
/// The signal stays blocked afterwards: unblocking could deliver one that is pending.
package final class ProcessWatch {
  private let loop: EventLoop
  private let source: EventSource

  fileprivate init(on loop: EventLoop, _ source: EventSource) {
    self.loop = loop
    self.source = source
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
  /// Calls the handler once when a child of this process has ended; the child is reaped after the handler returns.
  ///
  /// libsystemd watches a pidfd, but requires that SIGCHLD is blocked, for kernels without pidfd; so it is blocked here
  /// for the calling thread.
  package func onChild(_ pid: Int32, handler: @escaping (ChildExit) -> Void) throws(SystemError) -> ProcessWatch {
    claim()
    switch backend {
    case .system: try EventLoop.blockSignal(SIGCHLD)
    case .memory: break
    }
    return ProcessWatch(on: self, try EventSource.child(on: self, pid, handler: handler))
  }

  /// Calls the handler on the loop for each such signal, after blocking it for the calling thread.
  ///
  /// A signal sent to the process goes to any thread that does not block it, so the first thread calls
  /// ``blockSignal(_:)`` before it starts others.
  package func onSignal(_ number: Int32, handler: @escaping () -> Void) throws(SystemError) -> ProcessWatch {
    claim()
    switch backend {
    case .system: try EventLoop.blockSignal(number)
    case .memory: break
    }
    return ProcessWatch(on: self, try EventSource.signal(on: self, number, handler: handler))
  }

  /// Whether the process ignores a signal, such as SIGHUP after nohup. A watch would report it nevertheless.
  package static func isIgnored(_ number: Int32) -> Bool { clinux_ignores_signal(number) == 1 }

  /// Blocks a signal for the calling thread and the threads it starts later.
  package static func blockSignal(_ number: Int32) throws(SystemError) {
    let result = clinux_block_signal(number)
    guard result == 0 else { throw SystemError(code: result, call: "block signal \(number)") }
  }
}
