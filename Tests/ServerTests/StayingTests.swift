import Broker
import JSONRPC
import Positioning
import Server
import TestSupport
import Testing

/// What stays after a client has closed its sending side, and what waits for a later client.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct StayingTests {
  private static let circle: JSONValue = ["latitude": 48, "longitude": 11, "radius": 150]

  @Test func `a half-closed client keeps its region until it expires, and is notified of the end`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      let result = try client.call("region.add", ["id": "home", "circle": Self.circle, "expiresIn": 0.3])
      #expect(result["state"] == "unknown")
      client.finishSending()
      let messages = try client.untilClosed()
      #expect(messages.map { $0["params"]?["event"] } == ["expired"])
      #expect(messages.first?["params"]?["id"] == "home")
    }
  }

  @Test func `all that a half-closed client sent is executed`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      for number in 1...20 {
        _ = try client.request(
          "region.add", ["id": .string("\(number)"), "circle": Self.circle, "durable": ["name": "log"]])
      }
      client.finishSending()
      #expect(try client.untilClosed().count == 20)
      guard case .array(let regions)? = try server.client().call("region.list", ["durable": ["name": "log"]])["regions"]
      else {
        Issue.record("no list")
        return
      }
      #expect(regions.map { $0["id"] } == (1...20).map { .string("\($0)") })
    }
  }

  @Test func `a half-closed client receives everything of a turn that ends its last subscription`()
    async throws
  {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      let id = try client.request("position.get", ["timeout": 3600])
      client.finishSending()
      // The request has arrived, and the end was read.
      try server.wait(until: { server.isReceiverOn }, what: "need")
      _ = try server.client().call("status.get")
      let (name, call) = (ClientID(1), CallID(client: ClientID(1), serial: 1))
      server.perform([
        .answer(call, .failed(.cancelled)), .notify(name, .durableOverflow(name: "log", dropped: 3)),
      ])
      let messages = try client.untilClosed()
      #expect(messages.map { $0["id"] } == [.integer(id), nil])
      #expect(messages.last?["params"]?["dropped"] == 3)
    }
  }

  @Test func `a half-closed attached client is notified that its name was removed, and is closed`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let (first, second) = (try server.client(), try server.client())
      _ = try first.call("region.add", ["id": "home", "circle": Self.circle, "durable": ["name": "log"]])
      _ = try first.call("durable.attach", ["name": "log"])
      first.finishSending()
      _ = try second.call("durable.remove", ["name": "log"])
      #expect(try first.untilClosed().map { $0["params"] } == [["durable": "log", "reason": "cancelled"]])
    }
  }

  @Test func `a half-closed client whose region was removed before is closed at once`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      _ = try client.call("region.add", ["id": "home", "circle": Self.circle])
      _ = try client.call("region.remove", ["id": "home"])
      client.finishSending()
      #expect(try client.untilClosed().isEmpty)
    }
  }

  @Test func `a half-closed attached client is notified that another replaced it, and is closed`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let (first, second) = (try server.client(), try server.client())
      _ = try first.call("region.add", ["id": "home", "circle": Self.circle, "durable": ["name": "log"]])
      let attached = try first.call("durable.attach", ["name": "log"])
      #expect(attached["regions"]?.elements.map { $0["id"] } == ["home"] && attached["attached"] == true)
      first.finishSending()
      _ = try second.call("durable.attach", ["name": "log"])
      let messages = try first.untilClosed()
      #expect(messages.map { $0["method"] } == ["subscription.ended"])
      #expect(messages.first?["params"] == ["durable": "log", "reason": "replaced"])
    }
  }

  @Test func `a half-closed client whose permission for its name is withdrawn is notified, and is closed`() async throws
  {
    try await onOwnThread {
      let server = try LiveServer(principal: Principal(uid: 1001, user: "bob"))
      let client = try server.client()
      _ = try client.call("region.add", ["id": "home", "circle": Self.circle, "durable": ["name": "log"]])
      _ = try client.call("durable.attach", ["name": "log"])
      client.finishSending()
      var settings = BrokerSettings.open
      settings.access.fallback = .deny
      server.change(settings)
      #expect(try client.untilClosed().map { $0["method"] } == ["authorization.changed"])
    }
  }

  @Test func `a half-closed client whose name belongs to another user now is notified, and is closed`() async throws {
    try await onOwnThread {
      let server = try LiveServer(principal: Principal(uid: 1001, user: "bob"))
      let client = try server.client()
      _ = try client.call("region.add", ["id": "home", "circle": Self.circle, "durable": ["name": "log"]])
      _ = try client.call("durable.attach", ["name": "log"])
      client.finishSending()
      server.learn([1001: .user("eve", groups: [])])
      #expect(try client.untilClosed().map { $0["params"]?["durable"] } == ["log"])
    }
  }

  @Test func `a durable region keeps no half-closed connection open`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      _ = try client.call("region.add", ["id": "home", "circle": Self.circle, "durable": ["name": "log"]])
      client.finishSending()
      #expect(try client.untilClosed().isEmpty)
      let listed = try server.client().call("region.list", ["durable": ["name": "log"]])["regions"]
      #expect(listed?.elements.count == 1)
    }
  }

  @Test func `an inbox much longer than a client's queue reaches one that reads, whole and in order`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxOutbound = 64 * 1024
      let server = try LiveServer(limits: limits)
      let client = try server.client()
      _ = try client.call(
        "position.subscribe",
        ["mode": "deferred", "deferredDistance": 1, "minInterval": 0, "durable": ["name": "log"]])
      let batches = 600
      var latitude = 48.0
      // A path is proved by two fixes after its first one, farther away than their errors explain.
      for _ in 0..<(3 * batches) {
        latitude += 0.00005
        server.fix(latitude: latitude, eph: 1)
      }
      // The loop has processed all of them.
      #expect(server.outboundBytes == 0)
      let waiting = try client.call("durable.list")["names"]?.elements.first?["waiting"]
      #expect(waiting == .integer(batches))
      // Nothing is read until everything possible has been sent; it cannot be closed for being slow.
      try client.request("durable.attach", ["name": "log"])
      _ = try server.client().call("status.get")
      for event in 1...batches {
        let update = try client.notification("position.update")
        #expect(update["eventId"] == .integer(event) && update["durable"] == "log")
      }
      #expect(try client.call("durable.acknowledge", ["name": "log", "event": .integer(batches)])["waiting"] == 0)
      #expect(server.outboundBytes == 0)
    }
  }

  @Test func `batches of maximum size are sent one by one, so that a client that reads is never too slow`()
    async throws
  {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      _ = try client.call(
        "position.subscribe",
        ["mode": "deferred", "deferredDistance": 1_000_000, "minInterval": 0, "durable": ["name": "log"]])
      var latitude = 48.0
      for _ in 0..<8 {
        for _ in 0..<500 {
          latitude += 0.00001
          server.fix(latitude: latitude)
        }
        #expect(server.outboundBytes == 0)
        _ = try client.call("subscription.flush", ["durable": ["name": "log"]])
      }
      try client.request("durable.attach", ["name": "log"])
      for event in 1...8 {
        let update = try client.notification("position.update")
        #expect(update["eventId"] == .integer(event) && update["fixes"]?.elements.count == 500)
      }
    }
  }
}
