import JSONRPC
import TestSupport
import Testing

@testable import ControlCommands

/// `positionctl monitor` without a screen.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct LineMonitorTests {
  private static func run(_ line: String, isTerminal: Bool = false) async throws -> (CommandRun, FakeDaemon) {
    let daemon = try FakeDaemon { method, _ in
      guard method == "status.subscribe" else { return [.result(Samples.subscription.with(["subscription": 8]))] }
      return [
        .result(Samples.subscription), .notify("status.update", Samples.statusUpdate()),
        .notify("status.update", Samples.statusUpdate(["changed": ["clients"], "clients": 4])),
        .notify("status.update", Samples.statusUpdate(["changed": ["demand"], "demand": nil])),
        .notify("subscription.ended", ["subscription": 7, "reason": "cancelled"]),
      ]
    }
    var setting = CommandRun.Setting()
    setting.isOutputTerminal = isTerminal
    return (try await CommandRun.of(line.split(separator: " ").map(String.init), at: daemon.path, setting), daemon)
  }

  private static let lines = [
    "2026-01-31T12:00:00.000Z the receiver is on: gpsd decides whether it sleeps (rung=watch)",
    "2026-01-31T12:00:00.000Z gpsd reads /dev/ttyACM0",
    "2026-01-31T12:00:00.000Z fix available", "2026-01-31T12:00:00.000Z gpsd: streaming",
    "2026-01-31T12:00:00.000Z ada \"map\\u{1b}[2J\" needs position.subscribe, ±5.0 m every 1.0 s",
    "2026-01-31T12:00:00.000Z uid 1001 needs position.get, ±100 m every 10 s",
    "2026-01-31T12:00:00.000Z ada \"map\\u{1b}[2J\" needs no position.subscribe any more",
    "2026-01-31T12:00:00.000Z uid 1001 needs no position.get any more",
  ]

  @Test("Into a pipe there is a line for each change, and none for what shows nothing new")
  func pipe() async throws {
    let (run, _) = try await Self.run("monitor")
    #expect(run.output.split(separator: "\n").map(String.init) == Self.lines)
    #expect(run.errors.contains("positiond ended it: cancelled"))
  }

  @Test("--count ends it after so many lines")
  func count() async throws {
    let (run, _) = try await Self.run("monitor -n 3")
    #expect(run.output.split(separator: "\n").map(String.init) == Array(Self.lines.prefix(3)))
    #expect(run.code == 0)
  }

  @Test("--json prints each notification as on the wire")
  func json() async throws {
    let (run, _) = try await Self.run("monitor --json -n 2")
    let updates = try run.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(updates.map { $0["changed"] } == [Samples.statusUpdate()["changed"], ["clients"]])
    #expect(updates.last?["clients"] == 4)
  }

  @Test("It keeps the receiver on only with --on")
  func on() async throws {
    let (_, observer) = try await Self.run("monitor")
    #expect(observer.methods.contains("status.subscribe") && !observer.methods.contains("position.subscribe"))
    let (_, keeper) = try await Self.run("monitor --on")
    #expect(await keeper.parameters(of: "position.subscribe") == ["integrity": "any"])
  }
}
