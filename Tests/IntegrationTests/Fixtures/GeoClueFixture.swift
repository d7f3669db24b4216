import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport

/// A bus, and the bridge on it, for users who may know, may know roughly, and may not.
final class GeoClueFixture {
  /// Where Debian's geoclue-2-demo has its program.
  private static let program = "/usr/libexec/geoclue-2.0/demos/where-am-i"

  let loop: EventLoop
  let fixture: IntegrationFixture
  private let users: ThreeUsers
  private let bus: PrivateBus
  let bridge: RunningProgram
  let environment: [String: String]

  /// - Parameter time: The time of the receiver, gpsd and the daemon; `nil`: the system's.
  init(time: FastTime? = nil) throws {
    let users = try ThreeUsers()
    self.users = users
    var settings = IntegrationFixture.Settings()
    settings.time = time
    settings.configuration =
      [
        "authorization.default=ask", "receiver.linger=0",
        // The bridge itself may know nothing; the tests' root has this rule in its place.
        "rule geoclue.user=root", "rule geoclue.grant=deny", "rule geoclue.relay=yes",
      ] + users.rules
    self.fixture = try IntegrationFixture(settings)
    let loop = try EventLoop()
    self.loop = loop
    self.bus = try PrivateBus(on: loop)
    self.environment = ["DBUS_SYSTEM_BUS_ADDRESS": self.bus.address, "PATH": "/usr/bin:/bin"]
    self.bridge = try RunningProgram(
      Programs.path("positiond-geoclue"), [],
      environment: self.environment.merging(["POSITIOND_SOCKET": self.fixture.socket]) { $1 }, on: loop)
    try self.bridge.waitToSay("serves org.freedesktop.GeoClue2")
  }

  var accounts: TemporaryUsers { self.users.accounts }
  var precise: OtherUser { self.users.precise }
  var reduced: OtherUser { self.users.reduced }
  var denied: OtherUser { self.users.denied }

  /// The bus's socket.
  var busSocket: String { String(self.bus.address.dropFirst("unix:path=".count)) }

  /// Starts the demonstration client as a user; it ends after so many seconds.
  func start(as user: OtherUser, seconds: Int, _ arguments: [String] = []) throws -> RunningProgram {
    try self.run([Self.program, "-t", "\(seconds)"] + arguments, as: user)
  }

  /// Starts any program on this bus as a user.
  func run(_ command: [String], as user: OtherUser) throws -> RunningProgram {
    try self.users.run(command, as: user, environment: self.environment, on: self.loop)
  }

  /// Waits until nobody needs the receiver.
  func waitForRelease() throws {
    _ = try self.fixture.waitForStatus("release") { status in
      status["demand"] == nil && status["receiver"]?["availability"] == "poweredDown"
    }
  }
}
