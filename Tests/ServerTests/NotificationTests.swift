import EventLoop
import JSONRPC
import Positioning
import Server
import Synchronization
import TestSupport
import Testing

@testable import Broker

/// The broker's notifications, at the client's end of the socket.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct NotificationTests {
  private static let client = ClientID(1)
  private static let fix = Fix(latitude: 48, longitude: 11, arrival: Clocks.system.sinceBoot())
  private static let visit = Visit(id: 3, latitude: 48, longitude: 11, horizontalAccuracy: 20)
  private static let enter = RegionEvent(
    id: "home", kind: .enter, state: .inside, fix: fix, isInferred: true, probability: 0.912_34)

  private static func update(fixes: [Fix] = [], dropped: Int = 0, reason: DeliveryReason?) -> PositionUpdate {
    PositionUpdate(fixes: fixes, availability: .available, reason: reason, dropped: dropped)
  }

  private static let id = SubscriptionID(client: client, number: 2)

  private static func event(_ content: DurableContent) -> Notification {
    .durable(name: "log", DurableEvent(id: 7, at: self.fix.arrival, content: content))
  }

  @Test func `a notification without valid JSON is dropped with a log message, and later ones arrive`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      _ = try client.call("request.list")
      let log = server.log.count
      var nowhere = Self.enter
      nowhere.probability = .nan
      var endless = Self.fix
      endless.latitude = .infinity
      server.notify(
        Self.client,
        [
          .region(nowhere), .position(Self.id, Self.update(fixes: [endless], reason: .distance)),
          Self.event(.region(nowhere)),
          .region(Self.enter),
        ])
      #expect(try client.notification("region.event")["probability"] == .number(0.912))
      #expect(server.log.count == log + 1)
      #expect(server.log.lines.withLock { $0.last?.contains("a message was dropped: ") } == true)
    }
  }

  @Test func `a result without valid JSON becomes an error, and the client continues`() async throws {
    try await onOwnThread {
      let region = Region(id: "a", shape: .circle(center: Coordinate(latitude: .nan, longitude: 1), radius: 100))
      let server = try LiveServer { event in
        guard case .called(let call, .listRegions) = event else { return nil }
        return [.answer(call, .regions([RegionInfo(region: region, state: .unknown)]))]
      }
      let client = try server.client()
      for _ in 0..<2 {
        let error = try client.reply(to: try client.request("region.list"))["error"]
        #expect(error?["code"] == -32603, "\(String(describing: error))")
      }
      _ = try client.call("request.list")
      #expect(server.log.count == 1)
    }
  }

  private static let fixPattern = #"{"latitude": 48, "longitude": 11, ...}"#

  @Test(
    "a notification agrees with the document",
    arguments: [
      (
        .position(id, update(fixes: [fix, fix], dropped: 3, reason: .distance)), "position.update",
        """
        {"subscription": 2, "state": "delivering", "availability": "available", "reason": "distance", "dropped": 3,
          "fixes": [\(fixPattern), \(fixPattern)]}
        """
      ),
      (
        .region(enter), "region.event",
        """
        {"id": "home", "event": "enter", "state": "inside", "inferred": true, "probability": 0.912, "fix": \(fixPattern)}
        """
      ),
      (
        .region(RegionEvent(id: "home", kind: .expired, state: .unknown)), "region.event",
        #"{"id": "home", "event": "expired", "state": "unknown"}"#
      ),
      (
        .visit(SubscriptionID(client: client, number: 5), visit), "visit.update",
        #"{"subscription": 5, "visit": {"id": 3, "latitude": 48, "longitude": 11, "horizontalAccuracy": 20}}"#
      ),
      (
        event(.position(update(fixes: [fix], reason: .timeout))), "position.update",
        """
        {"durable": "log", "eventId": 7, "state": "delivering", "availability": "available", "reason": "timeout",
          "fixes": [\(fixPattern)]}
        """
      ),
      (
        event(.region(enter)), "region.event",
        """
        {"durable": "log", "eventId": 7, "id": "home", "event": "enter", "state": "inside", "inferred": true,
          "probability": 0.912, "fix": \(fixPattern)}
        """
      ),
      (
        event(.visit(visit)), "visit.update",
        """
        {"durable": "log", "eventId": 7,
          "visit": {"id": 3, "latitude": 48, "longitude": 11, "horizontalAccuracy": 20}}
        """
      ),
      (.durableOverflow(name: "log", dropped: 40), "durable.overflow", #"{"durable": "log", "dropped": 40}"#),
      (.durableEnded(name: "log", .replaced), "subscription.ended", #"{"durable": "log", "reason": "replaced"}"#),
    ] as [(Notification, String, String)])
  func notification(notification: Notification, method: String, pattern: String) async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      _ = try client.call("request.list")
      server.notify(Self.client, [notification])
      let params = try client.notification(method)
      #expect(try JSONPattern(parsing: pattern).matches(params), "\(params)")
    }
  }

  @Test("every reason of an update has its own name", arguments: DeliveryReason.all)
  func reasons(reason: DeliveryReason) async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      _ = try client.call("request.list")
      server.notify(Self.client, [.position(Self.id, Self.update(reason: reason))])
      #expect(try client.notification("position.update")["reason"] == .string(reason.rawValue))
    }
  }

  @Test func `fixes make room for regions, visits, durable events and batches, of which none is lost`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxOutbound = 64 * 1024
      let server = try LiveServer(limits: limits)
      let client = try server.client()
      _ = try client.call("request.list")
      let rounds = 50
      for _ in 0..<rounds {
        // Fixes many times as long as the kernel's buffers and the queue together, with one of each between.
        var fix = Self.update(reason: nil)
        fix.fix = Self.fix
        server.notify(
          Self.client,
          Array(repeating: .position(Self.id, fix), count: 100) + [
            .region(RegionEvent(id: "home", kind: .exit, state: .outside)),
            .visit(SubscriptionID(client: Self.client, number: 5), Self.visit), Self.event(.visit(Self.visit)),
            .durableOverflow(name: "log", dropped: 1),
            .position(Self.id, Self.update(fixes: [Self.fix], reason: .distance)),
          ])
      }
      var received: [String: Int] = [:]
      var dropped = 0
      while received["batch"] != rounds {
        let message = try client.next(what: "batch")
        guard case .string(let method)? = message["method"] else { continue }
        received[message["params"]?["fixes"] == nil ? method : "batch", default: 0] += 1
        if case .integer(let count)? = message["params"]?["dropped"], method == "position.update" { dropped += count }
      }
      #expect(received["region.event"] == rounds && received["durable.overflow"] == rounds)
      #expect(received["visit.update"] == 2 * rounds)
      #expect(dropped > 0 && dropped + (received["position.update"] ?? 0) == 100 * rounds)
    }
  }

  @Test func `the broker is notified when everything was read, and not earlier`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      _ = try client.call("request.list")
      // More than the kernel's buffers hold, and less than the limit, so that some of it waits.
      let batch = Notification.position(
        Self.id, Self.update(fixes: Array(repeating: Self.fix, count: 500), reason: .flush))
      var sent = 0
      while server.outboundBytes == 0 {
        server.notify(Self.client, [batch])
        sent += 1
      }
      let events = server.brokerEvents
      server.reportWhenTaken(Self.client)
      #expect(server.outboundBytes > 0 && server.brokerEvents == events)
      for _ in 0..<sent { _ = try client.notification("position.update") }
      try server.wait(until: { server.brokerEvents == events + 1 }, what: "the word that all was taken")
      #expect(server.outboundBytes == 0)
      // Without waiting messages it is notified too, each time on request.
      server.reportWhenTaken(Self.client)
      try server.wait(until: { server.brokerEvents == events + 2 }, what: "the word that nothing waits")
      server.reportWhenTaken(ClientID(99))
      #expect(server.outboundBytes == 0 && server.brokerEvents == events + 2)
    }
  }
}
