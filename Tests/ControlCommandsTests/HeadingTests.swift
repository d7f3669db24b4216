import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import ControlCommands

/// Headings on the command line, against a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct HeadingTests {
  private static let heading: JSONValue = [
    "trueHeading": 0, "magneticHeading": 355.6, "source": "sensor", "arrival": 1000, "age": 0.4,
  ]
  private static let line = "0° true, 356° magnetic (sensor), 0.4 s ago"

  private static func update(_ heading: JSONValue?, state: String = "valid") -> FakeDaemon.Step {
    var params: [String: JSONValue] = ["subscription": 7, "state": .string(state)]
    params["heading"] = heading
    return .notify("heading.update", .object(params))
  }

  private static func run(
    _ line: String, _ script: @escaping FakeDaemon.Script
  ) async throws -> (run: CommandRun, daemon: FakeDaemon) {
    let daemon = try FakeDaemon(script)
    let run = try await CommandRun.of(line.split(separator: " ").map(String.init), at: daemon.path)
    return (run, daemon)
  }

  @Test("heading prints one heading, or exits 2 when none arrived in time")
  func command() async throws {
    let (run, daemon) = try await Self.run("heading --timeout 20") { _, _ in
      [.result(["status": "success", "heading": Self.heading])]
    }
    #expect(run.code == 0)
    #expect(run.output == Self.line + "\n")
    #expect(await daemon.parameters(of: "heading.get") == ["maxAge": 5, "timeout": 20])

    let (none, _) = try await Self.run("heading") { _, _ in [.result(["status": "timedOut"])] }
    #expect(none.code == 2)
    #expect(none.output == "")
    #expect(
      none.errors
        == "positionctl: no heading in time: without a compass the device must move and have a fix\n")

    let (never, _) = try await Self.run("heading") { _, _ in [.error(-32006, "Unavailable: nothing")] }
    #expect(never.code == 1)
    #expect(never.errors == "positionctl: Unavailable: nothing\n")
  }

  @Test("heading --json prints the result as on the wire")
  func json() async throws {
    let (run, _) = try await Self.run("heading --json") { _, _ in
      [.result(["status": "success", "heading": Self.heading])]
    }
    #expect(
      try JSONValue(parsing: Array(run.output.utf8))
        == ["status": "success", "heading": Self.heading])
  }

  @Test("heading --watch prints headings as they arrive, and ends if there can be none")
  func watch() async throws {
    let (run, daemon) = try await Self.run("heading --watch --min-change 5°") { _, _ in
      [
        .result(["subscription": 7, "state": "acquiring", "availability": "searching"]), Self.update(Self.heading),
        Self.update(nil, state: "invalid"), Self.update(nil, state: "unavailable"),
        .notify("subscription.ended", ["subscription": 7, "reason": "unavailable"]),
      ]
    }
    #expect(run.code == 1)
    let words = "no heading now; without a compass the device must move and have a fix"
    #expect(
      run.output.split(separator: "\n") == [
        "-- invalid: \(words)", "\(Self.line)", "-- invalid: \(words)",
        "-- unavailable: the receiver has no compass and reports no course",
      ])
    #expect(run.errors == "positionctl: positiond ended it: unavailable\n")
    #expect(await daemon.parameters(of: "heading.subscribe") == ["minChange": 5, "minInterval": 0])
  }

  @Test("A heading is one line, without unknown values")
  func format() {
    let heading = Heading(magneticHeading: 271.4, source: .sensor, arrival: Samples.moment.now - .seconds(3))
    #expect(HeadingFormat.line(heading, now: Samples.moment.now) == "271° magnetic (sensor), 3.0 s ago")
    let course = Heading(trueHeading: 359.6, accuracy: 4.25, source: .course, arrival: Samples.moment.now)
    #expect(HeadingFormat.line(course, now: Samples.moment.now) == "0° true, ±4.3° (course), 0.0 s ago")
    let update = HeadingUpdate(state: .valid, heading: course, isRepeat: true, dropped: 2)
    #expect(
      HeadingFormat.lines(update, now: Samples.moment.now) == [
        "-- 2 updates skipped", "0° true, ±4.3° (course), 0.0 s ago (repeated)",
      ])
  }
}
