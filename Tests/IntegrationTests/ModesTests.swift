import Geodesy
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// The modes of a subscription, with a moving receiver and a real gpsd.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct ModesTests {
  /// A car at 20 m/s.
  private static func fixture() throws -> IntegrationFixture {
    var settings = IntegrationFixture.Settings()
    settings.receiver.route = .circle(
      centre: Coordinate(latitude: 48.137, longitude: 11.575), radius: 1000, speed: 20)
    settings.receiver.period = .milliseconds(200)
    return try IntegrationFixture(settings)
  }

  @Test func `significant changes have their distance and interval, beside a live stream`() async throws {
    try await onOwnThread { try Self.significant() }
  }

  private static func significant() throws {
    let fixture = try Self.fixture()
    var live = try ReceivedUpdates(fixture, ["minInterval": 0])
    var received = try ReceivedUpdates(
      fixture,
      ["mode": "significant", "significantDistance": 60, "significantInterval": 2, "replay": "none", "maxUpdates": 4])
    for change in 1...4 { try received.read(until: "change \(change)") { $0.fix != nil } }
    for (earlier, later) in zip(received.fixes, received.fixes.dropFirst()) {
      #expect(later.arrival - earlier.arrival >= 1.8)
      let way = Geodesy.distance(from: earlier.coordinate, to: later.coordinate)
      #expect(way >= 60)
    }
    let last = received.fixes.last?.arrival ?? .infinity
    try live.read(until: "a fix later than the last change") { ($0.fix?.arrival ?? 0) > last }
    #expect(live.fixes.count > 20)
  }

  @Test func `a change is acquired, paused, resumed and forced, and each step is delivered`() async throws {
    try await onOwnThread { try Self.acquisition() }
  }

  private static func acquisition() throws {
    let fixture = try Self.fixture()
    var received = try ReceivedUpdates(
      fixture,
      [
        "mode": "significant", "significantDistance": 60, "significantInterval": 2, "replay": "none",
        "acquire": ["budget": 5, "desiredAccuracy": 100, "acceptableAccuracy": 200],
      ])
    try received.read(until: "a change that was acquired") { $0.reason == "acquired" }
    try received.read(until: "a change") { $0.reason == "significantChange" }
    try received.read(until: "its fix") { $0.reason == "acquired" && $0.fix != nil }
    #expect(try received.client.call("subscription.pause", ["subscription": 1])["state"] == "paused")
    try received.read(until: "the pause") { $0.reason == "paused" }
    #expect(try received.client.call("subscription.resume", ["subscription": 1])["state"] == "acquiring")
    try received.read(until: "a fix after it") { $0.reason == "acquired" }
    try received.read(until: "the next") { $0.reason == "acquired" }
    #expect(try received.client.call("subscription.acquire", ["subscription": 1])["state"] == "acquiring")
    try received.read(until: "the forced one") { $0.reason == "acquiring" }
    try received.read(until: "its fix") { $0.reason == "acquired" }
  }

  @Test func `a batch is flushed on request, and the last one when the daemon stops`() async throws {
    try await onOwnThread { try Self.batches() }
  }

  private static func batches() throws {
    let fixture = try Self.fixture()
    var live = try ReceivedUpdates(fixture, ["minInterval": 0])
    let client = try fixture.client()
    _ = try client.call(
      "position.subscribe", ["mode": "deferred", "deferredTimeout": 600, "minInterval": 0, "replay": "none"])
    for fix in 1...20 { try live.read(until: "fix \(fix)") { $0.fix != nil } }
    _ = try client.call("subscription.flush", ["subscription": 1])
    for fix in 1...20 { try live.read(until: "fix \(fix) after it") { $0.fix != nil } }
    try fixture.onLoop { $0.stopDaemon() }
    let batches = try client.untilClosed().filter { $0["params"]?["fixes"] != nil }
    #expect(batches.map { $0["params"]?["reason"] } == ["flush", "ended"])
    let counts = batches.map { Self.count($0["params"]?["fixes"]) }
    #expect(counts.allSatisfy { $0 >= 10 }, "\(counts)")
  }

  private static func count(_ fixes: JSONValue?) -> Int {
    if case .array(let fixes)? = fixes { fixes.count } else { 0 }
  }
}
