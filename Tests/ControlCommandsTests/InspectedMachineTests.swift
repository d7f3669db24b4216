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
}
