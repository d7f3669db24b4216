package import Positioning

/// Work beside a loop that may wait for the system, such as for the disk. It is a machine with one method, its step: a
/// thread of its own drives it, or the kernel in memory.
package final class Worker {
  /// What follows a step.
  package enum Next: Sendable {
    /// Another step when it is woken, or at the moment.
    case wait(until: Instant?)
    case end
  }

  private enum Driver {
    case thread(LoopThread, wakes: EventLoop)
    case memory(MemoryWork)
  }

  private let driver: Driver

  /// - Parameters:
  ///   - name: The thread's name in debuggers and `ps`, cut to 15 bytes.
  ///   - step: Called on the thread, and no two steps at a time.
  package init(on loop: EventLoop, name: String, step: @escaping @Sendable () -> Next) throws(SystemError) {
    switch loop.backend {
    case .system:
      let waiting = try EventLoop()
      let thread = try EventLoop.spawnThread(name: name) { Self.run(step, on: waiting) }
      self.driver = .thread(thread, wakes: waiting)
    case .memory(let kernel): self.driver = .memory(MemoryWork(in: kernel, step))
    }
  }

  /// There is something for a step to do; from any thread.
  package func wake() {
    switch self.driver {
    case .thread(_, let loop): loop.call {}
    case .memory(let work): work.wake()
    }
  }

  /// Waits for the step that ends it. A second call does nothing.
  package func join() {
    switch self.driver {
    case .thread(let thread, _): thread.join()
    case .memory(let work): work.finish()
    }
  }

  private static func run(_ step: @Sendable () -> Next, on loop: EventLoop) {
    while case .wait(let moment) = step() {
      do throws(SystemError) {
        _ = try loop.runOnce(timeout: moment.map { max(.zero, $0 - loop.clocks.sinceBoot()) })
      } catch {
        preconditionFailure("a worker's thread cannot wait: \(error)")
      }
    }
  }
}

/// The steps of a worker that a kernel in memory drives.
///
/// `@unchecked Sendable`: the kernel has one thread.
private final class MemoryWork: @unchecked Sendable {
  private let kernel: any Kernel
  /// `nil` once it has ended.
  private var step: (@Sendable () -> Worker.Next)?
  private var isWoken = false
  /// The moment for which a step was planned last.
  private var planned: Instant?

  init(in kernel: any Kernel, _ step: @escaping @Sendable () -> Worker.Next) {
    self.kernel = kernel
    self.step = step
  }

  func wake() {
    guard !self.isWoken, self.step != nil else { return }
    self.isWoken = true
    self.kernel.perform(notBefore: nil) {
      self.isWoken = false
      self.goOn()
    }
  }

  func finish() {
    while let step = self.step {
      if case .end = step() { self.step = nil }
    }
  }

  private func goOn() {
    switch self.step?() {
    case .end?, nil: self.step = nil
    case .wait(until: nil)?: break
    case .wait(let moment?)?:
      guard self.planned != moment else { return }
      self.planned = moment
      self.kernel.perform(notBefore: moment) {
        if self.planned == moment { self.planned = nil }
        self.goOn()
      }
    }
  }
}

extension EventLoop {
  /// Does work once that may wait for the system, on a detached thread: what never ends does not keep the program from
  /// ending.
  package func performBeside(name: String, _ work: @escaping @Sendable () -> Void) throws(SystemError) {
    switch backend {
    case .system: _ = try EventLoop.spawnThread(name: name, work)
    case .memory(let kernel): kernel.perform(notBefore: nil, work)
    }
  }
}
