import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// GeoClue's own demonstration client, unmodified, with positions from the real daemon over a real bus.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
struct GeoClueTests {
  @Test func `it shows positions from positiond, and the receiver is released when it ends`() async throws {
    try await onOwnThread {
      let world = try GeoClueFixture()
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
      let world = try GeoClueFixture()
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

  /// A program that prints each location that is announced to it, with its accuracy; and when there is none any more, the
  /// error that the last one answers then. It reads the signal: by the time of a question the next location may be there.
  private static let watcher = """
    from gi.repository import Gio, GLib
    NAME, PROPERTIES = "org.freedesktop.GeoClue2", "org.freedesktop.DBus.Properties"
    bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
    def call(path, interface, member, arguments=None):
      return bus.call_sync(NAME, path, interface, member, arguments, None, 0, -1).unpack()
    def get(path, interface, name):
      try: return call(path, PROPERTIES, "Get", GLib.Variant("(ss)", (NAME + interface, name)))[0]
      except GLib.Error as error: return Gio.DBusError.get_remote_error(error)
    last = "/"
    def changed(*signal):
      global last
      location = signal[-1].unpack()[1].get("Location", last)
      if location == last: return
      print("location", location, get(last if location == "/" else location, ".Location", "Accuracy"), flush=True)
      last = location
    client = call("/org/freedesktop/GeoClue2/Manager", NAME + ".Manager", "CreateClient")[0]
    bus.signal_subscribe(NAME, PROPERTIES, "PropertiesChanged", client, None, 0, changed)
    desktop = GLib.Variant("(ssv)", (NAME + ".Client", "DesktopId", GLib.Variant("s", "map")))
    call(client, PROPERTIES, "Set", desktop)
    call(client, NAME + ".Client", "Start")
    GLib.MainLoop().run()
    """

  @Test
  func `when a user's precision is reduced the location that was announced is gone, and then there is a reduced one`()
    async throws
  {
    try await onOwnThread {
      let world = try GeoClueFixture()
      let administrator = try world.fixture.client()
      let user = try world.accounts.addUser()
      let grant = { (precision: String) in
        _ = try administrator.call(
          "admin.grant", ["user": .string(user.name ?? ""), "level": "always", "precision": .string(precision)])
      }
      try grant("precise")
      let program = try world.run(["/usr/bin/python3", "-c", Self.watcher], as: user)
      try program.waitToSay("/Location/1 ")
      try grant("reduced")
      let output = try program.waitToSay("location / ")
      #expect(output.contains("location / org.freedesktop.DBus.Error.UnknownObject"), "\(output)")
      #expect(try program.waitToSay(" 2000.0").contains("location / "))
      program.send(SIGTERM)
      _ = try program.waitForExit()
      try world.waitForRelease()
    }
  }

  @Test func `a location that cannot be trusted is announced to no program`() async throws {
    try await onOwnThread {
      let world = try GeoClueFixture(time: try FastTime(factor: 10))
      let watcher = Self.watcher.replacing("\"Accuracy\"", with: "\"Latitude\"")
      let program = try world.run(["/usr/bin/python3", "-c", watcher], as: world.precise)
      // The first minute of a start is not judged.
      try program.waitToSay("/Location/60 ")
      try world.fixture.onLoop { $0.receiver?.inject(.jump(distance: 50_000, course: 0)) }
      // A client that asks for such fixes gets several.
      let client = try world.fixture.client(as: world.precise)
      _ = try client.call("position.subscribe", ["minInterval": 0, "replay": "none", "integrity": "any"])
      var far = 0
      while far < 10 {
        let fix = try client.notification("position.update")["fix"]
        if fix?["integrity"] == "untrusted", fix?["latitude"]?.double ?? 0 > 48.4 { far += 1 }
      }
      try world.fixture.onLoop { $0.receiver?.lift(.jump(distance: 0, course: 0)) }
      _ = try world.fixture.waitForStatus("the end of the attack") { $0["receiver"]?["integrity"] == "trusted" }
      let announced = program.output.ranges(of: "/Location/").count
      let output = try program.waitToSay("/Location/\(announced + 5) ")
      let latitudes = output.split(separator: "\n").compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
      #expect(latitudes.count > 30 && latitudes.allSatisfy { abs($0 - 48.137) < 0.1 }, "\(latitudes)")
      program.send(SIGTERM)
      _ = try program.waitForExit()
    }
  }

  @Test func `a denied user gets the reason, and the receiver stays off`() async throws {
    try await onOwnThread {
      let world = try GeoClueFixture()
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
      let world = try GeoClueFixture()
      let asked = try world.accounts.addUser()
      let program = try world.start(as: asked, seconds: 60, ["-a", "8"])
      // There is no agent that could ask.
      #expect(try program.waitForExit() != 0)
      #expect(program.output.contains("adduser \(asked.name ?? "") position"), "\(program.output)")
    }
  }
}
