import Gpsd
import PositionClient
import PositionProtocol
import Positioning
import Printable
import ReceiverPorts

/// Judges what was found; pure.
enum DoctorChecks {
  static func all(
    daemon: DaemonFinding, gpsd: GpsdFinding, exposure: GpsdExposure, address: GpsdAddress, machine: MachineFinding,
    lines: [String: ReceiverLine] = [:], now: Instant
  ) -> [Check] {
    var checks = self.daemon(daemon, now: now) + self.gpsd(gpsd, exposure, daemon: daemon, address: address)
    checks += self.sharedMemory(machine) + self.options(machine, daemon: daemon)
    checks += machine.configuration.map { [self.configuration($0)] } ?? []
    var devices: [ReceiverDevice] = []
    if case .speaks(_, let listed?) = gpsd {
      devices = listed
      checks += self.receivers(devices, lines, daemon: daemon, machine) + self.rung(devices, daemon: daemon, machine)
    }
    return checks + self.machine(devices, daemon: daemon, machine)
  }

  // The daemon.

  static func daemon(_ finding: DaemonFinding, now: Instant) -> [Check] {
    switch finding {
    case .unreachable(let error): return [Check("daemon", .problem, "\(error)", advice: error.advice)]
    case .silent:
      return [
        Check(
          "daemon", .problem, "accepts the connection but does not answer",
          advice: "systemctl restart positiond.service; \"journalctl -u positiond.service\" may show why")
      ]
    case .answers(let session, let status, let times):
      let further = [times.flatMap { self.date($0.receiver, own: $0.own) }, self.reports(status.reports)]
      return [
        Check(
          "daemon", .ok,
          "positiond \(session.server.version) answers, up for \(TimeSpan.words(status.uptime(at: now).seconds))"),
        self.permission(session.authorization, session.principal), self.receiver(status),
      ] + further.compactMap(\.self) + self.store(status)
    }
  }

  /// The error of the store. Errors on the way to the receiver have checks of their own.
  private static func store(_ status: DaemonStatus) -> [Check] {
    guard let error = status.lastError, error.part == .store else { return [] }
    return [Check("store", .problem, error.message, advice: "\"journalctl -u positiond.service\" may show more")]
  }

  private static func permission(_ authorization: Authorization, _ principal: Principal) -> Check {
    let user = principal.user ?? "uid \(principal.uid)"
    let rule = authorization.rule.map { " by rule \($0)" } ?? ""
    switch authorization.state {
    case .whenInUse, .always:
      let precision = authorization.precision == .reduced ? ", with reduced precision" : ""
      return Check("permission", .ok, "\(user) may know positions\(rule)\(precision)")
    case .notDetermined, .denied, .restricted, .disabled:
      let advice = PermissionAdvice.text(authorization.remedy ?? PermissionAdvice.forUser("USER"))
      return Check(
        "permission", .problem,
        "the user \(user) gets no positions: \(authorization.state.text)\(authorization.rule.map { " (\($0))" } ?? "")",
        advice: advice
      )
    }
  }

  private static func receiver(_ status: DaemonStatus) -> Check {
    let availability = status.receiver.availability
    let text = availability.text(detail: status.gpsd.detail)
    if let problem = status.receiver.problem, let words = status.receiver.problemText {
      return Check("receiver", .warning, "\(text); \(words)", advice: problem.advice)
    }
    if let doubt = status.receiver.integrity?.doubt(status.receiver.integrityReasons) {
      return Check(
        "receiver", .warning, "\(text); its fixes are \(doubt)",
        advice: "trust.md says what each reason means, and what harmless causes it has")
    }
    switch availability {
    case .available, .poweredDown, .stale, .accuracyLimited: return Check("receiver", .ok, text)
    case .unknown: return Check("receiver", .unknown, text)
    case .untrusted: return Check("receiver", .warning, text)
    case .searching, .lost:
      return Check(
        "receiver", .warning, text, advice: "give it a free view of the sky; \"positionctl sky\" shows what it sees")
    case .receiverMissing, .gpsdFull, .gpsdDown, .denied:
      return Check("receiver", .problem, text, advice: "see the checks of gpsd below")
    }
  }

  // gpsd.

  static func gpsd(
    _ finding: GpsdFinding, _ exposure: GpsdExposure, daemon: DaemonFinding, address: GpsdAddress
  ) -> [Check] {
    switch finding {
    case .refused: return self.refused(exposure, daemon: daemon, address: address)
    case .unreachable(let reason): return [self.unanswered(address, reason)]
    case .silent:
      return [
        Check(
          "gpsd", .problem, "accepts the connection to \(address) but sends nothing",
          advice: "gpsd may fail to start while systemd holds its port: see \"systemctl status gpsd.service\"")
      ]
    case .full:
      return [
        Check(
          "gpsd", .problem, "closes the connection at once: it has its maximum of 64 clients",
          advice: "find them with \"ss -tnp 'dport = :2947'\" as root, and stop those that are not needed")
      ]
    case .otherProgram:
      return [
        Check("gpsd", .problem, "another program answers at \(address)", advice: "find it with \"ss -tlnp\" as root")
      ]
    case .positiond:
      return [
        Check(
          "gpsd", .unknown, "positiond itself answers at \(address), in gpsd's place",
          advice: "give the address of gpsd itself, which is [gpsd] in positiond.conf, with --gpsd")
      ]
    case .speaks(let version, let devices):
      return [Check("gpsd", .ok, "version \(version) answers at \(address)"), self.exposure(exposure)]
        + (devices == nil ? [Check("receivers", .unknown, "gpsd did not list its receivers in time")] : [])
    }
  }

  // The machine.

  static func file(_ path: String, _ file: MachineFinding.DeviceFile) -> Check {
    switch file {
    case .absent:
      Check(
        "file \(path)", .problem, "does not exist, but gpsd lists it",
        advice:
          "plug the receiver in, or correct DEVICES= in /etc/default/gpsd; paths in /dev/serial/by-id do not change")
    case .present(let mode, let group):
      // gpsd changes from root to the group dialout before it opens a device a second time.
      if mode & 0o006 == 0o006 || (mode & 0o060 == 0o060 && group == "dialout") {
        Check("file \(path)", .ok, "gpsd may read and write it")
      } else {
        Check(
          "file \(path)", .warning, "gpsd's group dialout may not read and write it",
          advice: "chgrp dialout and chmod g+rw, permanently by a udev rule")
      }
    }
  }

  static func configuration(_ finding: ConfigurationFinding) -> Check {
    switch finding {
    case .valid: Check("configuration", .ok, "no errors")
    case .invalid(let errors):
      Check(
        "configuration", .problem, errors.joined(separator: "; "),
        advice: "correct it, then systemctl reload positiond; until then a reload fails, and a restart too")
    case .unknown(let reason): Check("configuration", .unknown, reason)
    }
  }
}

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

/// Which rung suits the receiver.
extension DoctorChecks {
  static func rung(_ devices: [ReceiverDevice], daemon: DaemonFinding, _ machine: MachineFinding) -> [Check] {
    let used = daemon.status?.receiver.device
    guard let device = devices.first(where: { $0.path == used }) ?? devices.first else { return [] }
    let best = self.bestRung(for: device, isSwitchable: machine.switchableFiles.contains(device.path))
    let reason = self.reason(for: best, device)
    guard let current = daemon.status?.power.current else {
      return [Check("rung", .ok, "\(best.rawValue) suits \(device.path): \(reason)")]
    }
    if let problem = current.problem { return [Check("rung", .warning, "\(current.rung.rawValue): \(problem)")] }
    guard current.rung == .watch, best != .watch else {
      return [
        Check("rung", .ok, "\(current.rung.rawValue) is in use; \(best.rawValue) suits \(device.path): \(reason)")
      ]
    }
    return [
      Check(
        "rung", .ok, "watch is in use, with which the receiver may never sleep",
        advice: "set rung=\(best.rawValue) in [receiver] of positiond.conf, if no other program uses gpsd: \(reason)")
    ]
  }

  private static func bestRung(for device: ReceiverDevice, isSwitchable: Bool) -> PowerRung {
    switch device.driver {
    case let driver? where driver.hasPrefix("u-blox"): .ublox
    case let driver? where driver.hasPrefix("MTK"): .mtk
    case _: isSwitchable ? .unit : .watch
    }
  }

  private static func reason(for rung: PowerRung, _ device: ReceiverDevice) -> String {
    switch rung {
    case .ublox: "it is a u-blox"
    case .mtk: "it is a MediaTek"
    case .unit: "its USB device can be turned off"
    case .watch: "no command is known for \(device.driver ?? "a receiver whose type gpsd does not know")"
    }
  }
}
