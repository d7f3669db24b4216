import Gpsd
import PositionProtocol
import Positioning

/// Checks whether programs can get positions from gpsd directly, without positiond's permission.
extension DoctorChecks {
  static func unanswered(_ address: GpsdAddress, _ reason: String) -> Check {
    Check(
      "gpsd", .problem, "does not answer at \(address): \(reason)",
      advice: "systemctl enable --now gpsd.socket; if gpsd is elsewhere, give --gpsd, and [gpsd] in positiond.conf")
  }

  /// A refused user cannot distinguish a gpsd that does not run from one that a packet filter reserves for positiond.
  /// Root, which no such filter refuses, and positiond can.
  ///
  /// What positiond says is about its own gpsd, so at another address nothing is known to listen.
  static func refused(_ exposure: GpsdExposure, daemon: DaemonFinding, address: GpsdAddress) -> [Check] {
    let problem = [
      self.unanswered(address, "Connection refused"),
      Check("direct access to gpsd", .unknown, "nothing is known to listen at \(address)"),
    ]
    guard !exposure.isTriedByRoot, let status = daemon.status, daemon.gpsdAddress == address else { return problem }
    switch status.gpsd.state {
    case .streaming, .receiverMissing, .gpsdFull:
      return [Check("gpsd", .ok, "serves positiond"), self.exposure(exposure)]
    case .idle, .opening, .unknown:
      return [
        Check(
          "gpsd", .unknown,
          "refuses \(exposure.user) at \(address): gpsd is not running, or a packet filter reserves it for positiond",
          advice: "run \"positionctl doctor\" as root, which no such filter refuses"),
        problem[1],
      ]
    case .gpsdDown: return problem
    }
  }

  static func exposure(_ exposure: GpsdExposure) -> Check {
    let subject = "direct access to gpsd"
    guard exposure.finding.isReached else {
      return Check(subject, .ok, "refused to the user \(exposure.user)")
    }
    return Check(
      subject, .warning,
      exposure.isTriedByRoot
        ? "any local user can read positions from gpsd, past positiond's permission (tried as the user nobody)"
        : "the user \(exposure.user) can read positions from gpsd, past positiond's permission; so can other local users "
          + "unless a packet filter refuses them",
      advice: "to reserve gpsd for positiond: systemctl enable --now positiond-gpsd-filter.service")
  }

  static func sharedMemory(_ machine: MachineFinding) -> [Check] {
    guard machine.isSharedMemoryOpen else { return [] }
    return [
      Check(
        "gpsd's shared memory", .warning,
        "any local user can read positions there, even with a packet filter",
        advice: "to prevent that: PrivateIPC=yes in a drop-in for gpsd.service")
    ]
  }
}
