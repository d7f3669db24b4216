import Gpsd
import PositionProtocol
import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import ControlCommands

/// What the doctor says of each cause, and the way out.
struct DoctorCauseTests {
  private static let path = "/dev/ttyACM0"
  private static let open = ReceiverDevice(path: path, driver: "u-blox", isActivated: true)
  private static let unnamed = ReceiverDevice(path: path, isActivated: true)
  private static let maker = SerialPort(path: "/dev/ttyACM1", numbers: "1546:01a7", name: "u-blox AG u-blox 7")

  private static func daemon(_ change: (inout DaemonStatus) -> Void = { _ in }) throws -> DaemonFinding {
    let session: SessionHelloRequest.Result = try Samples.decoded(Samples.hello)
    var status: DaemonStatus = try Samples.decoded(Samples.status)
    change(&status)
    return .answers(session, status)
  }

  private static let missing: @Sendable (inout DaemonStatus) -> Void = {
    ($0.receiver.availability, $0.receiver.device) = (.receiverMissing, nil)
  }

  /// What is there, and what is to be said of it.
  struct Cause: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var devices: [ReceiverDevice] = [DoctorCauseTests.open]
    var lines: [String: ReceiverLine] = [:]
    var machine = MachineFinding(files: [path: .present(mode: 0o660, group: "dialout")], targets: [path: path])
    var status: @Sendable (inout DaemonStatus) -> Void = { _ in }
    let subject: String
    var outcome = Check.Outcome.warning
    let says: String
    let advises: String

    /// - Parameter change: What is different on the machine.
    init(
      _ name: String, devices: [ReceiverDevice]? = nil, lines: [String: ReceiverLine] = [:],
      status: @escaping @Sendable (inout DaemonStatus) -> Void = { _ in },
      on change: (inout MachineFinding) -> Void = { _ in },
      is subject: String, _ outcome: Check.Outcome = .warning, says: String, advises: String
    ) {
      self.testDescription = name
      if let devices { self.devices = devices }
      self.lines = lines
      self.status = status
      change(&self.machine)
      (self.subject, self.outcome, self.says, self.advises) = (subject, outcome, says, advises)
    }
  }

  static let causes: [Cause] = [
    Cause(
      "gpsd has nothing, and a receiver is plugged in", devices: [], on: { $0.ports = [Self.maker] }, is: "receivers",
      .problem,
      says: "gpsd has none, though /dev/ttyACM1 (u-blox AG u-blox 7) is plugged in", advises: "gpsdctl add /dev/ttyACM1"
    ),
    Cause(
      "gpsd has nothing, and an adapter is plugged in", devices: [],
      on: { $0.ports = [SerialPort(path: "/dev/ttyUSB0", numbers: "1a86:7523", name: "USB Serial")] }, is: "receivers",
      .problem,
      says: "at which one may be", advises: "gpsdctl add /dev/ttyUSB0"),
    Cause(
      "gpsd has the wrong device", devices: [ReceiverDevice(path: "/dev/ttyS0", isActivated: true)], status: missing,
      on: { $0.ports = [Self.maker] }, is: "receivers", .problem, says: "gpsd has /dev/ttyS0, but not /dev/ttyACM1",
      advises: "gpsdctl remove /dev/ttyS0 and gpsdctl add /dev/ttyACM1"),
    Cause(
      "device= names one that gpsd does not have",
      status: {
        Self.missing(&$0)
        $0.gpsd.detail = "gpsd does not have the configured receiver /dev/gps7"
      }, is: "configured receiver", .problem, says: "configured receiver /dev/gps7", advises: "device= of [gpsd]"),
    Cause(
      "gpsd has more receivers than its library can list",
      devices: (0..<5).map { ReceiverDevice(path: "/dev/ttyS\($0)", isActivated: false) },
      is: "receivers", says: "gpsd has 5", advises: "gpsdctl remove"),
    Cause(
      "a program has the receiver open", on: { $0.holders = [Self.path: [Holder(name: "minicom", number: 77)]] },
      is: "file \(path)", .problem, says: "minicom (process 77)", advises: "stop that program"),
    Cause(
      "ModemManager has the receiver open",
      on: { $0.holders = [Self.path: [Holder(name: "ModemManager", number: 77)]] },
      is: "file \(path)", .problem, says: "ModemManager", advises: "ID_MM_DEVICE_IGNORE"),
    Cause(
      "a login waits at the receiver's port", on: { $0.holders = [Self.path: [Holder(name: "agetty", number: 77)]] },
      is: "file \(path)", .problem, says: "agetty", advises: "serial-getty@ttyACM0.service"),
    Cause(
      "ModemManager may write to the receiver", on: { $0.isModemManagerRunning = true }, is: "ModemManager",
      says: "may write",
      advises: "positiond-receiver.rules"),
    Cause(
      "the one speed that gpsd tries is wrong", devices: [unnamed], status: missing,
      on: { $0.gpsd = GpsdCommandLine(["-s", "4800"]) },
      is: "receiver \(path)", .problem, says: "-s 4800", advises: "take -s out"),
    Cause(
      "nothing that the receiver sends is recognised", devices: [unnamed], status: missing, is: "receiver \(path)",
      .problem,
      says: "recognises nothing", advises: "stty -F \(path)"),
    Cause(
      "a known receiver is silent",
      status: { ($0.receiver.availability, $0.receiver.device) = (.receiverMissing, Self.path) },
      is: "receiver \(path)", .problem,
      says: "open as u-blox, and it sends nothing", advises: "plug it in again"),
    Cause(
      "gpsd does not name the driver", devices: [unnamed], status: { $0.receiver.driver = nil }, is: "receiver \(path)",
      says: "does not name its type", advises: "gpsdctl remove \(path)"),
    Cause(
      "the line is too slow for what is sent", lines: [path: ReceiverLine(speed: 9600, cycle: 1)],
      status: { $0.receiver.problem = .late }, is: "line of \(path)", says: "960 characters a second",
      advises: "gpsctl -s 38400"),
    Cause(
      "the line is too slow for the rate", lines: [path: ReceiverLine(speed: 9600, cycle: 0.2)], is: "line of \(path)",
      says: "reports every 0.2 s", advises: "gpsctl -s 38400"),
    Cause(
      "the line is too slow for the rate that gpsd does not know", lines: [path: ReceiverLine(speed: 9600, cycle: 1)],
      status: { ($0.reports.fixes, $0.power.onTime) = (200, .seconds(40)) }, is: "line of \(path)",
      says: "reports every 0.2 s", advises: "gpsctl -s 38400"),
    Cause(
      "gpsd never closes the receiver", on: { $0.gpsd = GpsdCommandLine(["-n"]) }, is: "gpsd's option -n",
      says: "never sleeps",
      advises: "take -n out of GPSD_OPTIONS"),
    Cause(
      "gpsd holds the receiver for nobody", status: { $0.gpsd.state = .idle },
      on: { $0.gpsd = GpsdCommandLine(["-n"]) },
      is: "receiver \(path) (u-blox)", says: "although positiond does not use it", advises: "gpsd runs with -n"),
    Cause(
      "another client of gpsd holds the receiver", status: { $0.gpsd.state = .idle },
      on: { $0.gpsd = GpsdCommandLine([]) },
      is: "receiver \(path) (u-blox)", says: "although positiond does not use it", advises: "ss -tnp"),
    Cause(
      "gpsd may not write, and the rung has it write", status: { $0.power.current.rung = .ublox },
      on: { $0.gpsd = GpsdCommandLine(["-b"]) }, is: "gpsd's option -b", says: "rung=ublox turns nothing off",
      advises: "rung=watch"),
    Cause(
      "gpsd serves the network", on: { $0.isPortOpen = true }, is: "gpsd in the network",
      says: "open to other machines", advises: "take -G out"),
    Cause(
      "chrony has no time from a receiver that is closed",
      on: { ($0.gpsd, $0.timeService) = (GpsdCommandLine([]), TimeService(name: "chrony", line: "refclock SHM 0")) },
      is: "time from the receiver", says: "gpsd runs without -n", advises: "GPSD_OPTIONS=\"-n\""),
    Cause(
      "chrony follows a receiver that is closed, by its own word",
      status: { $0.clock = DaemonStatus.Clock(figure: follows) }, on: { $0.gpsd = GpsdCommandLine([]) },
      is: "time from the receiver", says: "it follows GPS), but gpsd runs without -n", advises: "keep= in [time]"),
    Cause(
      "a clock is to be kept, and chrony does not answer",
      status: { $0.clock = DaemonStatus.Clock(keep: .milliseconds(1), problem: "chrony does not answer at port 323") },
      on: { ($0.gpsd, $0.timeService) = (GpsdCommandLine([]), TimeService(name: "chrony", line: "refclock SHM 0")) },
      is: "time from the receiver", says: "not kept to 1.000 ms: chrony does not answer", advises: "cmdport 0"),
    Cause(
      "the machine has no clock that runs without power",
      on: { ($0.clockChip, $0.isClockSynchronized) = (.missing, false) },
      is: "clock without power", says: "has none", advises: "chrony"),
    Cause(
      "the battery of the clock is empty", on: { $0.clockChip = .shows(946_684_800) }, is: "clock without power",
      says: "it shows 2000-01-01", advises: "hwclock"),
    Cause(
      "AppArmor refuses gpsd the file", devices: [ReceiverDevice(path: "/dev/ttymxc1", isActivated: false)],
      on: {
        $0.hasGpsdProfile = true
        $0.files["/dev/ttymxc1"] = .present(mode: 0o660, group: "dialout")
      }, is: "AppArmor", .problem, says: "/dev/ttymxc1",
      advises: "\"/dev/ttymxc1 rw,\" in /etc/apparmor.d/local/usr.sbin.gpsd"),
    Cause(
      "SELinux may refuse gpsd the file", status: missing, on: { $0.isSELinuxEnforcing = true }, is: "SELinux",
      says: "may refuse",
      advises: "ausearch"),
    Cause(
      "the disk is full", on: { $0.freeSpace = FreeSpace(folder: "/var/lib/positiond", bytes: 4096, hasEntries: true) },
      is: "disk",
      .problem, says: "4 KiB are left", advises: "make room"),
    Cause(
      "the disk has no room for a file's entry",
      on: { $0.freeSpace = FreeSpace(folder: "/var/lib/positiond", bytes: 1 << 30, hasEntries: false) }, is: "disk",
      .problem,
      says: "no room for another file", advises: "df -i"),
    Cause(
      "a line loses characters", status: { $0.reports = .init(received: 1000, fixes: 800, rejected: ["jump": 100]) },
      is: "reports", says: "100 of 1000", advises: "cable"),
  ]

  @Test("Each cause is found, with the way out, and without it nothing is said of it", arguments: causes)
  func cause(_ cause: Cause) throws {
    func checks(_ devices: [ReceiverDevice], _ machine: MachineFinding, _ daemon: DaemonFinding) -> [Check] {
      DoctorChecks.all(
        daemon: daemon, gpsd: .speaks(version: "3.22", devices: devices),
        exposure: GpsdExposure(user: "nobody", finding: .refused, isTriedByRoot: true), address: .standard,
        machine: machine,
        lines: cause.lines, now: .boot)
    }
    let found = checks(cause.devices, cause.machine, try Self.daemon(cause.status))
    let check = try #require(
      found.first { $0.subject == cause.subject && $0.detail.contains(cause.says) },
      "\(found.map { "\($0.subject): \($0.detail)" })")
    #expect(check.outcome == cause.outcome)
    #expect(check.advice?.contains(cause.advises) == true, "\(check)")
    let machine = MachineFinding(
      files: [Self.path: .present(mode: 0o660, group: "dialout")], targets: [Self.path: Self.path])
    let well = DoctorChecks.all(
      daemon: try Self.daemon(), gpsd: .speaks(version: "3.22", devices: [Self.open]),
      exposure: GpsdExposure(user: "nobody", finding: .refused, isTriedByRoot: true), address: .standard,
      machine: machine, now: .boot)
    #expect(well.allSatisfy { $0.outcome == .ok || $0.outcome == .unknown }, "\(well)")
  }

  private static let follows = ClockFigure(
    reference: "GPS", isReferenceClock: true, error: .microseconds(35), drift: 1e-6, updated: .boot, asked: .boot)

  @Test("A clock that is kept is said to be, with how right it is")
  func keptClock() throws {
    var machine = MachineFinding()
    machine.gpsd = GpsdCommandLine([])
    let clock = DaemonStatus.Clock(figure: Self.follows, keep: .milliseconds(10))
    let checks = DoctorChecks.options(machine, daemon: try Self.daemon { $0.clock = clock })
    #expect(checks.map(\.outcome) == [.ok] && checks.allSatisfy { $0.detail.contains("often enough for 10.000 ms") })
    // What the status says of it.
    let now = Instant(sinceBoot: .seconds(100))
    #expect(
      ClockFormat.status(clock, isReceiverOn: false, at: now)
        == "chrony follows GPS, a clock of this machine, and is right to 0.135 ms, 3.600 ms more each hour; kept to 10.000 ms"
    )
    let lost = DaemonStatus.Clock(figure: Self.follows)
    #expect(ClockFormat.status(lost, isReceiverOn: false, at: now).contains("the receiver is off"))
    #expect(!ClockFormat.status(lost, isReceiverOn: true, at: now).contains("the receiver is off"))
    let unset = ClockFigure(updated: .boot, asked: .boot)
    #expect(
      ClockFormat.status(.init(figure: unset, keep: .seconds(1), isNeeded: true), isReceiverOn: true, at: now)
        == "chrony has no time yet; kept to 1.000 s, for which it needs the receiver now")
  }

  @Test("What is as it should be is said to be so")
  func harmless() throws {
    var machine = MachineFinding(isModemManagerRunning: true, sparedFiles: [Self.path])
    machine.timeService = TimeService(name: "chrony", line: "refclock SHM 0")
    machine.gpsd = GpsdCommandLine(["-n"])
    machine.freeSpace = FreeSpace(folder: "/var/lib/positiond", bytes: 1 << 40, hasEntries: true)
    machine.isSELinuxEnforcing = true
    (machine.clockChip, machine.isClockSynchronized) = (.missing, true)
    let checks =
      DoctorChecks.modemManager([Self.open], machine) + DoctorChecks.options(machine, daemon: try Self.daemon())
      + DoctorChecks.machine([Self.open], daemon: try Self.daemon(), machine)
    #expect(checks.allSatisfy { $0.outcome == .ok }, "\(checks)")
    #expect(checks.contains { $0.detail.contains("it never sleeps") })
  }

  @Test(
    "A date that differs by a day or more is reported, with the clock that is wrong",
    arguments: [
      (0.0, 0.0, nil), (3600, 0, nil), (-1024 * 604_800.0, 0, "begun anew"), (-2048 * 604_800.0, 0, "begun anew"),
      (1024 * 604_800.0 + 3600, 0, "begun anew"), (-400 * 86_400.0, 0, "would be dated 2024"),
      (1_700_000_000, -1_700_000_000, "this machine's is wrong"),
    ] as [(Double, Double, String?)])
  func date(receiver error: Double, machine: Double, says words: String?) throws {
    let own = Timestamp(seconds: 1_769_860_800 + machine)
    let check = DoctorChecks.date(Timestamp(seconds: own.seconds + error), own: own)
    guard let words else {
      #expect(check == nil)
      return
    }
    let found = try #require(check)
    #expect(found.outcome == .warning && found.detail.contains(words) && found.advice != nil, "\(found)")
  }

  @Test(
    "gpsd's options are read however they are written",
    arguments: [
      (["-n"], true, false, nil, 2947), (["-Nnb", "-S", "4000", "/dev/ttyS0"], true, true, nil, 4000),
      (["-F", "-n", "-s9600"], false, false, "9600", 2947), (["--", "-D5", "-S4001"], false, false, nil, 4001),
      (["-S"], false, false, nil, 2947),
    ] as [([String], Bool, Bool, String?, UInt16)])
  func options(words: [String], neverCloses: Bool, isReadOnly: Bool, speed: String?, port: UInt16) {
    let gpsd = GpsdCommandLine(words)
    #expect(
      gpsd.neverCloses == neverCloses && gpsd.isReadOnly == isReadOnly && gpsd.speed == speed && gpsd.port == port)
  }

  @Test(
    "What is plugged in is a receiver, an adapter or something else",
    arguments: [
      ("/dev/ttyACM0", "1546:01a8", nil, .certain), ("/dev/ttyUSB0", "067b:2303", "Prolific USB-Serial", .possible),
      ("/dev/ttyUSB0", "067b:2303", "GPS Receiver", .certain), ("/dev/ttyACM0", "2c7c:0125", "Quectel EG25-G", .none),
      ("/dev/gnss0", nil, "UBX", .certain), ("/dev/ttyS0", nil, nil, .none),
    ] as [(String, String?, String?, SerialPort.Likelihood)])
  func plugged(path: String, numbers: String?, name: String?, likelihood: SerialPort.Likelihood) {
    #expect(SerialPort(path: path, numbers: numbers, name: name).likelihood == likelihood)
  }

  @Test("The lines are read from gpsd's list, whatever stands before it")
  func lines() {
    let text = """
      {"class":"VERSION","release":"3.22"}
      {"class":"ERROR","message":"Invalid "x""}
      {"class":"DEVICES","devices":[{"path":"/dev/a","bps":9600,"cycle":0.20},{"path":"/dev/b","activated":0},{"bps":1e300}]}
      """
    #expect(
      ReceiverLine.read(Array(text.utf8)) == [
        "/dev/a": ReceiverLine(speed: 9600, cycle: 0.2), "/dev/b": ReceiverLine(),
      ])
    #expect(ReceiverLine.read(Array(text.utf8.dropLast(5))) == [:])
  }
}
