import EventLoop
import Glibc
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// The bridge with a real mosquitto.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct BridgeTests {
  private static let location = "owntracks/positiond/boat"
  private static let connection = "positiond/boat/connection"

  @Test func `a day of events with the MQTT broker away for an hour: none lost, none out of order, 20 doubled at most`()
    async throws
  {
    try await withLoop { loop in
      let inbox = try FakeInbox(waking: loop)
      let mqtt = try MosquittoFixture(on: loop)
      try mqtt.start()
      try mqtt.subscribe()
      let bridge = try mqtt.bridge(to: inbox.daemon.path)
      try bridge.waitToSay("connected to the MQTT broker")
      // One event a minute.
      for _ in 0..<600 { inbox.occur() }
      try loop.drive(until: "half of ten hours") { inbox.acknowledged >= 300 }
      // It goes in the middle of messages.
      try mqtt.stop()
      try bridge.waitToSay("events wait with positiond until it is back")
      // What the bridge sent before is read once its connection has ended, which wakes nobody.
      while !inbox.daemon.methods.contains("(closed)") { try loop.drive(for: .milliseconds(50)) }
      let before = inbox.acknowledged
      for _ in 0..<60 { inbox.occur() }
      try loop.drive(until: "the new registration") { inbox.count(of: "position.subscribe") == 2 }
      #expect(inbox.count(of: "durable.attach") == 1)
      #expect(inbox.acknowledged == before && inbox.waiting == 660 - before)
      try mqtt.start()
      for _ in 0..<780 { inbox.occur() }
      try loop.drive(until: "a day") { inbox.acknowledged == 1440 }
      try loop.drive(until: "every event") {
        mqtt.messages.count >= 1440 && Set(Self.events(mqtt)).count == 1440
      }
      #expect(Self.firsts(Self.events(mqtt)) == Array(1...1440))
      // Only those on their way when mosquitto went may have come twice. It may repeat some to the subscriber itself.
      let doubled = mqtt.published(at: Self.location) - 1440
      #expect(0...20 ~= doubled, "\(doubled)")
      #expect(inbox.waiting == 0)
      #expect(bridge.exit == nil)
    }
  }

  @Test func `a bridge that is killed again and again loses nothing`() async throws {
    try await withLoop { loop in
      let inbox = try FakeInbox(waking: loop)
      let mqtt = try MosquittoFixture(on: loop)
      try mqtt.start()
      try mqtt.subscribe()
      for round in 1...10 {
        let bridge = try mqtt.bridge(to: inbox.daemon.path)
        for _ in 0..<50 { inbox.occur() }
        try loop.drive(until: "some of round \(round)") { inbox.acknowledged >= round * 50 - 40 }
        bridge.send(SIGKILL)
        _ = try bridge.waitForExit()
      }
      let bridge = try mqtt.bridge(to: inbox.daemon.path)
      try loop.drive(until: "the rest") { inbox.acknowledged == 500 && Set(Self.events(mqtt)).count == 500 }
      #expect(Self.firsts(Self.events(mqtt)) == Array(1...500))
      withExtendedLifetime(bridge) {}
    }
  }

  /// The events whose locations the subscriber got, in order.
  private static func events(_ mqtt: MosquittoFixture) -> [Int] {
    mqtt.messages(at: Self.location).filter { !$0.isRetained }.compactMap(\.json).compactMap { FakeInbox.event(of: $0) }
  }

  /// Each number where it stands first.
  private static func firsts(_ numbers: [Int]) -> [Int] {
    var known: Set<Int> = []
    return numbers.filter { known.insert($0).inserted }
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `the last will is published when the bridge is gone, and the newest state is retained`(signal: Int32)
    async throws
  {
    try await withLoop { loop in
      let inbox = try FakeInbox(waking: loop)
      let mqtt = try MosquittoFixture(on: loop)
      try mqtt.start()
      try mqtt.subscribe()
      let bridge = try mqtt.bridge(to: inbox.daemon.path, ["[home-assistant]", "enabled=yes"])
      try mqtt.wait(for: Self.connection) { $0.payload == "online" }
      inbox.occur()
      let attributes = try mqtt.wait(for: "positiond/boat/attributes")
      #expect(attributes.json?["gps_accuracy"] == 11)
      #expect(try mqtt.wait(for: "positiond/boat/status").json?["power"] == "on")
      try mqtt.wait(for: "homeassistant/device_tracker/positiond_boat/config")
      try loop.drive(until: "the acknowledgement") { inbox.acknowledged == 1 }
      bridge.send(signal)
      #expect(try bridge.waitForExit() == (signal == SIGTERM ? 0 : nil))
      try mqtt.wait(for: Self.connection) { $0.payload == "offline" }
      // What a subscriber that comes now gets.
      let late = try SystemProgram.run(
        "/usr/bin/mosquitto_sub", ["--unix", mqtt.socket, "-t", "#", "-F", "%r %t", "-C", "9", "-W", "60"])
      #expect(late.code == 0, "\(late.words)")
      let retained = Set(late.words.split(separator: "\n").map { String($0) })
      #expect(retained.isSuperset(of: ["1 \(Self.connection)", "1 \(Self.location)", "1 positiond/boat/attributes"]))
    }
  }

  @Test func `TLS with an authority of one's own, and not with another one`() async throws {
    try await withLoop { loop in
      let inbox = try FakeInbox(waking: loop)
      let mqtt = try MosquittoFixture(.tls, on: loop)
      try mqtt.start()
      try mqtt.subscribe()
      try mqtt.makeAuthority("other")
      let stranger = try mqtt.bridge(to: inbox.daemon.path, ["ca-file=\(mqtt.folder.file("other.pem"))"])
      let words = try stranger.waitToSay("TLS fails")
      #expect(words.contains("certificate verify failed") && words.contains("ca-file="), "\(words)")
      stranger.send(SIGTERM)
      #expect(try stranger.waitForExit() == 0)
      #expect(mqtt.messages.isEmpty)
      let bridge = try mqtt.bridge(to: inbox.daemon.path, ["ca-file=\(mqtt.folder.file("ca.pem"))"])
      // More than one record of TLS at a time.
      for _ in 0..<200 { inbox.occur() }
      try loop.drive(until: "all") { inbox.acknowledged == 200 && Set(Self.events(mqtt)).count == 200 }
      #expect(try mqtt.wait(for: Self.connection).payload == "online")
      withExtendedLifetime(bridge) {}
    }
  }

  @Test func `a wrong password is reported once, in words, and the right one works`() async throws {
    try await withLoop { loop in
      let inbox = try FakeInbox(waking: loop)
      let mqtt = try MosquittoFixture(.password(user: "boat", "s3cret"), on: loop)
      try mqtt.start()
      try mqtt.subscribe()
      try mqtt.write("password", ["wrong"])
      let user = ["user=boat", "password-file=\(mqtt.folder.file("password"))"]
      let bridge = try mqtt.bridge(to: inbox.daemon.path, user)
      try bridge.waitToSay("it does not let this client in; correct user= and password-file= in [mqtt]")
      inbox.occur()
      // The file is read for each attempt.
      try mqtt.write("password", ["s3cret"])
      try loop.drive(until: "the event") { inbox.acknowledged == 1 }
      #expect(bridge.output.matches(of: /it does not let/).count == 1, "\(bridge.output)")
      #expect(!bridge.output.contains("s3cret") && !bridge.output.contains("wrong"))
    }
  }

  @Test func `nobody who serves, and one who says nothing or nonsense, are reported in words`() async throws {
    try await withLoop { loop in
      let inbox = try FakeInbox(waking: loop)
      let mqtt = try MosquittoFixture(on: loop)
      let bridge = try mqtt.bridge(to: inbox.daemon.path)
      try bridge.waitToSay("nobody serves \(mqtt.socket); start it, or correct host= and port=, or socket=, in [mqtt]")
      // A server of another protocol, which refuses what it does not understand.
      let listener = try UnixSocket.listen(path: mqtt.socket, mode: 0o600, backlog: 8)
      let watch = try loop.watch(listener.descriptor, for: .read) { _ in
        do {
          if let client = try listener.accept() {
            _ = try client.write(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)[...])
            client.close()
          }
        } catch { Issue.record(error) }
      }
      try loop.drive(until: "another report") { bridge.output.matches(of: /no MQTT broker/).count > 1 }
      watch.cancel()
      listener.close()
      #expect(bridge.exit == nil)
      // And when there is one at last, it goes on.
      _ = unsafe unlink(mqtt.socket)
      try mqtt.start()
      inbox.occur()
      try loop.drive(until: "the event") { inbox.acknowledged == 1 }
    }
  }

  @Test func `a name without a permission is reported with what to do, and positiond may come later`() async throws {
    try await withLoop { loop in
      let mqtt = try MosquittoFixture(on: loop)
      try mqtt.start()
      let socket = mqtt.folder.file("positiond.sock")
      let bridge = try mqtt.bridge(to: socket)
      try bridge.waitToSay("connected to the MQTT broker")
      let denying = try FakeDaemon(at: socket) { method, _ in
        method == "durable.list"
          ? [.result(["names": []])]
          : [.error(-32002, "Restricted: no rule allows it", data: ["remedy": "an administrator adds a rule"])]
      }
      try bridge.waitToSay("an administrator adds a rule")
      #expect(bridge.exit == nil)
      withExtendedLifetime(denying) {}
    }
  }

  @Test func `with a real positiond, positions and regions arrive, and what occurs while mosquitto is away`()
    async throws
  {
    try await onOwnThread {
      var settings = IntegrationFixture.Settings()
      // Faster than a car, so that a region is passed every few seconds.
      settings.receiver.route = .circle(
        centre: Coordinate(latitude: 48.137, longitude: 11.575), radius: 500, speed: 200)
      let fixture = try IntegrationFixture(settings)
      let loop = try EventLoop()
      let mqtt = try MosquittoFixture(on: loop)
      try mqtt.start()
      try mqtt.subscribe()
      let bridge = try mqtt.bridge(
        to: fixture.socket,
        [
          "[position]", "mode=deferred", "batch=1s", "interval=1s", "distance=0", "[region half]", "latitude=48.1415",
          "longitude=11.575", "radius=350",
        ])
      let client = try fixture.client()
      func name() throws -> JSONValue? { try client.call("durable.list")["names"]?.elements.first }
      let fix = try mqtt.wait(for: Self.location)
      #expect(fix.json?["_type"] == "location" && fix.json?["acc"] != nil && fix.json?["vel"] != nil, "\(fix)")
      let crossing = try mqtt.wait(for: "\(Self.location)/event")
      #expect(crossing.json?["desc"] == "half" && crossing.json?["_type"] == "transition", "\(crossing)")
      try mqtt.wait(for: "positiond/boat/status") { $0.json?["power"] == "on" }
      try mqtt.stop()
      try bridge.waitToSay("events wait with positiond")
      // Nothing reports that events wait, so the daemon is asked again and again.
      var waiting = 0
      while waiting < 5 {
        try loop.drive(for: .milliseconds(100))
        if case .integer(let count)? = try name()?["waiting"] { waiting = count }
      }
      guard case .integer(let last)? = try name()?["lastEvent"] else { throw TimedOut("no durable name") }
      try mqtt.start()
      // Each event has at least one message of its own, and none is there twice unless it was on its way.
      try loop.drive(until: "all events") {
        mqtt.messages.count { $0.topic.hasPrefix(Self.location) } >= last
      }
      var acknowledged = 0
      while acknowledged < last {
        try loop.drive(for: .milliseconds(100))
        let info = try name()
        guard case .integer(let waiting)? = info?["waiting"], case .integer(let newest)? = info?["lastEvent"] else {
          throw TimedOut("no durable name")
        }
        acknowledged = newest - waiting
      }
      bridge.send(SIGTERM)
      #expect(try bridge.waitForExit() == 0, "\(bridge.output)")
    }
  }

  @Test(.enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
  func `with reduced precision the bridge publishes a point of the grid, and without permission only that it is there`()
    async throws
  {
    try await withLoop { loop in
      // The tests' root runs the bridge.
      for (grant, precision) in [("always", "reduced"), ("deny", "precise")] {
        var settings = IntegrationFixture.Settings()
        settings.configuration = [
          "rule bridge.user=root", "rule bridge.grant=\(grant)", "rule bridge.precision=\(precision)",
        ]
        let fixture = try IntegrationFixture(settings)
        let mqtt = try MosquittoFixture(on: loop)
        try mqtt.start()
        try mqtt.subscribe()
        let bridge = try mqtt.bridge(to: fixture.socket, ["[home-assistant]", "enabled=yes"])
        try mqtt.wait(for: Self.connection) { $0.payload == "online" }
        if grant == "always" {
          // First what an earlier run may have published is removed.
          let location = try mqtt.wait(for: Self.location) { $0.json?["lat"] != nil }
          #expect(try #require(location.json?["acc"]?.double) >= 2000, "\(location)")
          for member in ["vel", "cog", "alt", "vac"] { #expect(location.json?[member] == nil, "\(location)") }
          // What Home Assistant shows is the same.
          let discovery = try mqtt.wait(for: "homeassistant/device_tracker/positiond_boat/config")
          #expect(discovery.json?["json_attributes_topic"] == "positiond/boat/attributes", "\(discovery)")
          let attributes = try mqtt.wait(for: "positiond/boat/attributes") { $0.json?["latitude"] != nil }
          #expect(attributes.json?["latitude"] == location.json?["lat"], "\(attributes) \(location)")
          #expect(attributes.json?["gps_accuracy"] == location.json?["acc"], "\(attributes) \(location)")
        } else {
          try bridge.waitToSay("[rule bridge]")
          let published = mqtt.messages(at: Self.location) + mqtt.messages(at: "positiond/boat/attributes")
          #expect(published.allSatisfy { ["", "{}"].contains($0.payload) }, "\(published)")
          let status = try fixture.client().call("status.get")
          #expect(status["power"]?["starts"]?["total"] == 0, "\(status)")
        }
        bridge.send(SIGTERM)
        #expect(try bridge.waitForExit() == 0, "\(bridge.output)")
        guard grant == "always" else { continue }
        // The durable name outlives the bridge, and its need with it.
        let client = try fixture.client()
        let names = try client.call("durable.list")["names"]
        #expect(names?.elements.map { $0["durable"] } == ["mqtt"], "\(names ?? .null)")
        _ = try client.call("durable.remove", ["name": "mqtt"])
        _ = try fixture.waitForStatus("release") { $0["receiver"]?["availability"] == "poweredDown" }
      }
    }
  }
}
