import Broker
import EventLoop
import Glibc
import JSONRPC
import Positioning
import ReceiverPorts
import Server
import TestSupport
import Testing

/// The socket that speaks gpsd's protocol.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct GpsdDoorTests {
  private static let request = "?WATCH={\"enable\":true,\"json\":true};\n"

  private static func report(_ name: JSONValue, from client: LineClient) throws -> JSONValue {
    try client.next(what: "\(name)") { $0["class"] == name }
  }

  /// Requests a watch; when this returns, the client is subscribed.
  private static func watch(_ client: LineClient, _ request: String = request) throws {
    try client.send(raw: request)
    _ = try self.report("WATCH", from: client)
  }

  private static func fix(from client: LineClient) throws -> JSONValue {
    try client.next(what: "TPV with a position") { $0["class"] == "TPV" && $0["lat"] != nil }
  }

  /// What a poll has of a client that watches without a fix and without satellites.
  private static let noFix: JSONValue = [["class": "TPV", "device": "positiond", "mode": 1]]
  private static let noSky: JSONValue = [
    ["class": "SKY", "device": "positiond", "nSat": 0, "uSat": 0, "satellites": []]
  ]

  private static func reduced() -> BrokerSettings {
    var settings = BrokerSettings()
    settings.access.fallback = .reduced
    return settings
  }

  @Test func `a watch is a need, a connection without one is none, and who leaves frees the receiver`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let other = try server.client()
      var clients = [try server.gpsdClient()]
      #expect(try Self.report("VERSION", from: clients[0])["proto_major"] == 3)
      try clients[0].send(raw: "?DEVICES;?POLL;")
      #expect(try Self.report("DEVICES", from: clients[0])["devices"] != nil)
      #expect(try Self.report("POLL", from: clients[0])["active"] == 0)
      #expect(try other.call("status.get")["demand"] == nil)
      try clients[0].send(raw: Self.request)
      #expect(try Self.report("WATCH", from: clients[0])["enable"] == true)
      while try other.call("status.get")["subscriptions"] != 3 {}
      server.fix(latitude: 48)
      #expect(try Self.fix(from: clients[0])["lat"] == 48)
      try clients[0].send(raw: "?WATCH={\"enable\":false}\n")
      while try other.call("status.get")["subscriptions"] != 0 {}
      #expect(try other.call("status.get")["demand"] == nil)
      try clients[0].send(raw: Self.request)
      while try other.call("status.get")["subscriptions"] != 3 {}
      clients = []
      while try other.call("status.get")["clients"] != 1 {}
      #expect(try other.call("status.get")["demand"] == nil)
    }
  }

  @Test func `a client that only ends its sending side has left, and gets the answers to what it asked`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.gpsdClient()
      try client.send(raw: "?DEVICES;\n")
      _ = try Self.report("DEVICES", from: client)
      client.finishSending()
      #expect(try client.untilClosed().map { $0["class"] } == ["VERSION"])
    }
  }

  @Test func `satellites and a loss are reported, and a poll has the newest`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.gpsdClient()
      try Self.watch(client)
      server.fix(latitude: 48)
      _ = try Self.fix(from: client)
      server.report(
        .sky(
          SkyReport(
            device: "/dev/test", satellites: [Sky.Satellite(constellation: .glonass, svid: 3, isUsed: true)],
            arrival: Clocks.system.sinceBoot())))
      let sky = try Self.report("SKY", from: client)
      #expect(sky["satellites"] == [["PRN": 67, "used": true, "gnssid": 6, "svid": 3]])
      try client.send(raw: "?POLL;")
      let poll = try Self.report("POLL", from: client)
      #expect(poll["sky"] == [sky] && poll["active"] == 1)
      // Until now there was none, which it was notified of at the beginning.
      _ = try client.next(what: "no fix") { $0["class"] == "TPV" && $0["mode"] == 1 }
      server.report(.source(.gpsdDown(.mute)))
      #expect(try client.next(what: "loss") { $0["class"] == "TPV" && $0["mode"] == 1 }["lat"] == nil)
    }
  }

  @Test func `a client of reduced precision gets reduced fixes and nothing else`() async throws {
    try await onOwnThread {
      let server = try LiveServer(broker: Self.reduced(), principal: Principal(uid: 1001, user: "bob"))
      let client = try server.gpsdClient()
      try Self.watch(client, "?WATCH={\"enable\":true,\"json\":true,\"nmea\":true};\n")
      let error = try Self.report("ERROR", from: client)["message"]
      #expect(error == "nmea: only clients that may know the precise position get sentences; use json")
      server.report(
        .sky(
          SkyReport(
            device: "/dev/test", satellites: [Sky.Satellite(constellation: .gps, svid: 3, isUsed: true)],
            arrival: Clocks.system.sinceBoot())))
      server.fix(latitude: 48.123456)
      let fix = try Self.fix(from: client)
      for member in ["speed", "track", "alt", "altMSL", "altHAE", "epv"] { #expect(fix[member] == nil, "\(member)") }
      #expect(fix["device"] == "positiond" && fix["lat"] != 48.123456)
      #expect(Self.double(fix["eph"] ?? .null) >= 2000)
      try client.send(raw: "?POLL;")
      let poll = try Self.report("POLL", from: client)
      #expect(poll["tpv"] == [fix] && poll["sky"] == Self.noSky)
      while let message = client.unreadMessage() {
        #expect(message["class"] != "SKY" && message["class"] != "ATT")
      }
    }
  }

  @Test func `a client of reduced precision that comes later gets the point that the others have`() async throws {
    try await onOwnThread {
      let server = try LiveServer(broker: Self.reduced(), principal: Principal(uid: 1001, user: "bob"))
      let first = try server.gpsdClient()
      try Self.watch(first)
      server.fix(latitude: 48.123456)
      let fix = try Self.fix(from: first)
      // The next reduced fix comes in ten minutes.
      let later = try server.gpsdClient()
      try Self.watch(later)
      #expect(try Self.fix(from: later) == fix)
    }
  }

  @Test func `a client of whom the kernel does not say who it is has the default's permission`() async throws {
    try await onOwnThread {
      let server = try LiveServer(broker: Self.reduced(), principal: .unknown)
      let client = try server.gpsdClient()
      try Self.watch(client)
      server.fix(latitude: 48.123456)
      #expect(try Self.fix(from: client)["lat"] != 48.123456)

      var closed = BrokerSettings()
      closed.access.fallback = .deny
      let closedServer = try LiveServer(broker: closed, principal: .unknown)
      let denied = try closedServer.gpsdClient()
      try denied.send(raw: Self.request)
      _ = try Self.report("ERROR", from: denied)
    }
  }

  private static func double(_ value: JSONValue) -> Double {
    switch value {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: .nan
    }
  }

  @Test func `a denied client is given the reason in words, and a withdrawn permission ends its fixes`() async throws {
    try await onOwnThread {
      let bob = Principal(uid: 1001, user: "bob")
      var closed = BrokerSettings()
      closed.access.fallback = .deny
      let denied = try LiveServer(broker: closed, principal: bob)
      let client = try denied.gpsdClient()
      try client.send(raw: Self.request)
      let words = try Self.report("ERROR", from: client)["message"]
      #expect(words != nil && words != "")
      let reader = try denied.gpsdClient()
      try reader.send(raw: "?WATCH={\"enable\":true,\"nmea\":true};")
      #expect(try Self.report("ERROR", from: reader)["message"] == words)
      denied.fix(latitude: 48)
      try client.send(raw: "?POLL;")
      #expect(try Self.report("POLL", from: client)["tpv"] == Self.noFix)

      let server = try LiveServer(principal: bob)
      let watcher = try server.gpsdClient()
      try Self.watch(watcher)
      server.fix(latitude: 48)
      _ = try Self.fix(from: watcher)
      server.change(closed)
      _ = try Self.report("ERROR", from: watcher)
      server.fix(latitude: 48.0001)
      try watcher.send(raw: "?VERSION;")
      _ = try Self.report("VERSION", from: watcher)
      try watcher.send(raw: "?VERSION;")
      _ = try Self.report("VERSION", from: watcher)
      while let message = watcher.unreadMessage() { #expect(message["lat"] == nil) }
    }
  }

  @Test func `an endless request is an error in words, and the end`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let (fitting, endless) = (try server.gpsdClient(), try server.gpsdClient())
      let blanks = String(repeating: " ", count: 8191 - "?VERSION".utf8.count)
      _ = try Self.report("VERSION", from: fitting)
      try fitting.send(raw: "?VERSION\(blanks);")
      _ = try Self.report("VERSION", from: fitting)
      _ = endless.offer(Array(repeating: UInt8(ascii: "a"), count: 8192))
      let messages = try endless.untilClosed()
      #expect(messages.last == ["class": "ERROR", "message": "a request is longer than 8191 bytes"])
      #expect(messages.count == 2)
    }
  }

  @Test
  func `a poll right after the watch has the fix that others have, and none from before the receiver was started`()
    async throws
  {
    try await onOwnThread {
      let server = try LiveServer()
      let other = try server.client()
      _ = try other.call("position.subscribe")
      server.fix(latitude: 48)
      let client = try server.gpsdClient()
      try client.send(raw: "?WATCH={\"enable\":true}\n?POLL;\n")
      let poll = try Self.report("POLL", from: client)
      #expect(poll["active"] == 1 && poll["tpv"]?.elements.map { $0["lat"] } == [48])

      let off = try LiveServer()
      off.fix(latitude: 48)
      off.report(.source(.idle))
      let early = try off.gpsdClient()
      try early.send(raw: "?WATCH={\"enable\":true}\n?POLL;\n")
      #expect(try Self.report("POLL", from: early)["tpv"] == Self.noFix)
    }
  }

  @Test func `a client that sends requests without an end gets what it watches`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      for request in ["?WATCH={\"enable\":true,\"json\":true}", "?WATCH={\"json\":true};\n\0"] {
        let client = try server.gpsdClient()
        try Self.watch(client, request)
        server.fix(latitude: 48)
        _ = try Self.fix(from: client)
        try client.send(raw: "?POLL;\0")
        #expect(try Self.report("POLL", from: client)["active"] == 1)
      }
    }
  }

  @Test func `what a web page has a browser send starts no receiver and no prompt, and ends the connection`()
    async throws
  {
    try await onOwnThread {
      var settings = BrokerSettings()
      settings.access.fallback = .ask
      for server in [try LiveServer(), try LiveServer(broker: settings, principal: Principal(uid: 1001, user: "bob"))] {
        let client = try server.gpsdClient()
        try client.send(
          raw: "POST / HTTP/1.1\r\nHost: 127.0.0.1:2947\r\nContent-Type: text/plain\r\nContent-Length: 35\r\n\r\n"
            + Self.request)
        let messages = try client.untilClosed()
        #expect(messages.map { $0["class"] } == ["VERSION", "ERROR"], "\(messages)")
        let status = try server.client().call("status.get")
        #expect(status["subscriptions"] == 0 && status["requests"] == 0 && !server.isReceiverOn, "\(status)")
      }
    }
  }

  @Test func `garbage gets errors in words, and the next request is served`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let mistakes = ["?WATCH={", "?WATCH={}}", "?WATCH=[1];", "?WATCH={\"enable\":", "?;", "?=", "??VERSION;", "a;b"]
      for mistake in mistakes {
        let client = try server.gpsdClient()
        try client.send(raw: "\(mistake)\n")
        _ = try Self.report("ERROR", from: client)
        try client.send(raw: "?DEVICE;\n")
        _ = try Self.report("DEVICE", from: client)
        while let message = client.unreadMessage() {
          #expect(["VERSION", "ERROR", "WATCH", "DEVICES"].contains(message["class"]), "\(message)")
        }
      }
      var random = SeededRandom(seed: 7)
      for _ in 0..<20 {
        let client = try server.gpsdClient()
        try client.send(bytes: (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) } + Array("\n".utf8))
        for message in try client.untilClosed() {
          #expect(["VERSION", "ERROR"].contains(message["class"]), "\(message)")
        }
      }
      #expect(try server.client().call("status.get")["clients"] != nil)
    }
  }

  @Test func `a client that reads nothing holds no more than its limit, is not served on, and others are`() async throws
  {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxOutbound = 64 * 1024
      let server = try LiveServer(limits: limits)
      let (hostile, other) = (try server.gpsdClient(), try server.client())
      try hostile.send(raw: Self.request)
      while try other.call("status.get")["subscriptions"] != 3 {}
      let polls = Array(String(repeating: "?POLL;?DEVICES;", count: 2000).utf8)
      var most = 0
      for step in 0..<500 {
        _ = hostile.offer(polls)
        server.fix(latitude: 48 + Double(step) / 1e5)
        most = max(most, server.outboundBytes)
      }
      #expect(most > 16 * 1024 && most <= limits.maxOutbound, "\(most)")
      #expect(try other.call("status.get")["clients"] == 2)
    }
  }

  @Test func `beyond the limit of clients the reason is given in words`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxClientsPerUser = 1
      let server = try LiveServer(limits: limits, principal: Principal(uid: 1001, user: "bob"))
      let first = try server.gpsdClient()
      _ = try Self.report("VERSION", from: first)
      let messages = try server.gpsdClient().untilClosed()
      #expect(messages.count == 1 && messages[0]["class"] == "ERROR")
    }
  }
}
