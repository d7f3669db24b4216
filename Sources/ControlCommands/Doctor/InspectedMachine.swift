import CLinux
import EventLoop
import Glibc

/// The findings about this machine.
struct MachineFinding: Hashable {
  /// A device's file.
  enum DeviceFile: Hashable {
    case absent
    /// The permissions (`rw-rw----` as 0o660) and the group's name, if it has one.
    case present(mode: UInt32, group: String?)
  }

  /// By path.
  var files: [String: DeviceFile] = [:]
  /// The paths of receivers whose USB device can be turned off by its `authorized` file.
  var switchableFiles: Set<String> = []
  /// The ports at which receivers may be.
  var ports: [SerialPort] = []
  /// Where the receivers' paths lead to, such as `/dev/ttyACM0`.
  var targets: [String: String] = [:]
  /// The programs besides gpsd that have a receiver's file open, by its path.
  var holders: [String: [Holder]] = [:]
  /// gpsd's options; `nil`: it does not run on this machine.
  var gpsd: GpsdCommandLine?
  /// Whether something listens at gpsd's port for other machines.
  var isPortOpen = false
  var isModemManagerRunning = false
  /// The paths of receivers that ModemManager leaves alone.
  var sparedFiles: Set<String> = []
  /// Whether AppArmor is enforced by the kernel, and gpsd's profile is installed.
  var hasGpsdProfile = false
  /// What was added to that profile on this machine.
  var localProfile = ""
  /// Whether SELinux enforces its rules; `nil`: the kernel has none.
  var isSELinuxEnforcing: Bool?
  /// `nil` if it is unknown.
  var isClockSynchronized: Bool?
  var clockChip = ClockChip.unknown
  /// What takes the time from gpsd's receiver.
  var timeService: TimeService?
  /// The room for what the daemon stores.
  var freeSpace: FreeSpace?
  /// `nil` where it was not checked.
  var configuration: ConfigurationFinding?
  /// Whether gpsd has shared memory in which every user can read positions.
  var isSharedMemoryOpen = false
}

/// The machine to check: this one, or a test's replacement of it.
struct InspectedMachine: Sendable {
  /// The root of its files, including `/proc`, `/sys` and `/run`.
  var root = ""
  /// The key of gpsd's shared memory; gpsd's default unless it is configured otherwise.
  var sharedMemoryKey: Int32 = 0x4750_5344
  /// The daemon's program, which checks its configuration; `nil`: that is not checked.
  var daemon: String?

  /// This machine, with the daemon that is installed beside this program.
  static var own: InspectedMachine {
    let daemon = OwnProgram.folder().map { "\($0)/positiond" }
    return InspectedMachine(daemon: daemon.flatMap { unsafe access($0, X_OK) == 0 ? $0 : nil })
  }
}

extension InspectedMachine {
  /// Collects the facts.
  ///
  /// - Parameters:
  ///   - files: The paths of the receivers.
  ///   - port: gpsd's; `nil`: it is on another machine.
  func finding(files: [String], gpsdPort port: UInt16? = GpsdAddress.standard.port) -> MachineFinding {
    MachineFinding(
      files: Dictionary(files.map { ($0, self.file($0)) }, uniquingKeysWith: { first, _ in first }),
      switchableFiles: Set(files.filter { self.isSwitchable($0) }), ports: port == nil ? [] : self.ports,
      targets: Dictionary(files.map { ($0, self.target($0)) }, uniquingKeysWith: { first, _ in first }),
      holders: self.holders(of: files), gpsd: port.flatMap { self.gpsd(atPort: $0) },
      isPortOpen: port.map { self.isOpenToNetwork($0) } ?? false,
      isModemManagerRunning: self.runs("ModemManager"), sparedFiles: Set(files.filter { self.isSpared($0) }),
      hasGpsdProfile: self.exists("/etc/apparmor.d/usr.sbin.gpsd")
        && !self.exists("/etc/apparmor.d/disable/usr.sbin.gpsd")
        && self.text("/sys/module/apparmor/parameters/enabled")?.hasPrefix("Y") == true,
      localProfile: self.localProfile, isSELinuxEnforcing: self.isSELinuxEnforcing,
      isClockSynchronized: self.isClockSynchronized, clockChip: self.clockChip, timeService: self.timeService,
      freeSpace: self.freeSpace, isSharedMemoryOpen: self.isSharedMemoryOpen)
  }

  /// gpsd writes positions into shared memory while it runs.
  private var isSharedMemoryOpen: Bool {
    var mode: UInt32 = 0
    var users: UInt = 0
    return unsafe clinux_shared_memory(self.sharedMemoryKey, &mode, &users) == 0 && users > 0 && mode & 0o004 != 0
  }

  private func file(_ path: String) -> MachineFinding.DeviceFile {
    var status = stat()
    guard unsafe stat(self.root + path, &status) == 0 else { return .absent }
    let group = unsafe getgrgid(status.st_gid)
    return .present(
      mode: status.st_mode & 0o777, group: unsafe group.map { unsafe String(cString: $0.pointee.gr_name) })
  }

  /// Whether the USB device of a serial port can be turned off. The path may be one of udev's links to the port.
  private func isSwitchable(_ path: String) -> Bool {
    let name = self.portName(path)
    return ["..", "../.."].contains { self.exists("/sys/class/tty/\(name)/device/\($0)/authorized") }
  }

  /// Where a path leads to, without the machine's root; the path itself if there is no such file.
  func target(_ path: String) -> String {
    guard let found = unsafe realpath(self.root + path, nil) else { return path }
    defer { unsafe free(found) }
    let target = unsafe String(cString: found)
    return target.hasPrefix(self.root) ? String(target.dropFirst(self.root.count)) : target
  }

  /// The last part of where a path leads to, such as `ttyACM0`.
  func portName(_ path: String) -> Substring { self.target(path).split(separator: "/").last ?? "" }

  func exists(_ path: String) -> Bool { unsafe access(self.root + path, F_OK) == 0 }

  /// systemd-timesyncd creates this file once the clock is synchronised. The state of other programs is unknown.
  private var isClockSynchronized: Bool? {
    if self.exists("/run/systemd/timesync/synchronized") { return true }
    return self.runs("systemd-timesyn") ? false : nil
  }

  /// The start of a small file; `nil` if it cannot be read.
  func text(_ path: String, limit: Int = 256) -> String? {
    let file = unsafe open(self.root + path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: limit)
    var length = 0
    // The kernel's files come in pieces of a page.
    while length < limit {
      let (start, room) = (length, limit - length)
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe Glibc.read(file, $0.baseAddress?.advanced(by: start), room)
      }
      guard count > 0 else {
        if count < 0, length == 0 { return nil }
        break
      }
      length += count
    }
    return String(decoding: bytes.prefix(length), as: UTF8.self)
  }
}

extension InspectedMachine {
  /// Where systemd looks for units of the system, and generators write theirs.
  private static let unitFolders = [
    "/etc/systemd/system", "/run/systemd/system", "/run/systemd/transient", "/run/systemd/generator",
    "/run/systemd/generator.early", "/run/systemd/generator.late", "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system", "/lib/systemd/system",
  ]

  /// Whether systemd runs here and has no file for the unit, or for the template that it is an instance of.
  ///
  /// The files are read, and systemd is not asked: it does not know of a new unit before it is reloaded.
  func lacksUnit(_ name: String) -> Bool {
    guard self.exists("/run/systemd/system") else { return false }
    var names = [name]
    if let at = name.firstIndex(of: "@"), let dot = name.lastIndex(of: "."), at < dot {
      names.append(name[...at] + String(name[dot...]))
    }
    return !names.contains { name in Self.unitFolders.contains { self.exists("\($0)/\(name)") } }
  }
}
