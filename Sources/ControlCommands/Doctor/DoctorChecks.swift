import PositionClient
import PositionProtocol
import Positioning

/// Judges what was found; pure.
enum DoctorChecks {
  static func all(
    daemon: DaemonFinding, gpsd: GpsdFinding, door: GpsdDoor, address: String, machine: MachineFacts
  ) -> [Check] {
    var checks = self.daemon(daemon) + self.gpsd(gpsd, door, daemon: daemon, address: address)
    checks += self.sharedMemory(machine)
    if case .speaks(_, let devices?) = gpsd {
      checks += self.devices(devices, daemon: daemon)
      checks += devices.filter(\.isFile).map { self.file($0.path, machine.files[$0.path] ?? .absent) }
      checks += self.modemManager(devices, machine)
    }
    return checks + [self.appArmor(machine), self.clock(machine)]
  }

  // The daemon.

  static func daemon(_ finding: DaemonFinding) -> [Check] {
    switch finding {
    case .unreachable(let error): return [Check("daemon", .problem, "\(error)", advice: error.advice)]
    case .silent:
      return [
        Check(
          "daemon", .problem, "took the connection and does not answer",
          advice: "systemctl restart positiond.service; \"journalctl -u positiond.service\" may say why")
      ]
    case .answers(let session, let status):
      return [
        Check("daemon", .ok, "positiond \(session.server.version) answers, up for \(TimeSpan.words(status.uptime))"),
        self.permission(session.authorization, session.principal), self.receiver(status),
      ]
    }
  }

  private static func permission(_ authorization: AuthorizationObject, _ principal: PrincipalObject) -> Check {
    let user = principal.user ?? "uid \(principal.uid)"
    let rule = authorization.rule.map { " by rule \($0)" } ?? ""
    switch authorization.state {
    case .whenInUse, .always:
      let precision = authorization.precision == .reduced ? ", with reduced precision" : ""
      return Check("permission", .ok, "\(user) may know positions\(rule)\(precision)")
    case .notDetermined, .denied, .restricted, .disabled:
      let advice = authorization.remedy ?? "adduser USER position as root, and a new login"
      return Check(
        "permission", .problem, "\(user) may not know positions: \(authorization.state.rawValue)\(rule)", advice: advice
      )
    }
  }

  private static func receiver(_ status: StatusObject) -> Check {
    let availability = status.receiver.availability
    let words = status.gpsd.detail.map { "\(availability.words) (\($0))" } ?? availability.words
    switch availability {
    case .available, .poweredDown, .stale, .accuracyLimited: return Check("receiver", .ok, words)
    case .unknown: return Check("receiver", .unknown, words)
    case .searching, .lost:
      return Check(
        "receiver", .warning, words, advice: "give it a free view of the sky; \"positionctl sky\" shows what it sees")
    case .receiverMissing, .gpsdFull, .gpsdDown, .denied:
      return Check("receiver", .problem, words, advice: "what follows says more about gpsd")
    }
  }

  // gpsd.

  static func gpsd(_ finding: GpsdFinding, _ door: GpsdDoor, daemon: DaemonFinding, address: String) -> [Check] {
    switch finding {
    case .refused: return self.refused(door, daemon: daemon, address: address)
    case .unreachable(let reason): return [self.unanswered(address, reason)]
    case .silent:
      return [
        Check(
          "gpsd", .problem, "the connection to \(address) is taken, and nothing is said",
          advice: "systemd may hold the port while gpsd fails to start: see \"systemctl status gpsd.service\"")
      ]
    case .full:
      return [
        Check(
          "gpsd", .problem, "closes the connection without a word: it has as many clients as it can (64)",
          advice: "find them with \"ss -tnp 'dport = :2947'\" as root, and end what needs none")
      ]
    case .otherProgram:
      return [Check("gpsd", .problem, "what answers at \(address) is not gpsd", advice: "see who holds the port")]
    case .speaks(let version, let devices):
      return [Check("gpsd", .ok, "version \(version) speaks at \(address)"), self.door(door)]
        + (devices == nil ? [Check("receivers", .unknown, "gpsd did not list its receivers in time")] : [])
    }
  }

  static func devices(_ devices: [GpsdFinding.Device], daemon: DaemonFinding) -> [Check] {
    guard !devices.isEmpty else {
      return [
        Check(
          "receivers", .problem, "gpsd has none",
          advice: "plug one in; where udev does not tell gpsd, set DEVICES= in /etc/default/gpsd, or gpsdctl add PATH")
      ]
    }
    return devices.map { device in
      let name = device.path + (device.driver.map { " (\($0))" } ?? "")
      guard device.isOpen else { return Check("receiver \(name)", .ok, "closed while nobody needs it") }
      guard let status = daemon.status, status.gpsd.state == .idle else {
        return Check("receiver \(name)", .ok, "open")
      }
      return Check(
        "receiver \(name)", .warning, "gpsd keeps it open although positiond does not need it",
        advice: "ask again in a minute; if it stays, another program watches gpsd, or gpsd runs with -n "
          + "(GPSD_OPTIONS in /etc/default/gpsd), and the receiver never sleeps")
    }
  }

  // The machine.

  static func file(_ path: String, _ file: MachineFacts.DeviceFile) -> Check {
    switch file {
    case .absent:
      Check(
        "file \(path)", .problem, "gpsd has it on its list, and it is not there",
        advice: "plug the receiver in, or correct DEVICES= in /etc/default/gpsd; a path in /dev/serial/by-id stays")
    case .present(let mode, let group):
      // gpsd gives root up for the group dialout before it opens anything a second time.
      if mode & 0o006 == 0o006 || (mode & 0o060 == 0o060 && group == "dialout") {
        Check("file \(path)", .ok, "there, and gpsd may use it")
      } else {
        Check(
          "file \(path)", .warning, "gpsd's group dialout may not read and write it",
          advice: "chgrp dialout and chmod g+rw it, by a udev rule so that it lasts")
      }
    }
  }

  static func modemManager(_ devices: [GpsdFinding.Device], _ machine: MachineFacts) -> [Check] {
    guard machine.isModemManagerRunning else { return [Check("ModemManager", .ok, "does not run")] }
    let mayBeTaken = devices.contains {
      $0.path.contains("ttyACM") || $0.path.contains("ttyUSB") || $0.path.contains("by-id")
    }
    guard mayBeTaken else { return [Check("ModemManager", .ok, "runs, and no receiver looks like a modem")] }
    return [
      Check(
        "ModemManager", .warning, "runs, and may write to a receiver that looks like a modem when it is plugged in",
        advice: "a udev rule for the receiver with ENV{ID_MM_DEVICE_IGNORE}=\"1\" keeps it off")
    ]
  }

  private static func appArmor(_ machine: MachineFacts) -> Check {
    machine.hasGpsdProfile
      ? Check("AppArmor", .ok, "confines gpsd to serial ports; it refuses pseudoterminals and files elsewhere")
      : Check("AppArmor", .ok, "does not confine gpsd")
  }

  private static func clock(_ machine: MachineFacts) -> Check {
    switch machine.isClockSynchronized {
    case true?: Check("clock", .ok, "synchronised")
    case false?:
      Check(
        "clock", .warning, "not synchronised; positiond does not mind, times in logs may be wrong",
        advice: "timedatectl set-ntp true")
    case nil: Check("clock", .unknown, "nobody says whether it is synchronised; positiond does not mind")
    }
  }
}
