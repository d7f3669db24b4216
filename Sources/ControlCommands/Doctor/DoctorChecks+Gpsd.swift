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
    let clock = daemon.status?.clock
    if !gpsd.neverCloses, let service = machine.timeService ?? clock?.figure?.service {
      return checks + [self.time(for: service, clock)]
    }
    // Where nobody uses it, that it is open is said of the receiver.
    return checks + (daemon.status?.gpsd.state == .idle ? [] : self.power(gpsd, machine.timeService, rung))
  }

  /// Whether whoever takes the time from a receiver has it that gpsd closes when nobody uses it.
  private static func time(for service: TimeService, _ clock: DaemonStatus.Clock?) -> Check {
    let subject = "time from the receiver"
    let figure = (clock?.figure?.error).map { "; it is right to \(ClockFormat.span($0)) now" } ?? ""
    switch (clock?.keep, clock?.problem) {
    case (let keep?, nil):
      return Check(
        subject, .ok,
        "\(service.name) wants it (\(service.line)), and positiond turns the receiver on often enough for "
          + "\(ClockFormat.span(keep))\(figure)")
    case (let keep?, let problem?):
      return Check(
        subject, .warning,
        "\(service.name) wants it (\(service.line)), and it is not kept to \(ClockFormat.span(keep)): \(problem)",
        advice:
          "chronyd must run, answer on this machine (no \"cmdport 0\" in its configuration), have a refclock of gpsd's, and be "
          + "started before gpsd; \"chronyc sources\" shows what it gets")
    case (nil, _):
      return Check(
        subject, .warning,
        "\(service.name) wants it (\(service.line)), but gpsd runs without -n: while no program wants positions it reads "
          + "no receiver, and \(service.name) has no time from it\(figure)",
        advice:
          "keep= in [time] of positiond.conf, such as keep=10ms, and positiond turns the receiver on often enough for that. Or "
          + "GPSD_OPTIONS=\"-n\" in /etc/default/gpsd, then systemctl restart gpsd; the receiver then never sleeps. Or take "
          + "that line out of the configuration of \(service.name)")
    }
  }

  /// Whether gpsd lets the receiver sleep.
  private static func power(_ gpsd: GpsdCommandLine, _ service: TimeService?, _ rung: PowerRung?) -> [Check] {
    switch (gpsd.neverCloses, service) {
    case (true, let service?):
      return [
        Check(
          "time from the receiver", .ok,
          "\(service.name) has it (\(service.line)), for which gpsd keeps the receiver open: it never sleeps")
      ]
    case (true, nil) where rung == nil || rung == .watch:
      return [
        Check(
          "gpsd's option -n", .warning, "gpsd never closes the receiver, so with rung=watch it never sleeps",
          advice:
            "take -n out of GPSD_OPTIONS in /etc/default/gpsd, then systemctl restart gpsd; on mains power it may stay: "
            + "the first fix comes 6 s sooner")
      ]
    case (true, nil), (false, _): return []
    }
  }
}

extension ClockFigure {
  /// chrony as a program that takes the time from a receiver, where its own word is what shows it.
  fileprivate var service: TimeService? {
    self.isReferenceClock ? TimeService(name: "chrony", line: "it follows \(self.reference ?? "a clock")") : nil
  }
}
