import Glibc
package import Positioning

/// The clocks by which a loop lives, for any thread.
package struct Clocks: Sendable {
  private enum Source {
    case system
    case memory(any Kernel)
  }

  /// This machine's, for programs without a loop.
  package static let system = Clocks(.system)

  private let source: Source

  private init(_ source: Source) { self.source = source }

  init(of kernel: any Kernel) { self.init(.memory(kernel)) }

  /// The clock since boot, including suspend, read now.
  package func sinceBoot() -> Instant { Instant(sinceBoot: self.read(CLOCK_BOOTTIME, .boot)) }

  /// The clock since boot that stands still while the machine sleeps.
  package func monotonic() -> Duration { self.read(CLOCK_MONOTONIC, .monotonic) }

  /// The wall clock's time since 1970.
  package func wall() -> Duration { self.read(CLOCK_REALTIME, .wall) }

  /// What the wall clock shows.
  package func timestamp() -> Timestamp { Timestamp(since1970: self.wall()) }

  private func read(_ number: clockid_t, _ clock: KernelClock) -> Duration {
    switch self.source {
    case .system:
      var time = timespec()
      unsafe clock_gettime(number, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    case .memory(let kernel): return kernel.read(clock)
    }
  }
}
