import EventLoop
import Gpsd
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import ControlCommands

@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct DoctorTests {
  private static let banner =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\n"
  private static let devices =
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","activated":"2026-01-31T12:00:00.000Z"},"#
    + #"{"class":"DEVICE","path":"tcp://host:1","activated":0}]}"# + "\n"
  private static let found = GpsdFinding.speaks(
    version: "3.22",
    devices: [
      ReceiverDevice(path: "/dev/ttyACM0", driver: "u-blox", isActivated: true),
      ReceiverDevice(path: "tcp://host:1", isActivated: false),
    ])

  /// The server at gpsd's port: its text, or none and the connection closes.
  private static let answers: [(String?, GpsdFinding)] = [
    (nil, .full), (banner + #"{"class":"DEVICES","devices":[]}"# + "\n", .speaks(version: "3.22", devices: [])),
    (banner + #"{"class":"ERROR","message":"Invalid DEVICE: "oops"}"# + "\n" + devices, found),
    ("SSH-2.0-OpenSSH\r\n", .otherProgram),
  ]

  @Test("The probe works over a real connection", arguments: answers)
  func probe(text: String?, expected: GpsdFinding) async throws {
    let finding = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<GpsdFinding, any Error>) in
      do {
        _ = try EventLoop.spawnThread(name: "probe") {
          continuation.resume(with: Result { try Self.probeOnThisThread(text) })
        }
      } catch {
        continuation.resume(throwing: error)
      }
    }
    #expect(finding == expected)
  }

  private static func probeOnThisThread(_ text: String?) throws -> GpsdFinding {
    let loop = try EventLoop()
    let listener = try TCPSocket.listenOnLoopback()
    var client: FileDescriptor?
    let watch = try loop.watch(listener.descriptor, for: .read) { _ in
      do {
        client = try listener.accept()
        // All at once: gpsd's later answers are in the buffer already.
        if let text { _ = try client?.write(Array(text.utf8)[...]) } else { client?.close() }
      } catch {
        Issue.record(error)
      }
    }
    defer { watch.cancel() }
    let address = GpsdAddress(host: "127.0.0.1", port: listener.localPort)
    return address.probe(on: loop, timeout: TestDeadline.duration)
  }

  @Test("The probe reports that nobody listens, and that nobody answers in time")
  func silence() throws {
    let loop = try EventLoop()
    let listener = try TCPSocket.listenOnLoopback()
    let address = GpsdAddress(host: "127.0.0.1", port: listener.localPort)
    #expect(address.probe(on: loop, timeout: .milliseconds(20)) == .silent)
    let nobody = try TCPReservation()
    let finding = GpsdAddress(host: "127.0.0.1", port: nobody.port).probe(on: loop, timeout: TestDeadline.duration)
    #expect(finding == .refused)
  }

  // Judging.

  private static let exposed = GpsdExposure(user: "ada", finding: Self.found, isTriedByRoot: false)

  private static func outcome(_ checks: [Check], _ subject: String) -> Check.Outcome? {
    checks.first { $0.subject == subject }?.outcome
  }

  private static func daemon(
    _ change: (inout DaemonStatus) -> Void = { _ in }, authorization: Authorization? = nil
  ) throws -> DaemonFinding {
    var session: SessionHelloRequest.Result = try Samples.decoded(Samples.hello)
    var status: DaemonStatus = try Samples.decoded(Samples.status)
    if let authorization { session.authorization = authorization }
    change(&status)
    return .answers(session, status)
  }

  @Test("A working machine has no problem; gpsd's open port is a warning all the same")
  func allWell() throws {
    let machine = MachineFinding(
      files: ["/dev/ttyACM0": .present(mode: 0o660, group: "dialout")], isClockSynchronized: true)
    let checks = DoctorChecks.all(
      daemon: try Self.daemon(), gpsd: Self.found, exposure: Self.exposed, address: .standard, machine: machine,
      now: .boot)
    #expect(checks.filter { $0.outcome == .problem } == [])
    #expect(checks.filter { $0.outcome == .warning }.map(\.subject) == ["direct access to gpsd"])
    #expect(CheckFormat.summary(checks) == "0 problems, 1 warning")
  }

  @Test("A store that does not work is a problem; an error of the receiver has checks of its own")
  func store() throws {
    let words = "nothing can be stored: another process has it open"
    func problems(_ part: DaemonStatus.LastError.Part?) throws -> [String] {
      let error = DaemonStatus.LastError(part: part, message: words, at: .boot)
      return DoctorChecks.daemon(try Self.daemon { $0.lastError = error }, now: .boot)
        .filter { $0.outcome != .ok }.map(\.detail)
    }
    #expect(try problems(.store) == [words])
    #expect(try problems(.receiver).isEmpty && problems(nil).isEmpty)
  }

  @Test("Every finding that is no success has an advice, except for unknown ones")
  func advice() throws {
    let daemons: [DaemonFinding] = [
      .silent, .unreachable(.daemonNotRunning(socket: "/s")), .unreachable(.notAllowedToConnect(socket: "/s")),
      try Self.daemon(
        { $0.receiver.availability = .gpsdDown }, authorization: .init(state: .notDetermined, precision: .precise)),
      try Self.daemon({ $0.receiver.availability = .searching }),
      try Self.daemon({ $0.gpsd.state = .idle }),
    ]
    let answers: [GpsdFinding] = [
      .refused, .unreachable("No route to host"), .silent, .full, .otherProgram, .positiond, Self.found,
      .speaks(version: "3.22", devices: []),
    ]
    let machines = [
      MachineFinding(isModemManagerRunning: true, isClockSynchronized: false),
      MachineFinding(
        files: ["/dev/ttyACM0": .present(mode: 0o600, group: "root")], hasGpsdProfile: true, isSharedMemoryOpen: true),
    ]
    for daemon in daemons {
      for gpsd in answers {
        for machine in machines {
          for isRoot in [true, false] {
            let exposure = GpsdExposure(user: "ada", finding: gpsd, isTriedByRoot: isRoot)
            let checks = DoctorChecks.all(
              daemon: daemon, gpsd: gpsd, exposure: exposure, address: .standard, machine: machine,
              now: .boot)
            for check in checks where check.outcome == .problem || check.outcome == .warning {
              #expect(check.advice != nil, "\(check)")
            }
          }
        }
      }
    }
  }

  @Test("Where positiond serves in gpsd's place, nothing is claimed of gpsd or of who can reach it")
  func inGpsdsPlace() throws {
    let checks = DoctorChecks.gpsd(
      .positiond, GpsdExposure(user: "nobody", finding: .positiond, isTriedByRoot: true), daemon: try Self.daemon(),
      address: .standard)
    #expect(checks.map(\.outcome) == [.unknown])
    #expect(checks.first?.advice?.contains("--gpsd") == true)
  }

  @Test(
    "What is wrong with the receiver's reports is a warning that says what to do, whatever the availability",
    arguments: [
      (ReceiverProblem.repeating, Availability.lost, "plug it in again"), (.late, .available, "bridge"),
      (.noAccuracy, .available, "assumed-accuracy= in [receiver]"),
      (.antennaShort, .available, "crushed cable"), (.antennaOpen, .searching, "plug the antenna in"),
    ])
  func receiverProblem(problem: ReceiverProblem, availability: Availability, advice: String) throws {
    let daemon = try Self.daemon {
      ($0.receiver.problem, $0.receiver.availability, $0.receiver.lag) = (problem, availability, .seconds(15))
    }
    let check = try #require(DoctorChecks.daemon(daemon, now: .boot).first { $0.subject == "receiver" })
    #expect(check.outcome == .warning)
    #expect(check.advice?.contains(advice) == true)
    #expect(check.detail.contains("15 s") == (problem == .late), "\(check)")
  }

  @Test(
    "What speaks against the receiver's fixes is a warning that says why",
    arguments: [(Integrity.suspect, Availability.available), (.untrusted, .untrusted)])
  func doubtedReceiver(integrity: Integrity, availability: Availability) throws {
    let daemon = try Self.daemon {
      ($0.receiver.integrity, $0.receiver.integrityReasons, $0.receiver.availability) = (
        integrity, [.time], availability
      )
    }
    let check = try #require(DoctorChecks.daemon(daemon, now: .boot).first { $0.subject == "receiver" })
    #expect(check.outcome == .warning && check.detail.contains("this machine's clock"), "\(check)")
    #expect(check.advice?.contains("trust.md") == true)
    let trusted = try Self.daemon { $0.receiver.integrity = .trusted }
    #expect(DoctorChecks.daemon(trusted, now: .boot).first { $0.subject == "receiver" }?.outcome == .ok)
  }

  @Test("A receiver that gpsd holds open while positiond is idle is a warning; while it is used it is none")
  func heldOpen() throws {
    let devices = [ReceiverDevice(path: "/dev/ttyACM0", isActivated: true)]
    let idle = DoctorChecks.devices(devices, daemon: try Self.daemon { $0.gpsd.state = .idle }, MachineFinding())
    #expect(idle.map(\.outcome) == [.warning])
    #expect(DoctorChecks.devices(devices, daemon: try Self.daemon(), MachineFinding()).map(\.outcome) == [.ok])
    #expect(DoctorChecks.devices([], daemon: .silent, MachineFinding()).map(\.outcome) == [.problem])
  }

  @Test(
    "A device's file must exist, and be open to gpsd's group",
    arguments: [
      (.absent, .problem), (.present(mode: 0o660, group: "dialout"), .ok), (.present(mode: 0o666, group: "root"), .ok),
      (.present(mode: 0o660, group: "root"), .warning), (.present(mode: 0o640, group: "dialout"), .warning),
    ] as [(MachineFinding.DeviceFile, Check.Outcome)])
  func deviceFile(file: MachineFinding.DeviceFile, outcome: Check.Outcome) {
    #expect(DoctorChecks.file("/dev/ttyACM0", file).outcome == outcome)
  }

  @Test("ModemManager is reported if it runs and a receiver looks like a modem")
  func modemManager() {
    let modem = [ReceiverDevice(path: "/dev/ttyUSB0", isActivated: false)]
    let serial = [ReceiverDevice(path: "/dev/ttyS0", isActivated: false)]
    let running = MachineFinding(isModemManagerRunning: true)
    #expect(DoctorChecks.modemManager(modem, running).map(\.outcome) == [.warning])
    #expect(DoctorChecks.modemManager(serial, running).map(\.outcome) == [.ok])
    #expect(DoctorChecks.modemManager(modem, MachineFinding()).map(\.outcome) == [.ok])
  }

  @Test(
    "Whether other users can reach gpsd is reported with the user of the attempt",
    arguments: [
      (Self.found, Self.found, true, Check.Outcome.ok, Check.Outcome.warning), (Self.found, .refused, true, .ok, .ok),
      (Self.found, .unreachable("no answer"), true, .ok, .ok), (Self.found, .full, true, .ok, .warning),
      (.refused, .refused, true, .problem, .unknown), (Self.found, Self.found, false, .ok, .warning),
      // positiond has it, so it runs, and refuses this user.
      (.refused, .refused, false, .ok, .ok),
    ] as [(GpsdFinding, GpsdFinding, Bool, Check.Outcome, Check.Outcome?)])
  func exposure(own: GpsdFinding, tried: GpsdFinding, isRoot: Bool, gpsd: Check.Outcome, exposure: Check.Outcome?)
    throws
  {
    let checks = DoctorChecks.gpsd(
      own, GpsdExposure(user: "ada", finding: tried, isTriedByRoot: isRoot), daemon: try Self.daemon(),
      address: .standard)
    #expect(Self.outcome(checks, "gpsd") == gpsd)
    #expect(Self.outcome(checks, "direct access to gpsd") == exposure)
  }

  @Test(
    "A refused user gets no reason if positiond does not know it either",
    arguments: [
      (.streaming, .ok), (.receiverMissing, .ok), (.idle, .unknown), (.opening, .unknown), (.gpsdDown, .problem),
    ] as [(GpsdState, Check.Outcome)])
  func refused(state: GpsdState, outcome: Check.Outcome) throws {
    let exposure = GpsdExposure(user: "ada", finding: .refused, isTriedByRoot: false)
    let daemon = try Self.daemon { $0.gpsd.state = state }
    #expect(Self.outcome(DoctorChecks.gpsd(.refused, exposure, daemon: daemon, address: .standard), "gpsd") == outcome)
    #expect(
      Self.outcome(DoctorChecks.gpsd(.refused, exposure, daemon: .silent, address: .standard), "gpsd") == .problem)
  }

  @Test(
    "What positiond says of its own gpsd says nothing of another address",
    arguments: [(nil, Check.Outcome.unknown), ("127.0.0.1:4000", .unknown), ("localhost:2947", .ok)]
      as [(String?, Check.Outcome)])
  func otherAddress(address: String?, outcome: Check.Outcome) throws {
    let daemon = try Self.daemon {
      $0.gpsd.state = .streaming
      $0.gpsd.address = address
    }
    let exposure = GpsdExposure(user: "ada", finding: .refused, isTriedByRoot: false)
    let checks = DoctorChecks.gpsd(.refused, exposure, daemon: daemon, address: .standard)
    #expect(Self.outcome(checks, "direct access to gpsd") == outcome)
  }

  @Test("doctor checks the gpsd that positiond uses, unless another is given")
  func ownAddress() async throws {
    let nobody = try TCPReservation()
    let used = "127.0.0.1:\(nobody.port)"
    let daemon = try FakeDaemon { _, _ in
      [.result(Samples.status.with(["gpsd": ["state": "gpsdDown", "address": .string(used)]]))]
    }
    let own = try await CommandRun.of(["doctor"], at: daemon.path)
    #expect(own.output.contains("problem  gpsd: does not answer at \(used)"), "\(own.output)")
    let otherPort = try TCPReservation()
    let other = "127.0.0.1:\(otherPort.port)"
    let given = try await CommandRun.of(["doctor", "--gpsd", other], at: daemon.path)
    #expect(given.output.contains("problem  gpsd: does not answer at \(other)"), "\(given.output)")
  }

  @Test("Shared memory that everybody can read is reported")
  func sharedMemory() {
    #expect(DoctorChecks.sharedMemory(MachineFinding()) == [])
    #expect(DoctorChecks.sharedMemory(MachineFinding(isSharedMemoryOpen: true)).map(\.outcome) == [.warning])
  }

  @Test("A check is a few lines, with marked advice and escaped foreign text")
  func format() {
    let check = Check("gpsd", .problem, "does not answer: \u{1b}[2J", advice: "start it")
    #expect(
      CheckFormat.lines(check).written == ["problem  gpsd: does not answer: \\u{1b}[2J", "         -> start it"])
  }

  @Test("doctor exits 1 if there is a problem, and prints a text for each check as JSON")
  func command() async throws {
    let nobody = try TCPReservation()
    let run = try await CommandRun.of(
      ["doctor", "--gpsd", "127.0.0.1:\(nobody.port)", "--json"], at: "/nonexistent/socket")
    #expect(run.code == 1)
    let checks = try run.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(checks.count >= 4)
    #expect(checks.first?["subject"] == "daemon")
    #expect(checks.first?["outcome"] == "problem")
    let human = try await CommandRun.of(["doctor", "--gpsd", "127.0.0.1:\(nobody.port)"], at: "/nonexistent/socket")
    #expect(human.output.hasSuffix("2 problems, 0 warnings\n"))
  }

  @Test("doctor --quiet prints nothing, and its exit code is that of the worst finding")
  func quiet() async throws {
    let outcomes: [(Check.Outcome, Int32)] = [(.ok, 0), (.unknown, 0), (.warning, 1), (.problem, 2)]
    for (index, (outcome, code)) in outcomes.enumerated() {
      let checks = outcomes[...index].map { Check("x", $0.0, "", advice: nil) }
      #expect(DoctorCommand.quietCode(checks).rawValue == code, "\(outcome)")
    }
    let nobody = try TCPReservation()
    let run = try await CommandRun.of(
      ["doctor", "--quiet", "--gpsd", "127.0.0.1:\(nobody.port)"], at: "/nonexistent/socket")
    #expect(run.code == 2 && run.output == "" && run.errors == "")
  }

  @Test("doctor --report writes what a bug report needs, without a position and a user's name, and closed to others")
  func report() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Samples.status)] }
    let (nobody, folder) = (try TCPReservation(), try TemporaryFolder())
    let path = "\(folder.path)/report.txt"
    let run = try await CommandRun.of(
      ["doctor", "--report", path, "--gpsd", "127.0.0.1:\(nobody.port)"], at: daemon.path)
    #expect(run.code == 1)
    let report = String(decoding: try SystemDisk().read(path, limit: 1 << 20), as: UTF8.self)
    #expect(try SystemDisk().status(of: path).get().mode & 0o777 == 0o600)
    for line in ["positionctl 0.1.0", "problem: gpsd: does not answer", "positiond_up 1", "device: /dev/ttyACM0"] {
      #expect(report.contains(line), "\(report)")
    }
    #expect(report.contains("ok: permission: USER may know positions"), "\(report)")
    #expect(!report.contains("ada") && !report.contains("48.1") && !report.contains("latitude"))
    let lost = try await CommandRun.of(["doctor", "--report", "/nonexistent/x"], at: daemon.path)
    #expect(lost.code == 1 && lost.errors.contains("/nonexistent/x"))
  }

  @Test("doctor requests the daemon's status")
  func daemonAnswers() async throws {
    let daemon = try FakeDaemon { _, _ in [.result(Samples.status)] }
    let nobody = try TCPReservation()
    let run = try await CommandRun.of(["doctor", "--gpsd", "127.0.0.1:\(nobody.port)"], at: daemon.path)
    #expect(run.output.contains("ok       daemon: positiond 0.1.0 answers, up for 25 h\n"))
    #expect(run.output.contains("ok       permission: ada may know positions\n"))
    #expect(run.output.contains("ok       receiver: fix available\n"))
  }
}
