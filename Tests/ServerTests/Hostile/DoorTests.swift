import JSONRPC
import Positioning
import Server
import TestSupport
import Testing

/// Clients at the doors for programs of other protocols, which send anything and leave at any time.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct DoorTests {
  private static let on = "?WATCH={\"enable\":true,\"json\":true};"
  private static let off = "?WATCH={\"enable\":false};"

  private static func waitForNobody(_ other: LineClient, at server: LiveServer) throws {
    while try other.call("status.get")["clients"] != 1 {}
    while try other.call("status.get")["subscriptions"] != 0 {}
    #expect(try other.call("status.get")["demand"] == nil)
    while server.outboundBytes > 0 { _ = try other.call("status.get") }
  }

  private static func waitForVersion(_ client: LineClient) throws {
    while try !client.everything(for: 0.002).contains(where: { $0["class"] == "VERSION" }) {}
  }

  @Test func `a flood of watches that begin and end leaves nothing, and others are served`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let other = try server.client()
      var hostile = [try server.gpsdClient(), try server.gpsdClient()]
      // The greeting; from now on each is the answer to a request, with which all before it were served.
      try Self.waitForVersion(hostile[1])
      let flood = Array(String(repeating: Self.on + Self.off, count: 500).utf8)
      for step in 0..<40 {
        _ = hostile[0].offer(flood)
        // The second reads, so that all of its requests are served.
        try hostile[1].send(raw: String(repeating: Self.on + Self.off, count: 50) + "?VERSION;\n")
        try Self.waitForVersion(hostile[1])
        server.fix(latitude: 48 + Double(step) / 1e5)
        while try other.call("position.last")["fix"] == nil {}
        #expect(server.outboundBytes <= 3 * ServerLimits().maxOutbound)
      }
      // Its last request ended its watch.
      hostile.removeFirst()
      while try other.call("status.get")["clients"] != 2 {}
      while try other.call("status.get")["subscriptions"] != 0 {}
      #expect(try other.call("status.get")["demand"] == nil)
      hostile = []
      try Self.waitForNobody(other, at: server)
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `random clients of the gpsd-compatible socket get lines of gpsd's protocol, and leave nothing`(seed: UInt64)
    async throws
  {
    try await onOwnThread {
      var random = SeededRandom(seed: seed)
      let server = try LiveServer()
      let other = try server.client()
      var clients = try (0..<4).map { _ in try server.gpsdClient() }
      for round in 0..<800 {
        let place = Int.random(in: 0..<clients.count, using: &random)
        _ = clients[place].offer(Self.request(using: &random))
        if round % 7 == 0 { server.fix(latitude: 48 + Double(round) / 1e6) }
        if round % 10 == 0 {
          do {
            for message in try clients[place].everything(for: 0.002) {
              #expect(Self.classes.contains(message["class"] ?? .null), "\(message)")
            }
          } catch is LineClient.EndOfStream {
            // Together its requests were one that is too long.
            clients[place] = try server.gpsdClient()
          }
        }
        if Int.random(in: 0..<40, using: &random) == 0 { clients[place] = try server.gpsdClient() }
      }
      #expect(server.outboundBytes <= 5 * ServerLimits().maxOutbound)
      clients = []
      try Self.waitForNobody(other, at: server)
    }
  }

  private static let classes: [JSONValue] = [
    "VERSION", "DEVICES", "DEVICE", "WATCH", "POLL", "TPV", "SKY", "ATT", "ERROR",
  ]

  private static func request(using random: inout SeededRandom) -> [UInt8] {
    let values = ["true", "false", "1", "-1e999", "null", "\"x\"", "[]", "{}", "{\"enable\":{}}", "\"\\u0000\""]
    let pick = { (choices: [String], random: inout SeededRandom) in
      choices[Int.random(in: 0..<choices.count, using: &random)]
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
    case 1: return Array(String(repeating: " ", count: Int.random(in: 0..<4000, using: &random)).utf8)
    case 2: return Array(String(repeating: "[", count: 500).utf8)
    case 3: return Array(pick([Self.on, Self.off], &random).utf8)
    default:
      let name = pick(["WATCH", "POLL", "DEVICES", "DEVICE", "VERSION", "watch", "?"], &random)
      let key = pick(["enable", "json", "raw", "device", "scaled", "split24", "pps", "path", ""], &random)
      let end = pick([";", "\n", ";\r\n", "", ";;"], &random)
      return Array("?\(name)={\"\(key)\":\(pick(values, &random)),\"enable\":\(pick(values, &random))}\(end)".utf8)
    }
  }

  @Test func `readers of the NMEA socket that send endless lines and leave at any time leave nothing`() async throws {
    try await onOwnThread {
      var random = SeededRandom(seed: 5)
      let server = try LiveServer()
      let other = try server.client()
      var readers = try (0..<4).map { _ in try server.nmeaReader() }
      let line = [UInt8](repeating: UInt8(ascii: "$"), count: 20_000)
      for round in 0..<150 {
        let place = Int.random(in: 0..<readers.count, using: &random)
        _ = readers[place].offer(line)
        server.fix(latitude: 48 + Double(round) / 1e6)
        if Int.random(in: 0..<5, using: &random) == 0 { readers[place] = try server.nmeaReader() }
        if round % 50 == 0 { while try other.call("position.last")["fix"] == nil {} }
      }
      #expect(server.outboundBytes <= 5 * ServerLimits().maxOutbound)
      readers = []
      while try other.call("status.get")["clients"] != 1 {}
      while try other.call("status.get")["subscriptions"] != 0 {}
      // What a reader sent is never answered, and a new one gets the sentences of the next fix.
      let last = try server.nmeaReader()
      while try other.call("status.get")["clients"] != 2 {}
      while try other.call("status.get")["subscriptions"] == 0 {}
      // Near the last one, since a jump would be rejected.
      server.fix(latitude: 48.0002)
      _ = try last.textLine("fix") { $0.hasPrefix("$GNGGA") && $0.contains(",4800.01200,N,") }
      withExtendedLifetime(last) {}
    }
  }
}
