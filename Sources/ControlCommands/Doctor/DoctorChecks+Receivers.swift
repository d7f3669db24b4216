import Gpsd
import PositionProtocol
import Positioning
import Printable
import ReceiverPorts

/// What keeps gpsd from reading a receiver, and positiond from using what gpsd reads.
extension DoctorChecks {
  static func receivers(
    _ devices: [ReceiverDevice], _ lines: [String: ReceiverLine], daemon: DaemonFinding, _ machine: MachineFinding
  ) -> [Check] {
    self.devices(devices, daemon: daemon, machine) + self.unlisted(devices, daemon: daemon, machine)
      + self.configured(devices, daemon: daemon) + self.crowd(devices)
      + devices.compactMap { self.recognition($0, daemon: daemon, machine) }
      + devices.compactMap { self.line($0.path, lines[$0.path], daemon: daemon) }
      + devices.filter(\.isFile).map { self.file($0.path, machine.files[$0.path] ?? .absent) }
      + devices.flatMap { self.holders(of: $0.path, machine) } + self.modemManager(devices, machine)
  }

  static func devices(_ devices: [ReceiverDevice], daemon: DaemonFinding, _ machine: MachineFinding) -> [Check] {
    guard !devices.isEmpty else {
      let plugged = machine.ports.filter { $0.likelihood == .certain }
      let ports = plugged.isEmpty ? machine.ports.filter { $0.likelihood == .possible } : plugged
      guard let port = ports.first else {
        return [
          Check(
            "receivers", .problem, "gpsd has none",
            advice:
              "plug one in; if gpsd does not notice it, set DEVICES= in /etc/default/gpsd, or run gpsdctl add PATH")
        ]
      }
      let what = plugged.isEmpty ? ", at which one may be," : ""
      return [
        Check(
          "receivers", .problem, "gpsd has none, though \(port.description)\(what) is plugged in",
          advice: self.adding(port.path))
      ]
    }
    return devices.map { device in
      let name = device.path + (device.driver.map { " (\($0))" } ?? "")
      guard device.isActivated else { return Check("receiver \(name)", .ok, "closed, not in use") }
      guard let status = daemon.status, status.gpsd.state == .idle else {
        return Check("receiver \(name)", .ok, "open")
      }
      return Check(
        "receiver \(name)", .warning, "open in gpsd although positiond does not use it",
        advice: self.whyOpen(machine))
    }
  }

  private static func whyOpen(_ machine: MachineFinding) -> String {
    guard let gpsd = machine.gpsd else {
      return "run this again in a minute; if it stays open, another program uses gpsd, or gpsd runs with -n "
        + "(GPSD_OPTIONS in /etc/default/gpsd), and the receiver never sleeps"
    }
    guard gpsd.neverCloses else {
      return
        "run this again in a minute; if it stays open, another program uses gpsd: \"ss -tnp 'dport = :\(gpsd.port)'\" as "
        + "root shows which"
    }
    if let service = machine.timeService {
      return "gpsd runs with -n, which \(service.name) needs to have the time from it; the receiver never sleeps"
    }
    return "gpsd runs with -n, so the receiver never sleeps: take -n out of GPSD_OPTIONS in /etc/default/gpsd, then "
      + "systemctl restart gpsd"
  }

  private static func adding(_ path: String) -> String {
    "gpsdctl add \(path), as root; for good: DEVICES=\"\(path)\" in /etc/default/gpsd, or better its path in "
      + "/dev/serial/by-id, which does not change"
  }

  /// A receiver that is plugged in, and that gpsd does not read, though it has others.
  private static func unlisted(_ devices: [ReceiverDevice], daemon: DaemonFinding, _ machine: MachineFinding) -> [Check]
  {
    guard !devices.isEmpty else { return [] }
    let listed = Set(machine.targets.values)
    return machine.ports.filter { port in
      port.likelihood == .certain && !listed.contains(port.path)
    }.map { port in
      // What gpsd has may be enough.
      let isMissed = daemon.status?.receiver.availability == .receiverMissing
      let others = devices.map(\.path).joined(separator: ", ")
      let removing = isMissed ? devices.first.map { "gpsdctl remove \($0.path) and " } ?? "" : ""
      return Check(
        "receivers", isMissed ? .problem : .warning,
        "gpsd has \(others), but not \(port.description), which is a receiver",
        advice: removing + self.adding(port.path))
    }
  }

  /// Whether `device=` names one that gpsd does not have.
  private static func configured(_ devices: [ReceiverDevice], daemon: DaemonFinding) -> [Check] {
    guard !devices.isEmpty, let status = daemon.status, status.receiver.availability == .receiverMissing,
      status.receiver.device == nil, let detail = status.gpsd.detail
    else { return [] }
    return [
      Check(
        "configured receiver", .problem, "positiond uses none of gpsd's receivers: \(detail)",
        advice:
          "name in device= of [gpsd] in positiond.conf one that gpsd has, best by its path in /dev/serial/by-id, which "
          + "does not change; or none, and positiond takes what there is")
    ]
  }

  /// Programs on gpsd's library cannot read a longer list.
  private static func crowd(_ devices: [ReceiverDevice]) -> [Check] {
    guard devices.count > 4 else { return [] }
    return [
      Check(
        "receivers", .warning, "gpsd has \(devices.count): programs with gpsd's library hang with more than 4",
        advice: "gpsdctl remove PATH those that are not needed; positiond itself reads the list without that library")
    ]
  }

  /// What gpsd makes of what the receiver sends.
  static func recognition(_ device: ReceiverDevice, daemon: DaemonFinding, _ machine: MachineFinding) -> Check? {
    let name = "receiver \(device.path)"
    guard device.isActivated, let status = daemon.status else { return nil }
    let isUsed = status.receiver.device == nil || status.receiver.device == device.path
    switch (device.driver, status.receiver.availability) {
    case (nil, .receiverMissing):
      if let speed = machine.gpsd?.speed {
        return Check(
          name, .problem,
          "gpsd recognises nothing of what it sends: gpsd runs with -s \(speed), and tries no other speed",
          advice: "take -s out of GPSD_OPTIONS in /etc/default/gpsd, then systemctl restart gpsd")
      }
      return Check(
        name, .problem, "gpsd has it open and recognises nothing of what it sends, if it sends anything",
        advice:
          "\"stty -F \(device.path) SPEED\" and \"cat \(device.path)\" show, while gpsd is stopped, whether it sends anything, and "
          + "at which speed; if it is no receiver, but a modem: gpsdctl remove \(device.path)")
    case (let driver?, .receiverMissing) where isUsed:
      return Check(
        name, .problem, "gpsd has it open as \(driver), and it sends nothing",
        advice: "unplug it and plug it in again; look whether a check below names a program that reads it too")
    case (nil, .available), (nil, .searching), (nil, .lost), (nil, .stale):
      guard status.receiver.device == device.path else { return nil }
      return Check(
        name, .warning,
        "gpsd does not name its type, so no rung is known for it, and its accuracy may be that of an unknown one",
        advice: "gpsdctl remove \(device.path), then gpsdctl add \(device.path), have gpsd find out again; as root")
    default: return nil
    }
  }

  // MARK: The line

  /// A slow line that is full: what a receiver sends in each second no longer fits into it.
  static func line(_ path: String, _ line: ReceiverLine?, daemon: DaemonFinding) -> Check? {
    guard let line, let speed = line.speed, (1...9600).contains(speed) else { return nil }
    let status = daemon.status.flatMap { $0.receiver.device == path ? $0 : nil }
    let interval = [line.cycle, status?.interval].compactMap(\.self).min()
    let isFast = interval.map { $0 < 0.7 } ?? false
    guard isFast || status?.receiver.problem == .late else { return nil }
    let rate = isFast ? interval.map { ", and the receiver reports every \($0.short) s" } : nil
    // A byte takes ten bits.
    return Check(
      "line of \(path)", .warning,
      "\(speed) baud are \(speed / 10) characters a second\(rate ?? ""): the sentences of several constellations do not fit, so "
        + "positions come late and epochs are missing",
      advice: "gpsctl -s 38400 \(path), or have it send less: gpsctl -b \(path) (binary), or one report a second")
  }

  // MARK: Other programs

  private static func holders(of path: String, _ machine: MachineFinding) -> [Check] {
    (machine.holders[path] ?? []).map { holder in
      Check(
        "file \(path)", .problem,
        "\(holder.name) (process \(holder.number)) has it open, and takes from gpsd what it sends",
        advice: self.freeing(path, from: holder))
    }
  }

  private static func freeing(_ path: String, from holder: Holder) -> String {
    switch holder.name {
    case "ModemManager": self.sparing
    case "agetty", "getty": "systemctl disable --now serial-getty@\(path.split(separator: "/").last ?? "").service"
    case "brltty": "apt remove brltty, unless a braille display is used: it takes every adapter of its kind"
    default: "stop that program, or have it read positions from positiond"
    }
  }

  private static let sparing =
    "a udev rule for the receiver with ENV{ID_MM_DEVICE_IGNORE}=\"1\" makes ModemManager ignore it: "
    + "/usr/share/doc/positiond/positiond-receiver.rules is a template"

  static func modemManager(_ devices: [ReceiverDevice], _ machine: MachineFinding) -> [Check] {
    guard machine.isModemManagerRunning else { return [Check("ModemManager", .ok, "not running")] }
    let like = devices.filter { device in
      let paths = [device.path, machine.targets[device.path] ?? ""]
      return paths.contains { path in ["ttyACM", "ttyUSB", "by-id"].contains { path.contains($0) } }
    }
    guard !like.isEmpty else { return [Check("ModemManager", .ok, "running, but no receiver looks like a modem")] }
    guard !like.allSatisfy({ machine.sparedFiles.contains($0.path) }) else {
      return [Check("ModemManager", .ok, "running, and udev has it leave the receiver alone")]
    }
    return [
      Check(
        "ModemManager", .warning, "running, and may write to receivers that look like modems when they are plugged in",
        advice: self.sparing)
    ]
  }
}

extension DaemonStatus {
  /// Seconds between two fixes while the receiver was on; `nil` while there were few. gpsd names one second for most receivers,
  /// whatever they do.
  fileprivate var interval: Double? {
    self.reports.fixes >= 10 ? self.power.onTime.seconds / Double(self.reports.fixes) : nil
  }
}
