import Geodesy
import JSONRPC
import Positioning
import ReceiverSimulator
import TestSupport
import Testing

/// The modes of a subscription, from a receiver on its way through a real gpsd.
@Suite(.timeLimit(.minutes(5))) struct ModesTests {
  /// A car at 20 m/s.
  private static func stage() throws -> Stage {
    var play = Stage.Play()
    play.receiver.route = .circle(
      centre: Coordinate(latitude: 48.137, longitude: 11.575), radius: 1000, speed: 20)
    play.receiver.period = .milliseconds(200)
    return try Stage(play)
  }

  @Test func `significant changes are far and long enough from each other, beside a live stream`() async throws {
    try await onOwnThread {
      let stage = try Self.stage()
      var live = try Told(stage, ["minInterval": 0])
      var told = try Told(
        stage,
        ["mode": "significant", "significantDistance": 60, "significantInterval": 2, "replay": "none", "maxUpdates": 4])
      try told.read(until: "the fourth change") { _ in told.fixes.count == 4 }
      for (earlier, later) in zip(told.fixes, told.fixes.dropFirst()) {
        #expect(later.arrival - earlier.arrival >= 1.8)
        let way = Geodesy.distance(from: earlier.coordinate, to: later.coordinate)
        #expect(way >= 60)
      }
      try live.read(until: "a fix later than the last change") { ($0.fix?.arrival ?? 0) > told.fixes[3].arrival }
      #expect(live.fixes.count > 20)
    }
  }

  @Test func `a change is acquired, paused, resumed and forced, and each step is told`() async throws {
    try await onOwnThread {
      let stage = try Self.stage()
      var told = try Told(
        stage,
        [
          "mode": "significant", "significantDistance": 60, "significantInterval": 2, "replay": "none",
          "acquire": ["budget": 5, "desiredAccuracy": 100, "acceptableAccuracy": 200],
        ])
      try told.read(until: "a change that was acquired") { $0.reason == "acquired" }
      try told.read(until: "a change") { $0.reason == "significantChange" }
      try told.read(until: "its fix") { $0.reason == "acquired" && $0.fix != nil }
      #expect(try told.client.call("subscription.pause", ["subscription": 1])["state"] == "paused")
      try told.read(until: "the pause") { $0.reason == "paused" }
      #expect(try told.client.call("subscription.resume", ["subscription": 1])["state"] == "acquiring")
      try told.read(until: "a fix after it") { $0.reason == "acquired" }
      try told.read(until: "the next") { $0.reason == "acquired" }
      #expect(try told.client.call("subscription.acquire", ["subscription": 1])["state"] == "acquiring")
      try told.read(until: "the forced one") { $0.reason == "acquiring" }
      try told.read(until: "its fix") { $0.reason == "acquired" }
    }
  }

  @Test func `a batch is flushed when asked, and the last one when the daemon stops`() async throws {
    try await onOwnThread {
      let stage = try Self.stage()
      var live = try Told(stage, ["minInterval": 0])
      let client = try stage.client()
      _ = try client.call(
        "position.subscribe", ["mode": "deferred", "deferredTimeout": 600, "minInterval": 0, "replay": "none"])
      try live.read(until: "20 fixes") { _ in live.fixes.count >= 20 }
      _ = try client.call("subscription.flush", ["subscription": 1])
      let flushed = try client.notification("position.update")
      #expect(flushed["reason"] == "flush")
      try live.read(until: "20 more") { _ in live.fixes.count >= 40 }
      try stage.onLoop { $0.stopDaemon() }
      let batches = try client.untilClosed(within: 30).filter { $0["params"]?["fixes"] != nil }
      #expect(batches.map { $0["params"]?["reason"] } == ["ended"])
      let counts = ([flushed] + batches.compactMap { $0["params"] }).map { Self.count($0["fixes"]) }
      #expect(counts.allSatisfy { $0 >= 10 }, "\(counts)")
    }
  }

  private static func count(_ fixes: JSONValue?) -> Int {
    if case .array(let fixes)? = fixes { fixes.count } else { 0 }
  }
}
