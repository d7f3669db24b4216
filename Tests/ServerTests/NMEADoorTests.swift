import Broker
import EventLoop
import JSONRPC
import Positioning
import ReceiverPorts
import Server
import Synchronization
import TestSupport
import Testing

/// The socket that gives NMEA 0183.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct NMEADoorTests {
  private static func isPosition(_ line: String) -> Bool { line.hasPrefix("$GNGGA") && line.contains(",N,") }

  /// A reader that is subscribed, and was notified that there is no fix yet.
  private static func reader(of server: LiveServer) throws -> LineClient {
    let reader = try server.nmeaReader()
    _ = try reader.textLine("void sentence") { $0.hasPrefix("$GNRMC,,V") }
    return reader
  }

  private static func limit(_ precision: Precision?) -> SensitivityLimit {
    SensitivityLimit(precision: precision, denial: .switchedOff(remedy: ""))
  }

  @Test func `a reader is a need from its first moment to its last, and gets each fix`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let other = try server.client()
      #expect(try other.call("status.get")["demand"] == nil)
      var readers: [LineClient] = try [server.nmeaReader()]
      // Positions, satellites and heading.
      while try other.call("status.get")["subscriptions"] != 3 {}
      #expect(try other.call("status.get")["demand"]?["clients"] != nil)
      server.fix(latitude: 48)
      #expect(try readers[0].textLine("fix", where: Self.isPosition).contains(",4800.00000,N,01100.00000,E,1,"))
      server.fix(latitude: 48.0001)
      #expect(try readers[0].textLine("fix", where: Self.isPosition).contains(",4800.00600,N,"))
      readers = []
      while try other.call("status.get")["subscriptions"] != 0 {}
      #expect(try other.call("status.get")["demand"] == nil)
    }
  }

  @Test func `a loss is void sentences, and the reader stays`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let reader = try Self.reader(of: server)
      server.fix(latitude: 48)
      _ = try reader.textLine("fix", where: Self.isPosition)
      server.report(.source(.gpsdDown(.mute)))
      _ = try reader.textLine("void sentence") { $0.hasPrefix("$GNRMC,,V") }
      server.fix(latitude: 48.0001)
      #expect(try reader.textLine("fix", where: Self.isPosition).contains(",4800.00600,N,"))
    }
  }

  @Test(arguments: [Precision?.none, .reduced])
  func `who may not know the precise position is closed at once, without a byte, and that is logged`(
    precision: Precision?
  ) async throws {
    try await onOwnThread {
      let server = try LiveServer(sensitivity: .fixed(Self.limit(precision)))
      #expect(try server.nmeaReader().untilClosed().isEmpty)
      #expect(server.log.lines.withLock { $0.contains { $0.contains("closed at the NMEA socket") } })
      while try server.client().call("status.get")["subscriptions"] != 0 {}
    }
  }

  @Test func `a withdrawn permission ends the stream`() async throws {
    try await onOwnThread {
      let server = try LiveServer(principal: Principal(uid: 1001, user: "bob"))
      let reader = try Self.reader(of: server)
      server.fix(latitude: 48)
      _ = try reader.textLine("fix", where: Self.isPosition)
      var closed = BrokerSettings()
      closed.access.fallback = .deny
      server.change(closed)
      let other = try server.client()
      while try other.call("status.get")["clients"] != 1 {}
    }
  }

  @Test func `what a reader sends has no effect, and one that ends its sending side reads on`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let reader = try Self.reader(of: server)
      try reader.send(bytes: (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      try reader.send(raw: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status.get\"}\n$GNGGA,0*00\r\n")
      reader.finishSending()
      server.fix(latitude: 48)
      #expect(try reader.textLine("fix", where: Self.isPosition).contains(",4800.00000,N,"))
      #expect(try server.client().call("status.get")["subscriptions"] == 3)
    }
  }

  @Test func `a reader that does not read loses whole old epochs, and gets the newest`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxOutbound = 16 * 1024
      let server = try LiveServer(limits: limits)
      let (reader, other) = (try server.nmeaReader(), try server.client())
      while try other.call("status.get")["subscriptions"] != 3 {}
      var most = 0
      for step in 0..<3000 {
        server.fix(latitude: 48 + Double(step) / 1e5)
        if step % 50 == 0 { most = max(most, server.outboundBytes) }
      }
      _ = try other.call("status.get")
      #expect(most > 4 * 1024 && most <= limits.maxOutbound)
      var (epochs, broken) = (0, 0)
      let newest = try reader.textLine("newest fix") { line in
        // Each line is whole.
        if !line.hasPrefix("$") || line.split(separator: "*").last?.count != 3 { broken += 1 }
        if Self.isPosition(line) { epochs += 1 }
        return line.contains(",4801.79940,N,")
      }
      #expect(newest.hasPrefix("$GNGGA") && broken == 0 && epochs < 3000, "\(epochs) epochs, \(broken) broken")
      #expect(try other.call("status.get")["clients"] == 2)
    }
  }

  @Test func `beyond the limit of clients a reader is closed without a byte`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxClientsPerUser = 2
      let server = try LiveServer(limits: limits, principal: Principal(uid: 1001, user: "bob"))
      let kept = [try Self.reader(of: server), try Self.reader(of: server)]
      #expect(try server.nmeaReader().untilClosed().isEmpty)
      server.fix(latitude: 48)
      for reader in kept { _ = try reader.textLine("fix", where: Self.isPosition) }
    }
  }
}
