import PositionProtocol

/// Who else than positiond can have positions from gpsd, past positiond's permission.
extension DoctorChecks {
  static func unanswered(_ address: String, _ reason: String) -> Check {
    Check(
      "gpsd", .problem, "does not answer at \(address): \(reason)",
      advice: "systemctl enable --now gpsd.socket; if gpsd is elsewhere, give --gpsd, and [gpsd] in positiond.conf")
  }

  /// A user who is refused cannot tell a gpsd that does not run from one that a packet filter keeps for positiond; root
  /// can, whom no such filter refuses, and so can positiond.
  static func refused(_ door: GpsdDoor, daemon: DaemonFinding, address: String) -> [Check] {
    let problem = [self.unanswered(address, "Connection refused")]
    guard !door.isTriedByRoot, let status = daemon.status else { return problem }
    switch status.gpsd.state {
    case .streaming, .receiverMissing, .gpsdFull:
      return [Check("gpsd", .ok, "serves positiond"), self.door(door)]
    case .idle, .opening, .unknown:
      return [
        Check(
          "gpsd", .unknown,
          "refuses \(door.user) at \(address): it does not run, or a packet filter keeps it for positiond",
          advice: "run \"positionctl doctor\" as root, whom no such filter refuses")
      ]
    case .gpsdDown: return problem
    }
  }

  static func door(_ door: GpsdDoor) -> Check {
    let subject = "gpsd's own door"
    guard door.finding.isReached else {
      return Check(subject, .ok, "closed to the user \(door.user), as whom it was tried")
    }
    return Check(
      subject, .warning,
      door.isTriedByRoot
        ? "any local user can read positions from gpsd itself, as the user nobody just could; "
          + "positiond's permission does not protect from that"
        : "the user \(door.user) can read positions from gpsd itself, as this command just could, and so can any local "
          + "user unless a packet filter knows them apart; positiond's permission does not protect from that",
      advice: "where that matters, let only positiond's user reach gpsd's port: positiond-gpsd-filter.service does")
  }

  static func sharedMemory(_ machine: MachineFacts) -> [Check] {
    guard machine.isSharedMemoryOpen else { return [] }
    return [
      Check(
        "gpsd's shared memory", .warning,
        "any local user can read positions there as well, whatever a packet filter does",
        advice: "where that matters, have gpsd keep it to itself: PrivateIPC=yes in a drop-in for gpsd.service")
    ]
  }
}
