import EventLoop
import Positioning
import ReceiverSimulator
import TestSupport

/// A time that passes faster for gpsd, the daemon and the simulated receiver of a fixture, so that every setting and every
/// wait of theirs has its real value and takes a fraction of it. A delay of one process by another counts as so much more.
///
/// `@unchecked Sendable`: nothing of it changes.
final class FastTime: @unchecked Sendable {
  let clock: FastClock
  /// gpsd and the daemon load it when they start.
  private let preload: Preload

  init(factor: Int) throws {
    self.preload = try Preload("fast-clock.c", "FAST_CLOCK")
    let origin = Int64(Clocks.system.sinceBoot().sinceBoot / .nanoseconds(1))
    self.clock = FastClock(origin: Instant(sinceBoot: .nanoseconds(origin)), factor: factor)
    try self.preload.answer("\(origin) \(factor)")
  }

  var environment: [String: String] { self.preload.environment }
}
