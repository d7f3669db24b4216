import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import ControlCommands

/// `positionctl watch` in its modes, against a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct WatchModeTests {
  @Test(
    "watch requests its mode with the mode's own parameters",
    arguments: [
      ("--mode passive --auto-pause", ["mode": "passive", "autoPause": true]),
      (
        "--mode significant --significant-distance 1km --significant-interval 10min --acquire 30s,5m",
        [
          "mode": "significant", "significantDistance": 1000, "significantInterval": 600,
          "acquire": ["budget": 30, "desiredAccuracy": 5, "acceptableAccuracy": 100],
        ]
      ),
      (
        "--mode significant --acquire 500ms,5,50",
        ["mode": "significant", "acquire": ["budget": 0.5, "desiredAccuracy": 5, "acceptableAccuracy": 50]]
      ),
      (
        "--mode significant --acquire 20",
        ["mode": "significant", "acquire": ["budget": 20, "desiredAccuracy": 10, "acceptableAccuracy": 100]]
      ),
      (
        "--mode deferred --deferred-distance 5km --deferred-timeout 10min",
        ["mode": "deferred", "deferredDistance": 5000, "deferredTimeout": 600]
      ),
    ] as [(String, JSONValue)])
  func request(options: String, asked: JSONValue) async throws {
    let daemon = try FakeDaemon { _, _ in
      [.result(Samples.subscription), .notify("subscription.ended", ["subscription": 7, "reason": "cancelled"])]
    }
    let words = ["watch"] + options.split(separator: " ").map(String.init)
    #expect(try await CommandRun.of(words, at: daemon.path).code == 0)
    #expect(await daemon.parameters(of: "position.subscribe") == asked)
  }

  @Test("A batch is shown with its reason, its dropped fixes, and a line for each fix")
  func batch() async throws {
    let daemon = try FakeDaemon { _, _ in
      [
        .result(Samples.subscription), .notify("position.update", Samples.batch("distance", dropped: 3)),
        .notify("subscription.ended", ["subscription": 7, "reason": "expired"]),
      ]
    }
    let run = try await CommandRun.of(
      ["watch", "--mode", "deferred", "--deferred-distance", "1km", "-n", "1"], at: daemon.path)
    #expect(run.code == 0)
    let line = "48.137154 N, 11.576124 E ±11 m, 3D, 9 satellites, 545 m, 1.2 m/s, course 271°"
    #expect(
      run.output == """
        -- distance: batch of 2 fixes over 60 s
        -- 3 fixes skipped
        \(line), 60 s ago
        \(line), 0.4 s ago

        """)
  }

  @Test(
    "Each reason has a text",
    arguments: [
      (.paused, "paused: delivery is paused"), (.resumed, "resumed: delivery resumes"),
      (.significantChange, "significantChange: the device has moved; acquiring a better fix"),
      (.acquiring, "acquiring: acquiring a fix"), (.acquired, "acquired: the acquired fix"),
      (.acquisitionFailed, "acquisitionFailed: no fix was accurate enough in time"),
      (.expired, "expired: its duration or its number of updates is reached"),
      (.restored, "restored: fix available"),
      (DeliveryReason(rawValue: "later\u{1b}"), "later\\u{1b}: fix available"),
    ] as [(DeliveryReason, String)])
  func reasons(reason: DeliveryReason, words: String) {
    let update = PositionUpdate(availability: .available, reason: reason)
    #expect(UpdateFormat.lines(update, now: Samples.moment.now).written == ["-- \(words)"])
  }

  @Test("A batch of one fix has no duration")
  func shortBatch() throws {
    var update: PositionUpdateNotification = try Samples.decoded(Samples.batch("flush"))
    update.update.fixes.removeFirst()
    #expect(UpdateFormat.lines(update.update, now: Samples.moment.now).first == "-- flush: batch of 1 fix")
  }
}
