import EventLoop
import JSONRPC
import TestSupport
import Testing

/// The door held to gpsd itself: both get what clients send, byte by byte and write by write, and answer alike.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct DoorDialectTests {
  /// What a client sends, and the class of the last answer to each write.
  struct Dialect: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let writes: [(text: String, last: String)]

    init(_ description: String, _ writes: (String, String)...) {
      self.testDescription = description
      self.writes = writes.map { ($0.0, $0.1) }
    }
  }

  private static let dialects = [
    Dialect("libgps, gpspipe and Python's gps", (#"?WATCH={"enable":true,"json":true};"# + "\r\n", "WATCH")),
    // Of PyPI: gps3, which Home Assistant uses, and agps3 in the same package.
    Dialect("gps3, agps3 and go-gpsd", (#"?WATCH={"enable":true,"json":true}"#, "WATCH")),
    Dialect("gps3 with a device", (#"?WATCH={"enable":true,"json":true,"device":"DEVICE"}"#, "WATCH")),
    Dialect("gpsd-py3", (#"?WATCH={"enable":true}"# + "\n", "WATCH"), ("?POLL;\n", "POLL"), ("?POLL;\n", "POLL")),
    Dialect("a shell, which writes all at once", (#"?WATCH={"enable":true}"# + "\n?POLL;\n", "POLL")),
    Dialect(
      "gpsd-client-async", (#"?WATCH={"enable":true,"json":true,"split24":false,"raw":0}"# + "\r\n", "WATCH"),
      ("?POLL;\r\n", "POLL")),
    Dialect("node-gpsd", (#"?WATCH={"class":"WATCH","json":true,"nmea":false}"#, "WATCH"), ("?DEVICES;", "DEVICES")),
    Dialect("hcxdumptool", (#"?WATCH={"json":true}"#, "WATCH")),
    Dialect("a Perl program", (#"?WATCH={"enable":true,"json":true}"#, "WATCH"), ("?POLL;", "POLL")),
    Dialect("C, with the zero of its text", ("?WATCH={\"enable\":true};\n\0", "WATCH"), ("?POLL;\n\0", "POLL")),
    Dialect("C, with the zero as the end", ("?WATCH={\"enable\":true}\0", "WATCH"), ("?POLL;\0", "POLL")),
    Dialect("a carriage return as the end", ("?WATCH={\"enable\":true}\r", "WATCH"), ("?POLL;\r", "POLL")),
    Dialect("an object over several lines", ("?WATCH={\n  \"enable\": true,\n  \"json\": true\n}\n", "WATCH")),
    Dialect("requests in a row", (#"?VERSION;?DEVICES;?WATCH={"enable":true}?WATCH;?POLL;"#, "POLL")),
    Dialect("without a watch", ("?DEVICES;?POLL;", "POLL"), ("?VERSION;\n", "VERSION"), ("?WATCH;", "WATCH")),
    Dialect("on and off", ("?WATCH={\"enable\":true}", "WATCH"), ("?WATCH={\"enable\":false}\n?POLL;", "POLL")),
  ]

  /// What a server answered.
  private struct Answers {
    /// The classes, without the reports of a watch.
    var classes: [String] = []
    var devices: [JSONValue] = []
    var polls: [JSONValue] = []

    init(to dialect: Dialect, of port: UInt16, device: String) throws {
      let client = try LineClient(port: port)
      try self.read(client, until: "VERSION")
      for write in dialect.writes {
        try client.send(raw: write.text.replacing("DEVICE\"", with: "\(device)\""))
        try self.read(client, until: write.last)
      }
    }

    private mutating func read(_ client: LineClient, until last: String) throws {
      while true {
        let message = try client.next(what: last)
        guard case .string(let name)? = message["class"] else { continue }
        // gpsd also sends a DEVICE when it opens one.
        if ["TPV", "SKY", "GST", "ATT", "DEVICE"].contains(name) { continue }
        self.classes.append(name)
        self.devices += message["devices"]?.elements ?? []
        if name == "POLL" { self.polls.append(message) }
        if name == last { return }
      }
    }
  }

  /// Members that gpsd has of some devices only. For it the device is active while anybody watches, here while the client
  /// does.
  private static let particular: Set<String> = ["subtype", "subtype1", "mincycle", "activated"]

  @Test func `what clients send is answered as by gpsd, however they end their requests`() async throws {
    try await onOwnThread {
      let doors = try DoorFixture()
      // Somebody uses the receiver, and it has a fix.
      let other = try doors.fixture.client()
      _ = try other.call("position.subscribe")
      _ = try other.next(what: "fix") { $0["params"]?["fix"] != nil }
      let path = try #require(
        Answers(to: Dialect("", ("?DEVICES;", "DEVICES")), of: doors.fixture.gpsdPort, device: "").devices.first?[
          "path"]?
          .text)
      for dialect in Self.dialects {
        let real = try Answers(to: dialect, of: doors.fixture.gpsdPort, device: path)
        let ours = try Answers(to: dialect, of: doors.port, device: path)
        #expect(ours.classes == real.classes, "\(dialect.testDescription)")
        for (ours, real) in zip(ours.devices, real.devices) {
          let missing = Self.members(real).subtracting(Self.members(ours)).subtracting(Self.particular)
          #expect(missing.isEmpty, "\(dialect.testDescription): \(ours) \(real)")
          // gpsd-client-async requires it.
          #expect(ours["stopbits"] == 1, "\(ours)")
        }
        for (ours, real) in zip(ours.polls, real.polls) {
          for list in ["tpv", "sky"] {
            #expect(
              ours[list]?.elements.count == real[list]?.elements.count, "\(dialect.testDescription): \(ours) \(real)")
          }
          #expect(ours["active"] == real["active"], "\(dialect.testDescription): \(ours) \(real)")
          #expect(ours["tpv"]?.elements.map { $0["mode"] } == real["tpv"]?.elements.map { $0["mode"] })
        }
      }
    }
  }

  private static func members(_ value: JSONValue) -> Set<String> {
    if case .object(let members) = value { Set(members.keys) } else { [] }
  }

  @Test
  func `a client that sends no end gets fixes and satellites as from gpsd, and the receiver is released after it`()
    async throws
  {
    try await onOwnThread {
      let doors = try DoorFixture()
      do {
        for port in [doors.fixture.gpsdPort, doors.port] {
          let client = try LineClient(port: port)
          try client.send(raw: #"?WATCH={"enable":true,"json":true}"#)
          // The first ones may have no speed or no altitude yet.
          let fix = try client.next(what: "fix") { $0["lat"] != nil && $0["speed"] != nil && $0["alt"] != nil }
          #expect(fix["class"] == "TPV" && fix["mode"] == 3, "\(fix)")
          let sky = try client.next(what: "satellites") { $0["class"] == "SKY" && $0["satellites"] != nil }
          #expect(sky["satellites"]?.elements.allSatisfy { $0["PRN"] != nil && $0["used"] != nil } == true, "\(sky)")
        }
      }
      try doors.waitForRelease()
    }
  }

  @Test(
    "a client whose permission is reduced or taken away learns it, and no request of its gets what it may know no more",
    .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"), arguments: ["reduced", "deny"])
  func lost(decision: String) async throws {
    try await onOwnThread {
      let accounts = try TemporaryUsers()
      let user = try accounts.addUser()
      let doors = try DoorFixture(["authorization.default=deny"])
      let administrator = try doors.fixture.client()
      let name = JSONValue.string(user.name ?? "")
      _ = try administrator.call("admin.grant", ["user": name, "level": "always"])
      let client = try LineClient(port: doors.port, as: user)
      try client.send(raw: #"?WATCH={"enable":true,"json":true}"#)
      _ = try client.next(what: "fix") { $0["class"] == "TPV" && $0["speed"] != nil }
      _ = try client.next(what: "satellites") { $0["class"] == "SKY" }
      let change: [String: JSONValue] =
        decision == "deny" ? ["level": "deny"] : ["level": "always", "precision": "reduced"]
      _ = try administrator.call("admin.grant", change.merging(["user": name]) { $1 })
      _ = try client.next(what: "reason") { $0["class"] == "ERROR" }
      _ = try client.next(what: "no fix") { $0["class"] == "TPV" && $0["mode"] == 1 }
      while client.unreadMessage() != nil {}
      try client.send(raw: "?POLL;?DEVICES;?VERSION;")
      while true {
        let message = try client.next(what: "answer")
        if message["class"] == "VERSION" { break }
        for report in [message] + (message["tpv"]?.elements ?? []) {
          #expect(report["speed"] == nil && report["alt"] == nil && (decision == "reduced" || report["lat"] == nil))
        }
        for report in [message] + (message["sky"]?.elements ?? []) where report["satellites"] != nil {
          #expect(report["satellites"] == [], "\(message)")
        }
      }
    }
  }
}
