import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// GeoClue's own demonstration client, unmodified, with positions from the real daemon over a real bus.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
struct GeoClueTests {
  /// Where Debian's geoclue-2-demo has it.
  private static let program = "/usr/libexec/geoclue-2.0/demos/where-am-i"

  /// A bus, and the bridge on it, for users who may know, may know roughly, and may not.
  private final class World {
    let loop: EventLoop
    let fixture: IntegrationFixture
    let accounts: TemporaryUsers
    let precise: OtherUser
    let reduced: OtherUser
    let denied: OtherUser
    private let folder: TemporaryFolder
    private let bus: RunningProgram
    private let bridge: RunningProgram
    let environment: [String: String]

    init() throws {
      let accounts = try TemporaryUsers()
      self.accounts = accounts
      self.precise = try accounts.addUser()
      self.reduced = try accounts.addUser()
      self.denied = try accounts.addUser()
      var settings = IntegrationFixture.Settings()
      settings.configuration = [
        "authorization.default=ask", "receiver.linger=0",
        // The bridge itself may know nothing; the tests' root has this rule in its place.
        "rule geoclue.user=root", "rule geoclue.grant=deny", "rule geoclue.relay=yes",
        "rule precise.user=\(self.precise.name ?? "")", "rule precise.grant=whenInUse",
        "rule reduced.user=\(self.reduced.name ?? "")", "rule reduced.grant=whenInUse",
        "rule reduced.precision=reduced",
        "rule denied.user=\(self.denied.name ?? "")", "rule denied.grant=deny",
      ]
      self.fixture = try IntegrationFixture(settings)
      let loop = try EventLoop()
      self.loop = loop
      let folder = try TemporaryFolder()
      self.folder = folder
      try folder.openToEverybody()
      let socket = folder.file("bus")
      try File.write(Array(Self.configuration(socket).utf8), to: folder.file("bus.conf"))
      self.bus = try RunningProgram(
        "/usr/bin/dbus-daemon", ["--config-file=\(folder.file("bus.conf"))", "--nofork", "--print-address=1"],
        on: loop)
      try self.bus.waitToSay("unix:path=")
      self.environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(socket)", "PATH": "/usr/bin:/bin"]
      self.bridge = try RunningProgram(
        Programs.path("positiond-geoclue"), [],
        environment: self.environment.merging(["POSITIOND_SOCKET": self.fixture.socket]) { $1 }, on: loop)
      try self.bridge.waitToSay("serves org.freedesktop.GeoClue2")
    }

    /// As the system bus, without its users and services.
    private static func configuration(_ socket: String) -> String {
      """
      <busconfig>
        <type>system</type>
        <listen>unix:path=\(socket)</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow user="*"/>
          <allow own="*"/>
          <allow send_destination="*"/>
          <allow receive_sender="*"/>
        </policy>
      </busconfig>

      """
    }

    /// Starts the demonstration client as a user; it ends after so many seconds.
    func start(as user: OtherUser, seconds: Int, _ arguments: [String] = []) throws -> RunningProgram {
      try RunningProgram(
        "/usr/bin/setpriv",
        ["--reuid=\(user.uid)", "--regid=\(user.gid)", "--clear-groups", GeoClueTests.program, "-t", "\(seconds)"]
          + arguments, environment: self.environment, on: self.loop)
    }

    /// Waits until nobody needs the receiver.
    func waitForRelease() throws {
      _ = try self.fixture.waitForStatus("release") { status in
        status["demand"] == nil && status["receiver"]?["availability"] == "poweredDown"
      }
    }
  }

  @Test func `it shows positions from positiond, and the receiver is released when it ends`() async throws {
    try await onOwnThread {
      let world = try World()
      let program = try world.start(as: world.precise, seconds: 60, ["-a", "8"])
      let output = try program.waitToSay("Latitude:")
      #expect(output.contains("Latitude:    48.1"), "\(output)")
      // The demand is the user's, and has the program's own words.
      let demand = try world.fixture.waitForStatus("demand") { $0["demand"] != nil }
      let clients = try world.fixture.client().call("admin.clients")["clients"]?.elements ?? []
      let principal = clients.map { $0["principal"] }.first { $0?["relay"] != nil } ?? nil
      #expect(principal?["uid"] == .integer(Int(world.precise.uid)), "\(clients) \(demand)")
      #expect(principal?["name"] == "geoclue-where-am-i" && principal?["relay"] == 0)
      // Not by its own Stop: the bus reports its end.
      program.send(SIGKILL)
      _ = try program.waitForExit()
      try world.waitForRelease()
    }
  }

  @Test func `a user with reduced precision gets a point of the grid`() async throws {
    try await onOwnThread {
      let world = try World()
      let program = try world.start(as: world.reduced, seconds: 60, ["-a", "8"])
      let output = try program.waitToSay("Accuracy:")
      let accuracy = output.split(separator: "Accuracy:").dropFirst().first?.split(separator: " ").first
      #expect(accuracy.flatMap { Double($0) }.map { $0 >= 1000 } == true, "\(output)")
      #expect(!output.contains("Speed:"), "\(output)")
      program.send(SIGTERM)
      _ = try program.waitForExit()
      try world.waitForRelease()
    }
  }

  @Test func `a denied user gets the reason, and the receiver stays off`() async throws {
    try await onOwnThread {
      let world = try World()
      let program = try world.start(as: world.denied, seconds: 60, ["-a", "8"])
      #expect(try program.waitForExit() != 0)
      #expect(program.output.contains("AccessDenied"), "\(program.output)")
      #expect(program.output.contains("[rule denied]"), "\(program.output)")
      #expect(!program.output.contains("Latitude"))
      let status = try world.fixture.client().call("status.get")
      #expect(status["power"]?["starts"]?["total"] == 0, "\(status)")
    }
  }

  @Test func `a user about whom nobody has decided gets the remedy at once`() async throws {
    try await onOwnThread {
      let world = try World()
      let asked = try world.accounts.addUser()
      let program = try world.start(as: asked, seconds: 60, ["-a", "8"])
      // There is no agent that could ask.
      #expect(try program.waitForExit() != 0)
      #expect(program.output.contains("adduser \(asked.name ?? "") position"), "\(program.output)")
    }
  }
}
