import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import ControlCommands

/// The commands for durable names, against a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct DurableTests {
  private static func run(
    _ line: String, _ script: @escaping FakeDaemon.Script
  ) async throws -> (run: CommandRun, daemon: FakeDaemon) {
    let daemon = try FakeDaemon(script)
    return (try await CommandRun.of(line.split(separator: " ").map(String.init), at: daemon.path), daemon)
  }

  /// Attaches, sends the waiting events, and acknowledges on request.
  private static let script: FakeDaemon.Script = { method, _ in
    guard method == "durable.attach" else { return [.result(["waiting": 0])] }
    return [
      .result(Samples.durable(waiting: 3, lastEvent: 14)),
      .notify("durable.overflow", ["durable": "tracker", "dropped": 40]),
      .notify("region.event", Samples.regionEvent("home", "enter", "inside", durable: "tracker", eventID: 12)),
      .notify("visit.update", ["durable": "tracker", "eventId": 13, "visit": Samples.endedVisit]),
      .notify("position.update", Samples.batch("timeout", subscription: nil, durable: "tracker", eventID: 14)),
    ]
  }

  @Test("durable list has a line for each name: its registrations, its waiting events, its program")
  func list() async throws {
    let names: [JSONValue] = [
      Samples.durable("idle"),
      [
        "durable": "tracker", "regions": [Samples.watchedRegion("home", "inside")], "omitted": 2, "visits": true,
        "waiting": 1, "lastEvent": 1234, "attached": false, "wake": "tracker.service", "wakeTrouble": "no such unit",
        "position": [
          "mode": "significant", "accuracy": "room", "minInterval": 1, "minDistance": 0, "significantDistance": 500,
          "significantInterval": 300, "integrity": "suspect", "activity": "other", "autoPause": false,
          "replay": "fresh",
        ],
      ],
    ]
    let (run, _) = try await Self.run("durable list") { _, _ in [.result(["names": .array(names)])] }
    #expect(run.code == 0)
    #expect(
      run.output == """
        idle: nothing registered; 0 events waiting; a program is attached
        tracker: 3 regions, significant positions, visits; 1 event waiting, newest #1234; no program is attached; \
        wakes tracker.service, which failed: no such unit

        """)
    let (json, _) = try await Self.run("durable list --json") { _, _ in [.result(["names": .array(names)])] }
    let lines = try json.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(lines == names)
  }

  @Test("durable attach prints the waiting events with their numbers, and acknowledges nothing by itself")
  func attach() async throws {
    let (run, daemon) = try await Self.run("durable attach tracker --since 11 -n 3", Self.script)
    #expect(run.code == 0)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(
      lines.map { $0.prefix(60) } == [
        "-- tracker: nothing registered; 3 events waiting, newest #14",
        "-- 40 events were dropped: too many were waiting",
        "#12 entered \"home\" (97 % sure): 48.137154 N, 11.576124 E ±11",
        "#13 visit 12: left at 2026-01-31T13:30:00.000Z after 90 min,",
        "#14 -- timeout: batch of 2 fixes over 60 s", "  48.137154 N, 11.576124 E ±11 m, 3D, 9 satellites, 545 m, 1",
        "  48.137154 N, 11.576124 E ±11 m, 3D, 9 satellites, 545 m, 1",
      ])
    #expect(await daemon.parameters(of: "durable.attach") == ["name": "tracker", "sinceEvent": 11])
    #expect(!daemon.methods.contains("durable.acknowledge"))
  }

  @Test("durable attach --acknowledge ends once the printed events are acknowledged")
  func acknowledging() async throws {
    let (run, daemon) = try await Self.run("durable attach tracker --acknowledge -n 2 --json", Self.script)
    #expect(run.code == 0)
    #expect(run.output.count { $0 == "\n" } == 3)
    #expect(daemon.methods.count { $0 == "durable.acknowledge" } == 2)
    #expect(await daemon.parameters(of: "durable.acknowledge", number: 2) == ["name": "tracker", "event": 13])

    let (failed, _) = try await Self.run("durable attach tracker --acknowledge -n 1") { method, params in
      method == "durable.acknowledge" ? [.error(-32603, "the disk is full")] : Self.script(method, params)
    }
    #expect(failed.code == 1)
    #expect(failed.errors == "positionctl: the disk is full\n")
  }

  @Test(
    "durable attach ends when the name is removed, and when another program attaches",
    arguments: [
      ("cancelled", "the name was removed"), ("replaced", "another program attached to this name"),
    ])
  func end(reason: String, words: String) async throws {
    let (run, _) = try await Self.run("durable attach tracker") { _, _ in
      [
        .result(Samples.durable()),
        .notify("subscription.ended", ["durable": "tracker", "reason": .string(reason)]),
      ]
    }
    #expect(run.code == 1)
    #expect(run.errors == "positionctl: \(words)\n")
  }

  @Test("durable attach exits 2 when no event occurred in its time")
  func nothing() async throws {
    let (run, _) = try await Self.run("durable attach tracker --duration 0.2") { _, _ in [.result(Samples.durable())] }
    #expect(run.code == 2)
  }

  @Test("durable acknowledge and durable remove print what is left, and what is lost")
  func acknowledgeAndRemove() async throws {
    let (run, daemon) = try await Self.run("durable acknowledge tracker 1234") { _, _ in [.result(["waiting": 2])] }
    #expect(run.code == 0)
    #expect(run.output == "2 events waiting\n")
    #expect(await daemon.parameters(of: "durable.acknowledge") == ["name": "tracker", "event": 1234])
    let (removed, _) = try await Self.run("durable remove tracker") { _, _ in [.result(["waiting": 1])] }
    #expect(removed.output == "removed tracker; 1 waiting event dropped\n")
    let (missing, _) = try await Self.run("durable remove nobody") { _, _ in
      [.error(-32008, "Not found: durable name nobody")]
    }
    #expect(missing.code == 1)
  }
}
