import CSystemd
import Glibc

/// What the service manager is told, by sd_notify(3). Where there is none, nothing happens.
package enum ServiceManager {
  package enum State: Hashable, Sendable {
    /// The sockets listen and the configuration is valid.
    case ready
    /// The configuration is being read again; `ready` follows.
    case reloading
    case stopping
  }

  /// - Parameter status: one line for `systemctl status`; `nil` leaves it.
  package static func notify(_ state: State, status: String? = nil) {
    var lines: [String]
    switch state {
    case .ready: lines = ["READY=1"]
    case .reloading: lines = ["RELOADING=1", "MONOTONIC_USEC=\(self.monotonicMicroseconds)"]
    case .stopping: lines = ["STOPPING=1"]
    }
    if let status { lines.append("STATUS=\(status.escapingControls)") }
    // The manager's absence and its deafness are no matter of ours.
    _ = unsafe sd_notify(0, lines.joined(separator: "\n"))
  }

  private static var monotonicMicroseconds: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }
}
