import EventLoop
import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import Broker
@testable import Server

/// The last check: a client gets only what it may know, whatever was decided before.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct GateTests {
  private static let client = ClientID(1)
  private static let denied = SensitivityLimit(
    precision: nil, denial: .denied(what: "ada said no", at: nil, remedy: "ask her"))
  private static let reduced = SensitivityLimit(
    precision: .reduced, denial: .accuracyLimited(what: "reduced is granted", remedy: "ask her"))

  private static func fix(isReduced: Bool = false) -> Fix {
    Fix(latitude: 48, longitude: 11, arrival: Clocks.system.sinceBoot(), isReduced: isReduced)
  }

  private static func last(isReduced: Bool = false) -> Answer {
    .lastFix(LastFix(fix: self.fix(isReduced: isReduced), availability: .available))
  }

  private static func update(isReduced: Bool = false) -> Notification {
    .position(
      SubscriptionID(client: self.client, number: 1),
      PositionUpdate(fix: self.fix(isReduced: isReduced), availability: .available))
  }

  private static func changed(to limit: SensitivityLimit) -> [Action] {
    let state: Authorization.State = limit.precision == nil ? .denied : .always
    return [
      .clear(self.client, limit),
      .notify(
        self.client,
        .authorization(
          Authorization(state: state, precision: limit.precision ?? .precise),
          previous: Authorization(state: .always))),
    ]
  }

  /// Keeps the calls for the newest fix, for the test to answer.
  private static func script(_ record: EventRecord) -> LiveServer.Script {
    record.script { if case .called(_, .lastFix) = $0 { true } else { false } }
  }

  @Test func `before a client's authorization is known it gets answers but no position`() async throws {
    try await onOwnThread {
      let record = EventRecord()
      let server = try LiveServer(sensitivity: .nobody, script: Self.script(record))
      let client = try server.client()
      let id = try client.request("position.last")
      try record.wait(for: 1, in: server)
      server.perform([.notify(Self.client, Self.update()), .answer(record.calls[0], Self.last())])
      let error = try client.next(what: "reply")
      #expect(error["id"] == .integer(id) && error["error"]?["code"] == -32004)
      #expect(error["error"]?["data"]?["remedy"] != nil)
      // An answer without a position passes.
      #expect(try client.call("request.list")["requests"] == [])
      server.perform(Self.changed(to: LiveServer.everything))
      server.notify(Self.client, [Self.update()])
      #expect(try client.next(what: "message")["method"] == "authorization.changed")
      #expect(try client.notification("position.update")["fix"]?["latitude"] == 48)
    }
  }

  @Test(
    "a client receives what its limit allows and no more",
    arguments: [
      (LiveServer.everything, ["precise", "reduced", "heading", "lost"]), (reduced, ["reduced", "lost"]),
      (denied, ["lost"]),
    ])
  func allowed(limit: SensitivityLimit, expected: [String]) async throws {
    try await onOwnThread {
      let record = EventRecord()
      let server = try LiveServer(script: Self.script(record))
      let client = try server.client()
      for _ in 0..<2 { try client.request("position.last") }
      try record.wait(for: 2, in: server)
      let id = SubscriptionID(client: Self.client, number: 1)
      let heading = Heading(trueHeading: 1, source: .sensor, arrival: Clocks.system.sinceBoot())
      server.perform(Self.changed(to: limit))
      server.notify(
        Self.client,
        [
          Self.update(), Self.update(isReduced: true),
          .heading(id, HeadingUpdate(state: .valid, heading: heading)),
          .position(id, PositionUpdate(availability: .denied, state: .suspended, reason: .changed)),
        ])
      server.perform([
        .answer(record.calls[0], Self.last()), .answer(record.calls[1], Self.last(isReduced: true)),
      ])
      let end = try client.request("request.list")
      var words: [String] = []
      var codes: [JSONValue?] = []
      while true {
        let message = try client.next(what: "message")
        if message["id"] == .integer(end) { break }
        if message["id"] != nil {
          codes.append(message["error"]?["code"])
        } else if message["method"] == "heading.update" {
          words.append("heading")
        } else if let fix = message["params"]?["fix"] {
          words.append(fix["reduced"] == true ? "reduced" : "precise")
        } else if message["method"] == "position.update" {
          words.append("lost")
        }
      }
      #expect(words == expected)
      let isRefused = ["precise", "reduced"].map { !expected.contains($0) }
      #expect(codes.map { $0 != nil } == isRefused)
    }
  }

  @Test func `a region that is added counts for its connection, though its state may not be disclosed`() async throws {
    try await onOwnThread {
      let server = try LiveServer(sensitivity: .fixed(Self.denied)) { event in
        if case .called(let call, .addRegion) = event {
          [.answer(call, .region(.inside, warning: nil))]
        } else {
          nil
        }
      }
      let client = try server.client()
      let circle: JSONValue = ["latitude": 48, "longitude": 11, "radius": 100]
      let id = try client.request("region.add", ["id": "home", "circle": circle])
      #expect(try client.reply(to: id)["error"]?["code"] == -32001)
      client.finishSending()
      let other = try server.client()
      _ = try other.call("request.list")
      // It is still connected because of the region, and is closed with it; the event has a position, and is not sent.
      server.notify(
        Self.client, [.region(RegionEvent(id: "home", kind: .expired, state: .inside))])
      #expect(try client.untilClosed().isEmpty)
    }
  }
}
