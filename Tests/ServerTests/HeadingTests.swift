import Broker
import EventLoop
import JSONRPC
import Positioning
import ReceiverPorts
import Server
import TestSupport
import Testing

/// Headings from a client's side, with a receiver simulated by the test.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct HeadingTests {
  private static func point(_ server: LiveServer, _ heading: Double) {
    server.report(
      .source(.streaming),
      .attitude(AttitudeReport(device: "/dev/test", heading: heading, arrival: Clocks.system.sinceBoot())))
  }

  @Test func `a request waits for a heading, is listed, and is answered with north like with any other`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      let id = try client.request("heading.get", ["timeout": 20])
      guard case .array(let requests)? = try client.call("request.list")["requests"] else {
        throw TimedOut("no list of requests")
      }
      #expect(requests.map { $0["method"] } == ["heading.get"])
      #expect(requests.map { $0["parameters"] } == [["maxAge": 5, "timeout": 20]])
      #expect(server.isReceiverOn)
      Self.point(server, 0)
      let result = try client.reply(to: id)["result"]
      #expect(result?["status"] == "success")
      #expect(result?["heading"]?["trueHeading"] == 0)
      #expect(result?["heading"]?["source"] == "sensor")
      #expect(result?["heading"]?["magneticHeading"] == nil)
    }
  }

  @Test func `a request for a heading times out, and is cancelled and completed like one for a fix`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      #expect(try client.call("heading.get", ["timeout": 0.05]) == ["status": "timedOut"])
      let cancelled = try client.request("heading.get")
      try client.send(raw: #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(cancelled)}}"# + "\n")
      #expect(try client.reply(to: cancelled)["error"]?["code"] == -32800)
      let completed = try client.request("heading.get")
      #expect(try client.call("request.complete", ["request": .integer(completed)])["outcome"] == "completed")
      #expect(try client.reply(to: completed)["result"] == ["status": "timedOut"])
    }
  }

  @Test func `a subscription delivers changes, and the silence of the receiver`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      #expect(try client.call("heading.subscribe", ["minChange": 2])["state"] == "acquiring")
      for heading in [359.0, 0, 1, 2.5] { Self.point(server, heading) }
      let received = try (1...2).map { _ in try client.notification("heading.update") }
      #expect(received.map { $0["state"] } == ["valid", "valid"])
      #expect(received.map { $0["heading"]?["trueHeading"] } == [359, 1])
      #expect(try client.notification("heading.update") == ["subscription": 1, "state": "invalid"])
      #expect(try client.call("subscription.cancel", ["subscription": 1])["state"] == "ended")
    }
  }

  @Test func `a waiting or subscribing request may not be in a batch`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      try client.send(
        raw: #"[{"jsonrpc":"2.0","id":1,"method":"heading.get"},{"jsonrpc":"2.0","id":2,"method":"heading.subscribe"}]"#
          + "\n")
      guard case .array(let replies) = try client.next(what: "the batch's reply") else {
        throw TimedOut("no batch")
      }
      #expect(replies.count == 2 && replies.allSatisfy { $0["error"]?["code"] == -32600 })
    }
  }

  @Test func `a receiver that has no heading is an error, with its own code`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      _ = try client.call("heading.subscribe")
      let waiting = try client.request("heading.get")
      // The test sets the arrival of reports, so 31 s of them fit into a moment.
      let now = Clocks.system.sinceBoot()
      server.report(.source(.streaming))
      for second in 0...31 {
        var report = PositionReport(
          device: "/dev/test", mode: .threeDimensional, arrival: now - .seconds(31 - second))
        (report.latitude, report.longitude, report.eph) = (48, 11, 10)
        server.report(.position(report))
      }
      #expect(try client.notification("heading.update") == ["subscription": 1, "state": "unavailable"])
      #expect(try client.notification("subscription.ended")["reason"] == "unavailable")
      #expect(try client.reply(to: waiting)["error"]?["code"] == -32006)
      for method in ["heading.get", "heading.subscribe"] {
        let id = try client.request(method)
        #expect(try client.reply(to: id)["error"]?["code"] == -32006)
      }
    }
  }

  @Test func `headings that a slow client did not read are dropped and counted`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxOutbound = 16 * 1024
      let server = try LiveServer(limits: limits)
      let (slow, other) = (try server.client(), try server.client())
      _ = try slow.call("heading.subscribe", ["minChange": 0])
      let count = 4000
      for place in 0..<count {
        Self.point(server, Double(place % 360))
        // So that none is stale when it is judged, however slow the machine is.
        if place.isMultiple(of: 50) { _ = try other.call("status.get") }
      }
      // Its direction distinguishes it from the others.
      Self.point(server, 0.5)
      _ = try other.call("status.get")
      var (received, dropped) = (0, 0)
      while true {
        let update = try slow.notification("heading.update")
        guard let direction = update["heading"]?["trueHeading"] else { continue }
        received += 1
        if case .integer(let passed)? = update["dropped"] { dropped += passed }
        if direction == 0.5 { break }
      }
      #expect(dropped > 0)
      #expect(received + dropped == count + 1)
    }
  }
}
