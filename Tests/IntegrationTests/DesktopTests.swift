import EventLoop
import Glibc
import JSONRPC
import TestSupport
import Testing

/// The agent for desktops with the real daemon, on a bus whose portal and notifications the test plays.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct DesktopTests {
  private static func start(
    _ users: UndecidedUserFixture, on bus: PrivateBus, _ loop: EventLoop
  ) throws -> RunningProgram {
    let program = try RunningProgram(
      Programs.path("positiond-desktop"), [],
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_CURRENT_DESKTOP": "GTK",
        "POSITIOND_SOCKET": users.fixture.socket,
      ], on: loop)
    try program.waitToSay("shows positiond's prompts")
    return program
  }

  @Test(.enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
  func `a program gets its fix when the person allows it on the desktop`() async throws {
    try await withLoop { loop in
      let users = try UndecidedUserFixture()
      let bus = try PrivateBus(on: loop)
      let notifications = try FakeNotifications(on: bus)
      let program = try Self.start(users, on: bus, loop)
      let client = try users.client(of: users.ben)
      let request = try client.request("position.get", ["timeout": 60])
      try loop.drive(until: "a notification") { notifications.shown.count == 1 }
      let name = users.ben.name ?? ""
      let question = "Allow programs run by \(name) to know where this device is?\nuser: \(name) (\(users.ben.uid))\n"
      #expect(notifications.shown.first?.body.hasPrefix(question) == true)
      try notifications.press("once")
      #expect(try client.reply(to: request)["result"]?["status"] == "success")
      // Only for the program that waited.
      #expect(try users.state(of: users.ben) == "notDetermined")
      _ = try users.fixture.waitForStatus("no demand") { $0["demand"] == nil }

      // A portal that has come since is preferred.
      let portal = try FakePortal(on: bus)
      let again = try client.request("authorization.request", ["level": "always", "force": true])
      try loop.drive(until: "a dialog") { portal.open.count == 1 }
      try portal.respond(1)
      #expect(try client.reply(to: again)["result"]?["state"] == "denied")
      program.send(SIGTERM)
      #expect(try program.waitForExit() == 0)
    }
  }

  @Test(.enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
  func `a program gets a reduced position when the person allows no more on the desktop`() async throws {
    try await withLoop { loop in
      let users = try UndecidedUserFixture()
      let bus = try PrivateBus(on: loop)
      let notifications = try FakeNotifications(on: bus)
      let program = try Self.start(users, on: bus, loop)
      let client = try users.client(of: users.ben)
      let request = try client.request("position.get", ["timeout": 60])
      try loop.drive(until: "a notification") { notifications.shown.count == 1 }
      try notifications.press("reduced")
      let fix = try client.reply(to: request)["result"]?["fix"]
      #expect(try #require(fix?["horizontalAccuracy"]?.double) >= 2000 && fix?["speed"] == nil, "\(fix ?? .null)")
      _ = try users.fixture.waitForStatus("no demand") { $0["demand"] == nil }
      withExtendedLifetime(program) {}
    }
  }

  @Test(.enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
  func `a prompt that nobody can see is denied at once, and one that is closed too`() async throws {
    try await withLoop { loop in
      let users = try UndecidedUserFixture()
      let bus = try PrivateBus(on: loop)
      let program = try Self.start(users, on: bus, loop)
      let client = try users.client(of: users.ben)
      let request = try client.request("position.get", ["timeout": 60])
      try program.waitToSay("a prompt could not be shown: org.freedesktop.Notifications: ")
      #expect(try client.refusal(of: request)["code"] == -32004)

      let portal = try FakePortal(on: bus)
      let second = try client.request("position.get", ["timeout": 60])
      try loop.drive(until: "a dialog") { portal.open.count == 1 }
      try portal.respond(2)
      #expect(try client.refusal(of: second)["code"] == -32004)
      let status = try users.fixture.client().call("status.get")
      #expect(status["power"]?["starts"]?["total"] == 0, "\(status)")
      #expect(try users.state(of: users.ben) == "notDetermined")
    }
  }

  @Test(.enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
  func `a prompt disappears when positiond dies, and the next daemon's prompts are shown`() async throws {
    try await withLoop { loop in
      let users = try UndecidedUserFixture()
      let bus = try PrivateBus(on: loop)
      let portal = try FakePortal(on: bus)
      let program = try Self.start(users, on: bus, loop)
      let client = try users.client(of: users.ben)
      _ = try client.request("position.get", ["timeout": 60])
      try loop.drive(until: "a dialog") { portal.open.count == 1 }
      try users.restart()
      try program.waitToSay("waits for positiond")
      try loop.drive(until: "the dialog's end") { portal.open.isEmpty }
      #expect(portal.closed == 1)
      // The agent connects again in its own time.
      try loop.drive(until: "the agent") {
        program.output.split(separator: "\n").count { $0.contains("shows positiond's prompts") } == 2
      }
      let later = try users.client(of: users.ben)
      let request = try later.request("position.get", ["timeout": 60])
      try loop.drive(until: "another dialog") { portal.open.count == 1 }
      try portal.respond(0)
      #expect(try later.reply(to: request)["result"]?["status"] == "success")
    }
  }

  @Test func `without a rule that makes it an agent it ends, and says what to do`() async throws {
    try await withLoop { loop in
      let fixture = try DaemonFixture(on: loop)
      let daemon = try fixture.startServing()
      let bus = try PrivateBus(on: loop)
      let program = try RunningProgram(
        Programs.path("positiond-desktop"), [],
        environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "POSITIOND_SOCKET": fixture.socket], on: loop)
      // The unit lets systemd not restart after this one.
      #expect(try program.waitForExit() == 77)
      #expect(program.output.contains("agent=yes"), "\(program.output)")
      withExtendedLifetime(daemon) {}
    }
  }

  @Test(arguments: [
    (["--version"], Int32(0), "positiond-desktop 0."), (["--help"], 0, "agent=yes"), (["--bogus"], 2, "--help"),
    ([], 1, "DBUS_SESSION_BUS_ADDRESS"),
  ])
  func `the command line works, and without a session it says so`(
    arguments: [String], code: Int32, words: String
  ) async throws {
    try await withLoop { loop in
      let run = try RunningProgram(Programs.path("positiond-desktop"), arguments, on: loop)
      #expect(try run.waitForExit() == code)
      #expect(run.output.contains(words), "\(run.output)")
    }
  }
}
