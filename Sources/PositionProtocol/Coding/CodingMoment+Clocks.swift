import Glibc
package import JSONRPC
package import Positioning

extension CodingMoment {
  /// The clocks with which a message is written or read.
  package typealias Clock = @Sendable () -> CodingMoment

  /// - Parameter since1970: The wall clock's time.
  package init(now: Instant, since1970: Duration) {
    self.init(sinceBoot: now.sinceBoot, since1970: since1970)
  }

  /// This machine's time now.
  package static var current: CodingMoment {
    CodingMoment(sinceBoot: WallClock.read(CLOCK_BOOTTIME), since1970: WallClock.read(CLOCK_REALTIME))
  }

  package var now: Instant { Instant(sinceBoot: self.sinceBoot) }
}

private enum WallClock {
  static func read(_ clock: clockid_t) -> Duration {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
