import CSystemd
import Glibc
import Printable

/// Notifications to the service manager with sd_notify(3). Without a manager nothing happens.
package enum ServiceManager {
  package enum State: Hashable, Sendable {
    /// The sockets listen and the configuration is valid.
    case ready
    /// The configuration is being read again; `ready` follows. The time on the monotonic clock shows systemd which reload
    /// this answers.
    case reloading(since: Duration)
    case stopping
  }

  /// - Parameters:
  ///   - state: `nil`: it stays, and only the status changes.
  ///   - status: one line for `systemctl status`.
  package static func notify(_ state: State?, status: String) {
    self.send(self.message(state, status: status))
  }

  /// The text of a notice; a state comes first, whatever the status says.
  package static func message(_ state: State?, status: String) -> String {
    let assignments: [String] =
      switch state {
      case nil: []
      case .ready: ["READY=1"]
      case .reloading(let since): ["RELOADING=1", "MONOTONIC_USEC=\(since.attoseconds / 1_000_000_000_000)"]
      case .stopping: ["STOPPING=1"]
      }
    return (assignments + ["STATUS=\(status.printable)"]).joined(separator: "\n")
  }

  private static func send(_ message: String) {
    // A missing manager, or one that does not read, is no error of the daemon.
    _ = unsafe sd_notify(0, message)
  }
}
