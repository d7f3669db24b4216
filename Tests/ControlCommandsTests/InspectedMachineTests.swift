import EventLoop
import Glibc
import TestSupport
import Testing

@testable import ControlCommands

/// The findings of `doctor` on a machine that a test creates, independent of the real one.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct InspectedMachineTests {
  /// A machine's files, and the shared memory of a gpsd on it.
  @safe private final class Machine {
    let folder: TemporaryFolder
    private(set) var machine: InspectedMachine
    private var segment: Int32 = -1
    private var memory: UnsafeMutableRawPointer?

    init() throws {
      self.folder = try TemporaryFolder()
      self.machine = InspectedMachine(
        root: self.folder.path, sharedMemoryKey: Int32.random(in: 0x5100_0000..<0x5200_0000))
      for name in ["proc", "proc/1", "proc/77", "proc/self", "run", "run/systemd", "run/systemd/timesync", "etc"] {
        unsafe mkdir(self.folder.file(name), 0o700)
      }
      try self.write("systemd\n", to: "proc/1/comm")
    }

    deinit {
      if let memory = unsafe self.memory { unsafe shmdt(memory) }
      if self.segment >= 0 { _ = shmctl(self.segment, IPC_RMID, nil) }
    }

    func makeFolders(_ paths: [String]) throws {
      for path in paths {
        var folder = self.folder.path
        for part in path.split(separator: "/") {
          folder += "/\(part)"
          guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw SystemError.last("make \(folder)") }
        }
      }
    }

    func link(_ name: String, to target: String) throws {
      guard unsafe symlink(target, self.folder.file(name)) == 0 else { throw SystemError.last("link \(name)") }
    }

    func write(_ text: String, to name: String) throws { try writeFile(text, to: self.folder.file(name)) }

    /// The shared memory of a running gpsd.
    func shareMemory(mode: Int32) throws {
      repeat {
        // Another test or program uses the key: the next one is as good.
        self.machine.sharedMemoryKey += 1
        self.segment = shmget(self.machine.sharedMemoryKey, 4096, IPC_CREAT | IPC_EXCL | mode)
      } while self.segment < 0 && errno == EEXIST
      guard self.segment >= 0 else { throw SystemError.last("make shared memory") }
      unsafe self.memory = unsafe shmat(self.segment, nil, 0)
    }

    func leaveMemory() {
      if let memory = unsafe self.memory { unsafe shmdt(memory) }
      unsafe self.memory = nil
    }

    /// Runs doctor on it, without a daemon and a gpsd that answer.
    func doctor() async throws -> CommandRun {
      let nobody = try TCPReservation()
      return try await CommandRun.of(
        ["doctor", "--gpsd", "127.0.0.1:\(nobody.port)"], at: "/nonexistent/socket",
        CommandRun.Setting(machine: self.machine))
    }
  }

  @Test("gpsd's shared memory is a warning while a gpsd has it and everybody can read it", arguments: [0o666, 0o600])
  func sharedMemory(mode: Int32) async throws {
    let machine = try Machine()
    #expect(try await machine.doctor().output.hasSuffix("2 problems, 0 warnings\n"))
    try machine.shareMemory(mode: mode)
    let run = try await machine.doctor()
    #expect(run.output.contains("gpsd's shared memory") == (mode == 0o666))
    #expect(run.output.hasSuffix("2 problems, \(mode == 0o666 ? "1 warning" : "0 warnings")\n"), "\(run.output)")
    machine.leaveMemory()
    #expect(try await machine.doctor().output.hasSuffix("2 problems, 0 warnings\n"))
  }

  @Test("A clock that is not synchronised is a warning while a service should synchronise it")
  func clock() async throws {
    let machine = try Machine()
    #expect(machine.machine.finding(files: []).isClockSynchronized == nil)
    try machine.write("systemd-timesyn\n", to: "proc/77/comm")
    #expect(machine.machine.finding(files: []).isClockSynchronized == false)
    #expect(try await machine.doctor().output.hasSuffix("2 problems, 1 warning\n"))
    try machine.write("", to: "run/systemd/timesync/synchronized")
    #expect(machine.machine.finding(files: []).isClockSynchronized == true)
  }

  @Test("A process is found by its name, and a file is checked by its mode")
  func files() throws {
    let machine = try Machine()
    #expect(machine.machine.finding(files: []) == MachineFinding())
    try machine.write("ModemManager\n", to: "proc/77/comm")
    try machine.write("", to: "etc/receiver")
    unsafe chmod(machine.folder.file("etc/receiver"), 0o640)
    let finding = machine.machine.finding(files: ["/etc/receiver", "/etc/none"])
    #expect(finding.isModemManagerRunning)
    #expect(finding.files["/etc/none"] == .absent)
    guard case .present(mode: 0o640, group: _)? = finding.files["/etc/receiver"] else {
      Issue.record("\(finding.files)")
      return
    }
  }

  @Test("A receiver's USB device is found below sysfs, by its port or by a link to that")
  func switchable() throws {
    let machine = try Machine()
    try machine.makeFolders([
      "dev", "sys/class/tty", "sys/devices/usb1/1-1/1-1:1.0/tty/ttyACM0",
      "sys/devices/usb1/1-2/1-2:1.0/ttyUSB0/tty/ttyUSB0",
      "sys/devices/platform/serial/tty/ttyS0",
    ])
    // As the kernel links them: the class to the port, and the port to what it belongs to.
    for (port, device) in [
      ("usb1/1-1/1-1:1.0/tty/ttyACM0", "../.."), ("usb1/1-2/1-2:1.0/ttyUSB0/tty/ttyUSB0", "../.."),
      ("platform/serial/tty/ttyS0", "../.."),
    ] {
      let name = try #require(port.split(separator: "/").last)
      try machine.link("sys/class/tty/\(name)", to: "../../devices/\(port)")
      try machine.link("sys/devices/\(port)/device", to: device)
      try machine.write("", to: "dev/\(name)")
    }
    try machine.link("dev/gps0", to: "ttyUSB0")
    let ports = ["/dev/ttyACM0", "/dev/ttyUSB0", "/dev/ttyS0", "/dev/gps0", "/dev/none"]
    #expect(machine.machine.finding(files: ports).switchableFiles == [], "no device has the file")
    try machine.write("1\n", to: "sys/devices/usb1/1-1/authorized")
    #expect(machine.machine.finding(files: ports).switchableFiles == ["/dev/ttyACM0"])
    try machine.write("1\n", to: "sys/devices/usb1/1-2/authorized")
    #expect(
      machine.machine.finding(files: ports).switchableFiles == ["/dev/ttyACM0", "/dev/ttyUSB0", "/dev/gps0"])
  }

  @Test("What is plugged in is found below sysfs, and whether udev has ModemManager leave it alone")
  func ports() throws {
    let machine = try Machine()
    try machine.makeFolders([
      "dev", "sys/class/tty", "sys/class/gnss/gnss0", "sys/devices/usb1/1-1/1-1:1.0/tty/ttyACM0",
      "sys/devices/usb1/1-2/1-2:1.0/ttyUSB0/tty/ttyUSB0", "sys/devices/platform/serial/tty/ttyS0", "run/udev/data",
    ])
    for port in [
      "usb1/1-1/1-1:1.0/tty/ttyACM0", "usb1/1-2/1-2:1.0/ttyUSB0/tty/ttyUSB0", "platform/serial/tty/ttyS0",
    ] {
      let name = try #require(port.split(separator: "/").last)
      try machine.link("sys/class/tty/\(name)", to: "../../devices/\(port)")
      try machine.link("sys/devices/\(port)/device", to: "../..")
      try machine.write("", to: "dev/\(name)")
    }
    for (file, text) in [
      ("usb1/1-1/idVendor", "1546"), ("usb1/1-1/idProduct", "01a7"), ("usb1/1-1/manufacturer", "u-blox AG"),
      ("usb1/1-1/product", "u-blox 7"), ("usb1/1-2/idVendor", "067b"), ("usb1/1-2/idProduct", "2303"),
      ("usb1/1-1/1-1:1.0/tty/ttyACM0/dev", "166:0"),
    ] { try machine.write("\(text)\n", to: "sys/devices/\(file)") }
    try machine.write("UBX\n", to: "sys/class/gnss/gnss0/type")
    let finding = machine.machine.finding(files: ["/dev/ttyACM0", "/dev/ttyUSB0"])
    #expect(
      Set(finding.ports) == [
        SerialPort(path: "/dev/ttyACM0", numbers: "1546:01a7", name: "u-blox AG u-blox 7"),
        SerialPort(path: "/dev/ttyUSB0", numbers: "067b:2303", name: nil),
        SerialPort(path: "/dev/gnss0", numbers: nil, name: "UBX"),
      ])
    #expect(
      finding.targets == ["/dev/ttyACM0": "/dev/ttyACM0", "/dev/ttyUSB0": "/dev/ttyUSB0"] && finding.sparedFiles == [])
    try machine.write("I:1\nE:ID_MM_DEVICE_IGNORE=1\n", to: "run/udev/data/c166:0")
    #expect(machine.machine.finding(files: ["/dev/ttyACM0", "/dev/ttyUSB0"]).sparedFiles == ["/dev/ttyACM0"])
    // What gpsd on another machine has says nothing of what is plugged in here.
    #expect(machine.machine.finding(files: [], gpsdPort: nil).ports == [])
  }

  @Test("The programs that have a receiver open are found, without gpsd, whose options are read")
  func processes() throws {
    let machine = try Machine()
    try machine.makeFolders(["dev", "proc/77/fd", "proc/78/fd"])
    try machine.write("", to: "dev/ttyACM0")
    for (process, name) in [(77, "minicom"), (78, "gpsd")] {
      try machine.write("\(name)\n", to: "proc/\(process)/comm")
      try machine.link("proc/\(process)/fd/3", to: "/dev/ttyACM0")
    }
    try machine.write("/usr/sbin/gpsd\0-n\0-S\0002948\0/dev/ttyACM0\0", to: "proc/78/cmdline")
    let finding = machine.machine.finding(files: ["/dev/ttyACM0"], gpsdPort: 2948)
    #expect(finding.holders == ["/dev/ttyACM0": [Holder(name: "minicom", number: 77)]])
    #expect(finding.gpsd?.neverCloses == true && finding.gpsd?.port == 2948)
    #expect(machine.machine.finding(files: []).gpsd == nil, "another port")
  }

  @Test(
    "A port is open to the network if something listens at it, and not only for this machine",
    arguments: [
      ("tcp", "00000000:0B83 00000000:0000 0A", true), ("tcp", "0100007F:0B83 00000000:0000 0A", false),
      ("tcp", "0A00000A:0B83 0B00000A:1234 01", false), ("tcp", "00000000:0B84 00000000:0000 0A", false),
      ("tcp6", "00000000000000000000000000000000:0B83 00000000000000000000000000000000:0000 0A", true),
      ("tcp6", "00000000000000000000000001000000:0B83 00000000000000000000000000000000:0000 0A", false),
    ])
  func network(file: String, socket: String, isOpen: Bool) throws {
    let machine = try Machine()
    try machine.makeFolders(["proc/net"])
    let lines = (0..<100).map { "  \($0): 0100007F:1F90 00000000:0000 0A 00000000:00000000" }
    try machine.write(
      "sl\n\(lines.joined(separator: "\n"))\n 100: \(socket) 00000000:00000000\n", to: "proc/net/\(file)")
    #expect(machine.machine.finding(files: []).isPortOpen == isOpen)
    #expect(!machine.machine.finding(files: [], gpsdPort: nil).isPortOpen)
  }

  @Test(
    "The clock without power, what takes the time from gpsd, SELinux, and what was added to AppArmor's profile are read"
  )
  func state() throws {
    let machine = try Machine()
    #expect(machine.machine.finding(files: []).clockChip == .unknown)
    try machine.makeFolders([
      "sys/class/rtc", "etc/chrony/conf.d", "etc/ntpsec", "sys/fs/selinux", "etc/apparmor.d/local",
      "sys/module/apparmor/parameters",
      "var/lib/positiond", "etc/apparmor.d/disable",
    ])
    #expect(machine.machine.finding(files: []).clockChip == .missing)
    try machine.makeFolders(["sys/class/rtc/rtc0"])
    try machine.write("946684800\n", to: "sys/class/rtc/rtc0/since_epoch")
    try machine.write("# refclock SHM 9\npool x\n", to: "etc/chrony/chrony.conf")
    try machine.write("refclock  SHM 0 refid GPS\n", to: "etc/chrony/conf.d/gps.conf")
    try machine.write("server 127.127.28.0 minpoll 4\n", to: "etc/ntpsec/ntp.conf")
    try machine.write("1", to: "sys/fs/selinux/enforce")
    try machine.write("/dev/ttymxc1 rw,\n", to: "etc/apparmor.d/local/usr.sbin.gpsd")
    try machine.write("", to: "etc/apparmor.d/usr.sbin.gpsd")
    try machine.write("Y\n", to: "sys/module/apparmor/parameters/enabled")
    let finding = machine.machine.finding(files: [])
    #expect(finding.clockChip == .shows(946_684_800) && finding.isSELinuxEnforcing == true && finding.hasGpsdProfile)
    #expect(finding.localProfile == "/dev/ttymxc1 rw,\n" && finding.timeService == nil, "neither runs")
    #expect(try #require(finding.freeSpace).bytes > 0)
    try machine.write("ntpd\n", to: "proc/77/comm")
    #expect(machine.machine.finding(files: []).timeService?.name == "ntpd")
    try machine.makeFolders(["proc/78"])
    try machine.write("chronyd\n", to: "proc/78/comm")
    #expect(
      machine.machine.finding(files: []).timeService == TimeService(name: "chrony", line: "refclock  SHM 0 refid GPS"))
    try machine.write("", to: "etc/apparmor.d/disable/usr.sbin.gpsd")
    #expect(!machine.machine.finding(files: []).hasGpsdProfile)
  }

  @Test("Where chrony's configuration says nothing of the receiver, the socket that it made for gpsd does")
  func chronySocket() throws {
    let machine = try Machine()
    try machine.makeFolders(["proc/78", "proc/net"])
    try machine.write("chronyd\n", to: "proc/78/comm")
    try machine.write(
      "Num       RefCount Protocol Flags    Type St Inode Path\n0000: 00000002 00000000 00000000 0002 01 1 /run/chrony/chronyd.sock\n"
        + "0000: 00000002 00000000 00000000 0002 01 2 /run/chrony.ttyACM0.sock\n", to: "proc/net/unix")
    #expect(
      machine.machine.finding(files: []).timeService
        == TimeService(name: "chrony", line: "it waits at /run/chrony.ttyACM0.sock"))
  }
}
