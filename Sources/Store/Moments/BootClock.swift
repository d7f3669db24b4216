import EventLoop
import Glibc
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

  /// The clock of this machine.
  package static var system: BootClock {
    BootClock(boot: Self.readBoot()) {
      EventLoop.readWallClock() - EventLoop.readClock().sinceBoot
    }
  }

  private static func readBoot() -> String? {
    let number = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    defer { close(number) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(number, &bytes, bytes.count)
    let boot = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
    return boot.isEmpty ? nil : String(decoding: boot, as: UTF8.self)
  }
}
