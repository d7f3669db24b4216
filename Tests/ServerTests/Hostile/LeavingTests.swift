import Broker
import JSONRPC
import Server
import Synchronization
import TestSupport
import Testing

/// Clients that leave at the worst moment, in every way.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct LeavingTests {
  private static let ask = #"{"jsonrpc":"2.0","id":1,"method":"status.get"}"# + "\n"

  /// Waits until the server has only this client.
  private static func waitUntilAlone(_ client: LineClient) throws -> JSONValue {
    let deadline = monotonicSeconds() + TestDeadline.seconds
    while true {
      let status = try client.call("status.get")
      if status["clients"] == 1 { return status }
      guard monotonicSeconds() < deadline else { throw TimedOut("clients are still there: \(status)") }
    }
  }

  @Test(
    "a client that reads nothing more is closed, and others are unaffected",
    arguments: [
      "status.get", "position.subscribe", "rpc.discover", "unheard.of",
    ])
  func takesNothing(method: String) async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let other = try server.client()
      _ = try other.call("status.get")
      let client = try server.client()
      client.refuseReceiving()
      try client.request(method)
      #expect(try Self.waitUntilAlone(other)["subscriptions"] == 0)
    }
  }

  @Test func `a subscriber that reads nothing more is closed with the next fix`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let (first, other) = (try server.client(), try server.client())
      var subscribers = [first]
      for _ in 0..<8 { subscribers.append(try server.client()) }
      for client in subscribers { _ = try client.call("position.subscribe", ["minInterval": 0]) }
      _ = try other.call("position.subscribe", ["minInterval": 0])
      for client in subscribers { client.refuseReceiving() }
      server.fix(latitude: 48)
      let status = try Self.waitUntilAlone(other)
      #expect(status["subscriptions"] == 1)
      let deadline = monotonicSeconds() + TestDeadline.seconds
      while try other.notification("position.update")["fix"] == nil, monotonicSeconds() < deadline {}
    }
  }

  @Test func `ten thousand clients that send a request and leave, leave nothing behind`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let other = try server.client()
      for round in 0..<10000 {
        let client = try server.client()
        switch round % 5 {
        case 0: break
        case 1: _ = client.offer(Array(Self.ask.utf8))
        case 2: _ = client.offer(Array(String(repeating: Self.ask, count: 20).utf8))
        case 3:
          try client.request("position.subscribe", ["minInterval": 0])
          try client.request("position.get")
        case _: _ = client.offer(Array(#"{"jsonrpc":"2.0","id":1,"met"#.utf8))
        }
        if round % 50 == 0 { server.fix(latitude: 48 + Double(round) / 1e6) }
      }
      let status = try Self.waitUntilAlone(other)
      #expect(status["requests"] == 0 && status["subscriptions"] == 0)
      #expect(server.outboundBytes == 0)
    }
  }

  @Test func `a refused client that has left delays no waiting client`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxClientsPerUser = 2
      let server = try LiveServer(limits: limits)
      let inside = try server.client()
      _ = try inside.call("status.get")
      do {
        let second = try server.client()
        _ = try second.call("status.get")
        for _ in 0..<300 { try server.client().refuseReceiving() }
        let refused = try server.client()
        #expect(try refused.untilClosed().map { $0["error"]?["code"] } == [-32007])
      }
      _ = try Self.waitUntilAlone(inside)
      _ = try server.client().call("status.get")
      // A pause in accepting is logged.
      let log = server.log.lines.withLock { $0 }
      #expect(log.count <= 2 && !log.contains { $0.contains("could not be accepted") }, "\(log)")
    }
  }

  @Test func `a closing client that reads nothing is cut off`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxFrame = 4096
      limits.maxOutbound = 1 << 20
      limits.drainTime = .milliseconds(100)
      let server = try LiveServer(limits: limits)
      let (client, watcher) = (try server.client(), try server.client())
      for _ in 0..<5 { try client.request("rpc.discover") }
      _ = client.offer(Array(repeating: 32, count: 5000))
      while try watcher.call("status.get")["clients"] != 1 {}
      // The loop's timers may be late by a second, to share wake-ups.
      let deadline = monotonicSeconds() + TestDeadline.seconds
      while server.outboundBytes > 0, monotonicSeconds() < deadline {}
      #expect(server.outboundBytes == 0)

    }
  }

  @Test func `a closing client that does not read counts until it is gone`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxClientsPerUser = 3
      limits.maxFrame = 4096
      limits.maxOutbound = 1 << 20
      let server = try LiveServer(limits: limits)
      let watcher = try server.client()
      var closing: [LineClient] = []
      for _ in 0..<2 {
        let client = try server.client()
        closing.append(client)
        // More than the kernel's buffers hold, never read; then a frame that closes the connection.
        for _ in 0..<5 { try client.request("rpc.discover") }
        _ = client.offer(Array(repeating: 32, count: 5000))
      }
      let deadline = monotonicSeconds() + TestDeadline.seconds
      while try watcher.call("status.get")["clients"] != 1, monotonicSeconds() < deadline {}
      let refused = try server.client()
      #expect(try refused.untilClosed().first?["error"]?["data"]?["limit"] == "max-clients-per-user")
      // They are cut off in the end, and make room.
      closing = []
      _ = try Self.waitUntilAlone(watcher)
      _ = try server.client().call("status.get")
    }
  }
}
