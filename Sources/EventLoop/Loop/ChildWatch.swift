import CLinux
package import Glibc

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

/// Waits for the end of a child process. Releasing the last reference ends the waiting, not the process.
package final class ChildWatch {
  private let loop: EventLoop
  private let source: EventSource

  fileprivate init(on loop: EventLoop, _ pid: pid_t, handler: @escaping (ChildExit) -> Void) throws(SystemError) {
    self.loop = loop
    source = try EventSource.child(on: loop, pid, handler: handler)
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
  package func onChild(_ pid: pid_t, handler: @escaping (ChildExit) -> Void) throws(SystemError) -> ChildWatch {
    claim()
    switch backend {
    case .system: try EventLoop.blockSignal(SIGCHLD)
    case .memory: break
    }
    return try ChildWatch(on: self, pid, handler: handler)
  }
}
