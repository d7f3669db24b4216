import EventLoop
import JSONRPC
import Positioning
import Systemd
import TestSupport
import Testing

@testable import DesktopPrompts

/// The agent on a bus of its own, with a portal, notifications and a daemon that the test plays.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct DesktopAgentTests {
  /// An answer to the daemon, once it has come.
  ///
  /// `@unchecked Sendable`: the loop's thread alone uses it.
  private final class Received: @unchecked Sendable {
    var answer: JSONValue??
  }

  /// A bus, a daemon that sends these prompts, numbered from 1, and the agent.
  private final class World {
    let loop: EventLoop
    let bus: PrivateBus
    let daemon: FakeDaemon
    private var agent: DesktopAgent?
    private(set) var ends: [String] = []

    init(
      on loop: EventLoop, _ prompts: JSONValue..., services: [String: String] = [:]
    ) throws {
      self.loop = loop
      self.bus = try PrivateBus(on: loop, services: services)
      self.daemon = try FakeDaemon { method, _ in
        guard method == "agent.register" else { return [] }
        return [.result(["ok": true])] + prompts.enumerated().map { .ask($0 + 1, "agent.authorize", $1) }
      }
    }

    func start() throws {
      self.agent = try DesktopAgent(
        on: self.loop, bus: self.bus.address, desktops: ["GTK"], socket: self.daemon.path, log: Log(.error)
      ) { [unowned self] reason, _ in self.ends.append(reason) }
    }

    func stop() {
      self.agent?.end()
      self.agent = nil
    }

    func drive(until what: String, _ condition: () throws -> Bool) throws {
      try self.loop.drive(until: what, condition)
    }

    /// Waits for an answer to the daemon, the first being number 1.
    func answer(_ number: Int = 1) throws -> JSONValue {
      let received = Received()
      // Waits on another thread, and hands over what comes.
      Task { [daemon, loop] in
        let answer = await daemon.answer(number: number)
        loop.call { received.answer = answer }
      }
      try self.drive(until: "answer \(number)") { received.answer != nil }
      return try #require(received.answer ?? nil)
    }
  }

  private static func allowed(_ precision: String = "precise", remember: Bool = true) -> JSONValue {
    ["decision": "allow", "level": "whenInUse", "precision": .string(precision), "remember": .boolean(remember)]
  }

  private static let denied: JSONValue = ["decision": "deny", "remember": true]

  @Test func `a dialog of the portal asks, and its answer is positiond's`() async throws {
    try await withLoop { loop in
      let prompts = (1...4).map { _ in Samples.prompt() }
      let world = try World(on: loop, prompts[0], prompts[1], prompts[2], prompts[3])
      let portal = try FakePortal(on: world.bus)
      let notifications = try FakeNotifications(on: world.bus)
      try world.start()
      let answers: [(UInt32, [String: BusValue], JSONValue)] = [
        (0, [:], Self.allowed()),
        (
          0, ["choices": .array(of: "(ss)", [.structure([.string("reduced"), .string("true")])])],
          Self.allowed("reduced")
        ),
        (0, ["choices": .properties(["once": .string("true")])], Self.allowed(remember: false)),
        (1, [:], Self.denied),
      ]
      for (number, answer) in answers.enumerated() {
        try world.drive(until: "dialog \(number)") { portal.open.count == 1 }
        try portal.respond(answer.0, answer.1)
        #expect(try world.answer(number + 1)["result"] == answer.2)
      }
      #expect(portal.signature == "osssssa{sv}")
      #expect(notifications.shown.isEmpty && notifications.signature == nil)
      world.stop()
    }
  }

  @Test func `a notification with buttons asks where there is no portal`() async throws {
    try await withLoop { loop in
      let world = try World(on: loop, Samples.prompt(), Samples.prompt(), Samples.prompt(), Samples.prompt())
      let notifications = try FakeNotifications(on: world.bus)
      try world.start()
      let answers = [
        ("allow", Self.allowed()), ("reduced", Self.allowed("reduced")), ("once", Self.allowed(remember: false)),
        ("deny", Self.denied),
      ]
      for (number, answer) in answers.enumerated() {
        try world.drive(until: "notification \(number)") { notifications.shown.count == 1 }
        let shown = try #require(notifications.shown.first)
        #expect(Set(shown.buttons.keys) == ["allow", "reduced", "once", "deny"])
        let beginning =
          "Allow programs run by ada to know where this device is?\nuser: ada (1000)\nunit: tracker.service\n"
        #expect(shown.body.hasPrefix(beginning), "\(shown.body)")
        try notifications.press(answer.0)
        #expect(try world.answer(number + 1)["result"] == answer.1)
      }
      #expect(notifications.signature == "susssasa{sv}i")
      world.stop()
    }
  }

  @Test func `a prompt that the person closes is left to other agents`() async throws {
    try await withLoop { loop in
      let world = try World(on: loop, Samples.prompt(), Samples.prompt())
      let portal = try FakePortal(on: world.bus)
      let notifications = try FakeNotifications(on: world.bus)
      try world.start()
      try world.drive(until: "a dialog") { portal.open.count == 1 }
      try portal.respond(2)
      #expect(try world.answer()["error"]?["code"] == -32800)
      try world.drive(until: "another dialog") { portal.open.count == 1 }
      // This one is refused, so a notification follows.
      try portal.refuse()
      try world.drive(until: "a notification") { notifications.shown.count == 1 }
      try notifications.dismiss()
      #expect(try world.answer(2)["error"]?["code"] == -32800)
      world.stop()
    }
  }

  @Test func `a portal that dies during a prompt is followed by a notification, and that by an error`() async throws {
    try await withLoop { loop in
      let world = try World(on: loop, Samples.prompt())
      let portal = try FakePortal(on: world.bus)
      let notifications = try FakeNotifications(on: world.bus)
      try world.start()
      try world.drive(until: "a dialog") { portal.open.count == 1 }
      portal.die()
      try world.drive(until: "a notification") { notifications.shown.count == 1 }
      notifications.die()
      #expect(try world.answer()["error"]?["code"] == -32603)
      world.stop()
    }
  }

  @Test func `without portal and notifications positiond gets an error at once`() async throws {
    try await withLoop { loop in
      // The portal's backend is installed, but cannot run.
      let world = try World(
        on: loop, Samples.prompt(), services: ["\(PortalBackends.prefix)gtk": "/bin/false"])
      try world.start()
      let error = try #require(try world.answer()["error"])
      #expect(error["code"] == -32603)
      #expect("\(error)".contains("\(PortalBackends.prefix)gtk: "), "\(error)")
      #expect("\(error)".contains("\(FakeNotifications.name): "), "\(error)")
      world.stop()
    }
  }

  @Test func `notifications without buttons are no prompts`() async throws {
    try await withLoop { loop in
      let world = try World(on: loop, Samples.prompt())
      let notifications = try FakeNotifications(on: world.bus, capabilities: ["body"])
      try world.start()
      let error = try world.answer()["error"]
      #expect("\(String(describing: error))".contains("no buttons"))
      #expect(notifications.signature == nil)
      world.stop()
    }
  }

  @Test func `what positiond withdraws disappears`() async throws {
    try await withLoop { loop in
      let world = try World(on: loop, Samples.prompt(), Samples.prompt(), Samples.prompt())
      let portal = try FakePortal(on: world.bus)
      let notifications = try FakeNotifications(on: world.bus)
      try world.start()
      try world.drive(until: "a dialog") { portal.open.count == 1 }
      let first = try #require(portal.open.first?.handle)
      world.daemon.notify("$/cancelRequest", ["id": 1])
      try world.drive(until: "the next dialog") { portal.open.first.map { $0.handle != first } ?? false }
      #expect(portal.closed == 1)
      try portal.refuse()
      try world.drive(until: "a notification") { notifications.shown.count == 1 }
      portal.die()
      notifications.delays = true
      world.daemon.notify("$/cancelRequest", ["id": 2])
      // The third is withdrawn before the service has shown it.
      try world.drive(until: "the next notification") { notifications.kept == 1 && notifications.shown.isEmpty }
      world.daemon.notify("$/cancelRequest", ["id": 3])
      // The agent has read the withdrawal when it has answered this.
      world.daemon.ask(9, "agent.sing", [:])
      // A withdrawn prompt is answered too, as cancelled.
      #expect(try world.answer(4)["id"] == 9)
      try notifications.showDelayed()
      #expect(notifications.shown.count == 1)
      try world.drive(until: "its end") { notifications.shown.isEmpty }
      world.stop()
    }
  }

  @Test func `two prompts are shown one after the other`() async throws {
    try await withLoop { loop in
      let other: JSONValue = ["uid": 1001, "user": "ben", "groups": []]
      let world = try World(on: loop, Samples.prompt(), Samples.prompt(of: other))
      let portal = try FakePortal(on: world.bus)
      try world.start()
      for (number, name) in ["ada", "ben"].enumerated() {
        try world.drive(until: "the dialog about \(name)") { !portal.open.isEmpty }
        #expect(portal.open.count == 1)
        #expect(portal.open.first?.title == "Allow programs run by \(name) to know where this device is?")
        try portal.respond(number == 0 ? 1 : 0)
        let answer = try world.answer(number + 1)
        #expect(answer["id"] == .integer(number + 1))
        #expect(answer["result"]?["decision"] == (number == 0 ? "deny" : "allow"))
      }
      world.stop()
    }
  }

  @Test func `hostile words reach the desktop harmless`() async throws {
    try await withLoop { loop in
      let hostile: JSONValue = [
        "uid": 1000, "user": "ada", "groups": [], "pid": 4242,
        "name": .string("<b>%n%n</b>\"\n" + String(repeating: "x", count: 10_000)),
        "purpose": "&lt;a href='https://example.org'&gt;\u{202e}\u{1b}[2J",
      ]
      let world = try World(on: loop, Samples.prompt(of: hostile), Samples.prompt(of: hostile))
      let portal = try FakePortal(on: world.bus)
      let notifications = try FakeNotifications(on: world.bus)
      try world.start()
      try world.drive(until: "a dialog") { portal.open.count == 1 }
      let dialog = try #require(portal.open.first)
      portal.die()
      try world.drive(until: "a notification") { notifications.shown.count == 1 }
      let notification = try #require(notifications.shown.first)
      for text in [dialog.title, dialog.subtitle, dialog.body, notification.summary, notification.body] {
        #expect(!text.contains { "<>&%\u{202e}\u{1b}".contains($0) }, "\(text)")
        #expect(text.utf8.count < 4000)
      }
      #expect(dialog.body.split(separator: "\n").count == 3, "\(dialog.body)")
      try notifications.press("deny")
      #expect(try world.answer()["result"] == Self.denied)
      world.stop()
    }
  }

  @Test func `a button that another program pretends to press does nothing`() async throws {
    try await withLoop { loop in
      let world = try World(on: loop, Samples.prompt())
      let notifications = try FakeNotifications(on: world.bus)
      try world.start()
      try world.drive(until: "a notification") { notifications.shown.count == 1 }
      let shown = try #require(notifications.shown.first)
      let forger = try world.bus.connect(as: "org.example.Forger")
      // The bus delivers a signal to those who asked for it, and to the one it is sent to.
      for destination in [nil, shown.sender] {
        try forger.signal(
          path: "/org/freedesktop/Notifications", interface: FakeNotifications.name, member: "ActionInvoked",
          [.uint32(shown.id), .string("allow")], to: destination)
      }
      // The forger's signal is with the bus before the service's.
      var isThere = false
      let call = try BusCall(.ofBus("GetId"), [], over: forger) { _ in isThere = true }
      try world.drive(until: "the forged signal") { isThere }
      try notifications.press("deny")
      #expect(try world.answer()["result"] == Self.denied)
      withExtendedLifetime(call) { world.stop() }
    }
  }

  @Test func `the end removes the dialog, and leaves the prompt to others`() async throws {
    try await withLoop { loop in
      let world = try World(on: loop, Samples.prompt())
      let portal = try FakePortal(on: world.bus)
      try world.start()
      try world.drive(until: "a dialog") { portal.open.count == 1 }
      world.stop()
      try world.drive(until: "its end") { portal.closed == 1 }
      #expect(world.daemon.methods.contains("agent.register") && !world.daemon.methods.contains("(answer)"))
    }
  }

  @Test func `a user who may be no agent, and a bus that ends, end it with the reason`() async throws {
    try await withLoop { loop in
      let bus = try PrivateBus(on: loop)
      let daemon = try FakeDaemon { _, _ in
        [.error(-32002, "Restricted: no rule lets this client answer prompts", data: ["remedy": "agent=yes in a rule"])]
      }
      var ends: [String] = []
      let agent = try DesktopAgent(
        on: loop, bus: bus.address, desktops: [], socket: daemon.path, log: Log(.error)
      ) { ends.append("\($1): \($0)") }
      try loop.drive(until: "the end") { !ends.isEmpty }
      #expect(ends.first?.hasPrefix("77: ") == true && ends.first?.contains("agent=yes in a rule") == true, "\(ends)")
      bus.end()
      try loop.drive(until: "the end of the bus") { ends.count > 1 }
      #expect(ends.last == "1: the bus has closed the connection", "\(ends)")
      agent.end()
    }
  }
}
