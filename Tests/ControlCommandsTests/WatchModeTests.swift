import Glibc
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

  @Test(
    "Without a fix that is good enough, watch says how many came and the best of them",
    arguments: [
      ([8.25, 4.5, 6], "no fix was better than 1 m: 3 fixes came, the best 4.5 m"),
      ([nil], "no fix was better than 1 m: 1 fix came, of unknown accuracy"),
      ([], "no fix in this time; run \"positionctl doctor\" to find the cause"),
      ([0.5], "no fix in this time; run \"positionctl doctor\" to find the cause"),
    ] as [([Double?], String)])
  func shortfall(accuracies: [Double?], line: String) async throws {
    let daemon = try FakeDaemon { method, params in
      guard method == "position.subscribe" else { return [.result([:])] }
      guard params["mode"] == "passive" else { return [.result(Samples.subscription)] }
      let updates = accuracies.map { FakeDaemon.Step.notify("position.update", Self.update(accuracy: $0)) }
      return [.result(Samples.subscription.with(["subscription": 8]))] + updates
        + [.notify("subscription.ended", ["subscription": 7, "reason": "expired"])]
    }
    let run = try await CommandRun.of(["watch", "--only-better-than", "1m", "--duration", "5"], at: daemon.path)
    #expect(run.code == 2)
    #expect(run.output == "")
    #expect(run.errors == "positionctl: \(line)\n")
  }

  @Test("Fixes that are not good enough are counted for Ctrl-C too")
  func shortfallAtSignal() async throws {
    let daemon = try FakeDaemon { _, params in
      guard params["mode"] == "passive" else { return [.result(Samples.subscription)] }
      return [
        .result(Samples.subscription.with(["subscription": 8])), .notify("position.update", Self.update(accuracy: 3)),
        .close,
      ]
    }
    let setting = CommandRun.Setting(signalAfterOutput: (SIGINT, "reconnecting"))
    let run = try await CommandRun.of(["watch", "--only-better-than", "1m"], at: daemon.path, setting)
    #expect(run.code == 130)
    let line = "positionctl: no fix was better than 1 m: 1 fix came, the best 3 m\n"
    #expect(run.errors.hasSuffix(line), "\(run.errors)")
  }

  /// An update of the passive subscription.
  private static func update(accuracy: Double?) -> JSONValue {
    guard case .object(var fix) = Samples.fix else { return .null }
    fix["horizontalAccuracy"] = accuracy.map { .number($0) }
    return Samples.update(8).with(["fix": .object(fix)])
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
