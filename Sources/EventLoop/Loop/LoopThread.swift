import CLinux
import Glibc

/// A thread for a loop. Without a join it runs on detached.
@safe package final class LoopThread {
  private var thread: pthread_t?

  fileprivate init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    var started = pthread_t()
    let context = unsafe Unmanaged.passRetained(Body(run: body))
    let result = unsafe name.withCString { name in
      unsafe clinux_thread_start(
        &started, name,
        { context in
          guard let context = unsafe context else { return }
          unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        }, context.toOpaque())
    }
    guard result == 0 else {
      unsafe context.release()
      throw SystemError(code: result, call: "start thread \(name)")
    }
    thread = started
  }

  deinit {
    if let thread { pthread_detach(thread) }
  }

  /// Waits until the thread's work is done. A second call does nothing.
  package func join() {
    guard let joining = thread else { return }
    thread = nil
    let result = pthread_join(joining, nil)
    precondition(result == 0, "a thread cannot join itself")
  }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

extension EventLoop {
  /// Starts a thread for a loop. It blocks all signals but faults, so signals to the process go to other threads.
  ///
  /// - Parameter name: The name in debuggers and `ps`, cut to 15 bytes.
  package static func spawnThread(
    name: String, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) -> LoopThread {
    try LoopThread(name: name, body)
  }
}
