package import EventLoop
import Positioning

/// The identity of this boot, and its time by the wall clock.
///
/// Moments count from the boot, so stored moments must be converted to the clock of a later boot. Both boots have only
/// the wall clock in common: it is used for moments of an earlier boot, and never for those of this boot.
package struct BootClock: Sendable {
  /// The kernel's identifier of this boot; `nil` if it cannot be read. Then every start counts as another boot.
  package var boot: String?
  /// The time of the boot by the wall clock, since 1970, computed now: it changes when the wall clock is stepped.
  package var epoch: @Sendable () -> Duration

  package init(boot: String?, epoch: @escaping @Sendable () -> Duration) {
    self.boot = boot
    self.epoch = epoch
  }

  /// The clock by which a loop lives.
  package init(of loop: EventLoop) {
    let clocks = loop.clocks
    self.init(boot: loop.bootIdentifier()) { clocks.wall() - clocks.sinceBoot().sinceBoot }
  }

  /// What the wall clock shows at a moment of this boot.
  func time(at moment: Instant) -> Timestamp { Timestamp(since1970: self.epoch() + moment.sinceBoot) }
}
