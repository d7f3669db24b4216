import PositionProtocol
import Positioning

/// What gpsd's options lead to.
extension DoctorChecks {
  static func options(_ machine: MachineFinding, daemon: DaemonFinding) -> [Check] {
    var checks: [Check] = []
    if machine.isPortOpen {
      checks.append(
        Check(
          "gpsd in the network", .warning, "its port is open to other machines, which can read positions from it",
          advice:
            "take -G out of GPSD_OPTIONS in /etc/default/gpsd, and have ListenStream= of gpsd.socket name 127.0.0.1:2947 only"
        ))
    }
    guard let gpsd = machine.gpsd else { return checks }
    let rung = daemon.status?.power.current.rung
    if gpsd.isReadOnly, rung == .ublox || rung == .mtk {
      checks.append(
        Check(
          "gpsd's option -b", .warning,
          "gpsd writes nothing to the receiver, so rung=\(rung?.rawValue ?? "") turns nothing off",
          advice: "take -b out of GPSD_OPTIONS in /etc/default/gpsd, then systemctl restart gpsd; or set rung=watch in "
            + "[receiver] of positiond.conf"))
    }
    // Where nobody uses it, that it is open is said of the receiver.
    return checks + (daemon.status?.gpsd.state == .idle ? [] : self.power(gpsd, machine.timeService, rung))
  }

  /// Whether gpsd lets the receiver sleep, and whether whoever takes the time from it has it.
  private static func power(_ gpsd: GpsdCommandLine, _ service: TimeService?, _ rung: PowerRung?) -> [Check] {
    switch (gpsd.neverCloses, service) {
    case (true, let service?):
      return [
        Check(
          "time from the receiver", .ok,
          "\(service.name) has it (\(service.line)), for which gpsd keeps the receiver open: it never sleeps")
      ]
    case (false, let service?):
      return [
        Check(
          "time from the receiver", .warning,
          "\(service.name) wants it (\(service.line)), but gpsd runs without -n: while no program wants positions it reads "
            + "no receiver, and \(service.name) has no time from it",
          advice:
            "GPSD_OPTIONS=\"-n\" in /etc/default/gpsd, then systemctl restart gpsd; the receiver then never sleeps. Or take "
            + "that line out of the configuration of \(service.name)")
      ]
    case (true, nil) where rung == nil || rung == .watch:
      return [
        Check(
          "gpsd's option -n", .warning, "gpsd never closes the receiver, so with rung=watch it never sleeps",
          advice:
            "take -n out of GPSD_OPTIONS in /etc/default/gpsd, then systemctl restart gpsd; on mains power it may stay: "
            + "the first fix comes 6 s sooner")
      ]
    case (true, nil), (false, nil): return []
    }
  }
}
