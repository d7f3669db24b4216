import CLinux
import Glibc

/// How wrong this machine's wall clock may be.
package enum ClockSynchronization {
  /// The mark of systemd-timesyncd, which it touches whenever it has set the clock.
  package static let mark = "/run/systemd/timesync/synchronized"

  /// By the kernel, which knows what ntpd, chronyd and systemd-timesyncd say of it; or by the mark, where the kernel may not be
  /// asked, as in the sandbox of the installed service. `nil`: nothing synchronises it.
  package static func error() -> Duration? {
    var microseconds: Int64 = 0
    if unsafe clinux_clock_error(&microseconds) == 0 { return .microseconds(max(microseconds, 0)) }
    guard errno == EPERM || errno == ENOSYS else { return nil }
    return self.error(byMark: self.mark, now: Clocks.system.wall())
  }

  /// What systemd-timesyncd leaves at most, and what a clock without a temperature sensor drifts since then.
  static func error(byMark path: String, now: Duration) -> Duration? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    let age = now - (.seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec))
    guard age >= .zero else { return nil }
    return .milliseconds(500) + age / 10_000
  }
}
