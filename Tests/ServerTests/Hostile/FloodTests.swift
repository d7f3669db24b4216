import Broker
import JSONRPC
import Server
import TestSupport
import Testing

/// Clients that request more than they read, and the effect on others, which must be unnoticeable.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct FloodTests {
  /// Makes the maximum of subscriptions of one client, without waiting for the replies.
  private static func subscribe(_ client: LineClient, times: Int, _ params: [String: JSONValue]) throws {
    for _ in 0..<times { try client.request("position.subscribe", params) }
  }

  /// The most bytes for a client: its limit, and the message that it is closed.
  private static func allowed(_ limit: Int) -> Int { limit + 1024 }

  @Test func `256 unread subscriptions hold no more than the client's limit`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let (slow, other) = (try server.client(), try server.client())
      try Self.subscribe(slow, times: 256, ["minInterval": 0, "mode": "passive"])
      while try other.call("status.get")["subscriptions"] != 256 {}
      var most = 0
      for step in 0..<200 {
        server.fix(latitude: 48 + Double(step) / 1e5)
        if step % 10 == 0 { most = max(most, server.outboundBytes) }
      }
      #expect(most > 64 * 1024 && most <= Self.allowed(ServerLimits().maxOutbound))
      #expect(try other.call("status.get")["clients"] == 2)
      // Its last update has the number of missed ones.
      _ = try slow.next(what: "count of what was dropped") { $0["params"]?["dropped"] != nil }
      _ = try slow.next(what: "newest fix of the last subscription") {
        $0["params"]?["subscription"] == 256 && $0["params"]?["fix"]?["latitude"] == 48.00199
      }
    }
  }

  @Test func `many slow clients of a user stay within the user's limit, and its quick one misses nothing`() async throws
  {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxOutboundPerUser = 256 * 1024
      let server = try LiveServer(limits: limits)
      let quick = try server.client()
      let slow = try (0..<12).map { _ in try server.client() }
      for client in slow { try Self.subscribe(client, times: 16, ["minInterval": 0, "mode": "passive"]) }
      _ = try quick.call("position.subscribe", ["minInterval": 0])
      while try quick.call("status.get")["subscriptions"] != 193 {}
      var most = 0
      for step in 0..<300 {
        server.fix(latitude: 48 + Double(step) / 1e5)
        var update = try quick.notification("position.update")
        while update["fix"] == nil { update = try quick.notification("position.update") }
        #expect(update["fix"]?["latitude"] == (try JSONValue(parsing: Array("\(48 + Double(step) / 1e5)".utf8))))
        #expect(update["dropped"] == nil)
        most = max(most, server.outboundBytes)
      }
      #expect(most > limits.maxOutboundPerUser / 2 && most <= Self.allowed(limits.maxOutboundPerUser))
    }
  }

  @Test(
    "a flood of requests delays nobody",
    arguments: [
      "status.get", "rpc.discover", "unheard.of", "position.get", "subscription.list",
    ])
  func flood(method: String) async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let other = try server.client()
      let flooders = try (0..<4).map { _ in try server.client() }
      let line = Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#.utf8) + [10]
      let burst = Array(repeating: line, count: 1200).flatMap { $0 }
      var slowest = 0.0
      for _ in 0..<20 {
        for flooder in flooders { _ = flooder.offer(burst) }
        let began = server.cpuSeconds
        _ = try other.call("request.list")
        slowest = max(slowest, server.cpuSeconds - began)
      }
      // The server's time before it answers, on any machine: all 4800 of one round would take it seconds.
      #expect(slowest < 0.7, "\(slowest) s")
      #expect(server.outboundBytes <= 4 * Self.allowed(ServerLimits().maxOutbound))
    }
  }

  @Test func `subscribing and cancelling while fixes arrive costs no client a fix`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let (steady, restless) = (try server.client(), try server.client())
      _ = try steady.call("position.subscribe", ["minInterval": 0])
      var number = 0
      for step in 0..<200 {
        for _ in 0..<5 {
          number += 1
          try restless.request("position.subscribe", ["minInterval": 0, "replay": "any"])
          try restless.request("subscription.cancel", ["subscription": .integer(number)])
        }
        server.fix(latitude: 48 + Double(step) / 1e5)
        _ = try restless.call("request.list")
      }
      var fixes = 0
      while fixes < 200 { fixes += try steady.notification("position.update")["fix"] == nil ? 0 : 1 }
      _ = try restless.call("request.list")
      let status = try steady.call("status.get")
      #expect(status["subscriptions"] == 1)
      #expect(status["demand"]?["clients"]?.elements.count == 1)
    }
  }

  @Test func `a restless client does not flood status subscribers`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let (watcher, restless) = (try server.client(), try server.client())
      _ = try watcher.call("status.subscribe")
      let began = monotonicSeconds()
      for number in 1...1000 {
        try restless.request("position.subscribe")
        try restless.request("subscription.cancel", ["subscription": .integer(number)])
        if number % 20 == 0 { _ = try restless.call("request.list") }
      }
      _ = try restless.call("position.subscribe", ["mode": "passive"])
      // The last state arrives, and at most four a second before it.
      var updates = 0
      while true {
        let status = try watcher.notification("status.update")
        updates += 1
        if status["subscriptions"] == 2, status["demand"] == nil { break }
      }
      #expect(Double(updates) <= 3 + (monotonicSeconds() - began) * 4, "\(updates) updates")
    }
  }

  @Test func `the status shows the deciding need, however many there are`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let (crowd, decisive) = (try server.client(), try server.client())
      for _ in 0..<100 { _ = try crowd.call("position.subscribe", ["minInterval": 3600, "accuracy": "city"]) }
      _ = try decisive.call("session.hello", ["name": "decisive"])
      _ = try decisive.call("position.subscribe", ["accuracy": "room"])
      let demand = try crowd.call("status.get")["demand"]
      #expect(demand?["clients"]?.elements.count == 64)
      #expect(demand?["omitted"] == 37)
      #expect(demand?["clients"]?.elements.first?["principal"]?["name"] == "decisive")
      #expect(demand?["interval"] == 1)
    }
  }
}
