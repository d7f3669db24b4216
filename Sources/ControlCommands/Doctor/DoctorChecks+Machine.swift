import PositionProtocol
import Positioning
import Printable
import ReceiverPorts

/// What of the machine itself is in the way.
extension DoctorChecks {
  static func machine(_ devices: [ReceiverDevice], daemon: DaemonFinding, _ machine: MachineFinding) -> [Check] {
    [self.appArmor(devices, machine)] + self.seLinux(daemon: daemon, machine) + self.disk(machine.freeSpace)
      + self.clock(machine)
  }

  // MARK: Confinement

  private static func appArmor(_ devices: [ReceiverDevice], _ machine: MachineFinding) -> Check {
    guard machine.hasGpsdProfile else { return Check("AppArmor", .ok, "does not confine gpsd") }
    let refused = devices.filter { device in
      device.isFile && machine.files[device.path] != .absent && !self.isAllowed(device, machine)
    }
    guard let device = refused.first else {
      return Check("AppArmor", .ok, "confines gpsd to serial ports; pseudoterminals and other files are refused")
    }
    let file = machine.targets[device.path] ?? device.path
    return Check(
      "AppArmor", device.isActivated ? .warning : .problem,
      "the profile of gpsd does not have \(file), so gpsd may not open it",
      advice: "the line \"\(file) rw,\" in /etc/apparmor.d/local/usr.sbin.gpsd, then "
        + "apparmor_parser -r /etc/apparmor.d/usr.sbin.gpsd")
  }

  /// Whether Debian's profile, or what was added to it here, has the file.
  private static func isAllowed(_ device: ReceiverDevice, _ machine: MachineFinding) -> Bool {
    let path = machine.targets[device.path] ?? device.path
    if machine.localProfile.contains(device.path) || machine.localProfile.contains(path) { return true }
    let isPort = ["tty", "ttyS", "ttyUSB", "ttyAMA", "ttyACM", "gpsd"].contains { name in
      path.hasPrefix("/dev/\(name)") && path.dropFirst("/dev/\(name)".count).first?.isNumber == true
    }
    return isPort || path.hasPrefix("/dev/rfcomm") || path.hasPrefix("/dev/pps")
  }

  private static func seLinux(daemon: DaemonFinding, _ machine: MachineFinding) -> [Check] {
    guard let isEnforcing = machine.isSELinuxEnforcing else { return [] }
    guard isEnforcing else { return [Check("SELinux", .ok, "refuses nothing")] }
    guard daemon.status?.receiver.availability == .receiverMissing else {
      return [Check("SELinux", .ok, "confines gpsd, which reads its receiver all the same")]
    }
    return [
      Check(
        "SELinux", .warning, "enforces its rules, and may refuse gpsd the receiver's file",
        advice: "\"ausearch -m avc -c gpsd\" as root shows what was refused; \"audit2allow\" makes a rule of it")
    ]
  }

  // MARK: The disk

  /// Bytes below which nothing can be stored, and below which that is near.
  private static let (full, nearlyFull): (UInt64, UInt64) = (1 << 20, 20 << 20)

  private static func disk(_ space: FreeSpace?) -> [Check] {
    guard let space else { return [] }
    let advice =
      "make room: \"du -xh / | sort -h | tail\" shows where it went, \"journalctl --vacuum-size=100M\" makes some"
    guard space.hasEntries else {
      return [
        Check(
          "disk", .problem, "the file system of \(space.folder) has no room for another file",
          advice: "\"df -i\" shows it; remove files that are not needed, however short they are")
      ]
    }
    switch space.bytes {
    case ..<self.full:
      return [
        Check(
          "disk", .problem,
          "full: \(space.bytes >> 10) KiB are left for \(space.folder), and durable names and decisions cannot be stored",
          advice: advice)
      ]
    case ..<self.nearlyFull:
      return [
        Check("disk", .warning, "nearly full: \(space.bytes >> 20) MiB are left for \(space.folder)", advice: advice)
      ]
    default: return [Check("disk", .ok, "there is room in \(space.folder)")]
    }
  }

  // MARK: The clock

  /// The beginning of 2026, in seconds since 1970. No clock that shows an earlier time is right.
  private static let oldestTime = 1_767_225_600

  private static func clock(_ machine: MachineFinding) -> [Check] {
    let chip: Check? =
      switch machine.clockChip {
      case .missing where machine.isClockSynchronized != true:
        Check(
          "clock without power", .warning,
          "this machine has none: after a start its time is wrong until the network or the receiver sets it, and what is "
            + "recorded or logged until then has a wrong date",
          advice:
            "have it wait for the time (systemctl enable systemd-time-wait-sync), take the time from the receiver with "
            + "chrony (refclock SHM 0, and gpsd with -n), or add a clock with a battery")
      case .shows(let time) where time < self.oldestTime:
        Check(
          "clock without power", .warning,
          "it shows \(Timestamp(seconds: Double(time)).description.prefix(10)): its battery is empty, "
            + "or it was never set",
          advice: "once the time is right: hwclock --systohc; if it is lost again, replace the battery")
      case .missing, .shows, .unknown: nil
      }
    return [self.synchronisation(machine)] + (chip.map { [$0] } ?? [])
  }

  private static func synchronisation(_ machine: MachineFinding) -> Check {
    switch machine.isClockSynchronized {
    case true?: Check("clock", .ok, "synchronised")
    case false?:
      Check(
        "clock", .warning, "not synchronised; positiond does not need it, but times in logs may be wrong",
        advice: "timedatectl set-ntp true")
    case nil: Check("clock", .unknown, "sync status unknown, not required")
    }
  }

  /// Whether the receiver's date is this machine's.
  ///
  /// - Parameters:
  ///   - time: The receiver's time of its newest fix.
  ///   - own: This machine's time at the fix's arrival.
  static func date(_ time: Timestamp, own: Timestamp) -> Check? {
    let error = (time - own).seconds
    guard error.magnitude >= 86_400 else { return nil }
    let (shown, mine) = (time.description.prefix(10), own.description.prefix(10))
    guard own.seconds >= Double(self.oldestTime) else {
      return Check(
        "date", .warning, "this machine's date is \(mine), the receiver's \(shown): this machine's is wrong",
        advice: "timedatectl set-ntp true; without a network, chrony can take the time from the receiver")
    }
    let week = 604_800.0
    let turns = (error / (1024 * week)).rounded()
    let isRollover = turns != 0 && (error - turns * 1024 * week).magnitude < 2 * 86_400
    return Check(
      "date", .warning,
      "the receiver's is \(shown), this machine's \(mine)"
        + (isRollover ? ": the receiver's count of weeks has begun anew, as it does every 1024 weeks" : "")
        + "; positions are right, but a track would be dated \(shown.prefix(4))",
      advice:
        "newer firmware of the receiver, if there is any; let no program take the time from it, and date recordings by their "
        + "files")
  }

  // MARK: Reports

  /// Whether so many reports were set aside that something is wrong with the line or the signals.
  static func reports(_ reports: DaemonStatus.Reports) -> Check? {
    let jumps = reports.rejected["jump"] ?? 0
    guard reports.received >= 100, jumps * 20 > reports.received else { return nil }
    return Check(
      "reports", .warning, "\(jumps) of \(reports.received) were set aside, because no device moves like that",
      advice:
        "a line that loses characters does this (check cable and speed), and so do reflected or false signals: trust.md"
    )
  }
}
