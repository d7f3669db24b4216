import EventLoop
import Glibc
import Positioning

/// Which boot this is, and when it was by the wall clock.
///
/// Moments count from the boot, and the next boot counts anew: what is kept must be found again on its clock. The wall
/// clock is all that both have; so it is asked only for what is kept from an earlier boot, and for nothing within one.
package struct BootClock: Sendable {
  /// The kernel's name for this boot; `nil` where it cannot be read. Then every start counts as another boot.
  package var boot: String?
  /// What the wall clock showed at the boot, since 1970, as it reckons now: it changes when the wall clock is stepped.
  package var epoch: @Sendable () -> Duration

  package init(boot: String?, epoch: @escaping @Sendable () -> Duration) {
    self.boot = boot
    self.epoch = epoch
  }

  /// This machine's.
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
