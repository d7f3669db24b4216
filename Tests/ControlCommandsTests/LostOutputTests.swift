import EventLoop
import Glibc
import JSONRPC
import TestSupport
import Testing

@testable import ControlCommands

/// What a command says of its output that does not reach the reader.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct LostOutputTests {
  /// Commands that print something, with all their kinds of output.
  private static let lines = [
    "get", "get --json", "get --format geo", "last", "last --json", "status", "status --json", "watch -n 1",
    "watch --json -n 1",
    "sky", "monitor -n 1", "durable list", "region list", "auth status", "call status.get", "completion bash", "--help",
    "get --help", "region --help", "--version",
  ]

  private static let full = OutputLoss.failed(SystemError(code: ENOSPC, call: "write standard output"))

  private static func run(_ line: String, _ loss: OutputLoss) async throws -> CommandRun {
    let daemon = try FakeDaemon { method, _ in
      switch method {
      case "position.get": [.result(Samples.success)]
      case "position.last": [.result(["fix": Samples.fix, "availability": "available"])]
      case "status.get": [.result(Samples.status)]
      case "status.subscribe": [.result(Samples.subscription), .notify("status.update", Samples.statusUpdate())]
      case "durable.list": [.result(["names": [Samples.durable("tracker")]])]
      case "region.list": [.result(["regions": [Samples.watchedRegion("home", "inside")]])]
      case "position.subscribe":
        [
          .result(["subscription": 1, "state": "delivering", "availability": "searching"]),
          .notify(
            "position.update",
            ["subscription": 1, "state": "delivering", "availability": "available", "fix": Samples.fix]),
        ]
      case "authorization.get": [.result(["state": "always", "precision": "precise"])]
      default: [.result([:])]
      }
    }
    var setting = CommandRun.Setting()
    setting.outputBreaksAfter = 0
    setting.outputLoss = loss
    return try await CommandRun.of(line.split(separator: " ").map(String.init), at: daemon.path, setting)
  }

  @Test("Output that is lost is a failure, and standard error says why", arguments: lines)
  func lost(line: String) async throws {
    let run = try await Self.run(line, Self.full)
    #expect(run.code == 1)
    #expect(
      run.errors.hasSuffix("positionctl: cannot write standard output: No space left on device\n"), "\(run.errors)")
  }

  @Test("A reader that has gone has got what it wanted", arguments: lines)
  func unread(line: String) async throws {
    let run = try await Self.run(line, .readerGone)
    #expect(run.code == 0)
    #expect(run.errors == "")
  }

  @Test("An event that was not printed is not acknowledged", arguments: [full, .readerGone])
  func unprinted(loss: OutputLoss) async throws {
    let daemon = try FakeDaemon { method, _ in
      guard method == "durable.attach" else { return [.result(["waiting": 0])] }
      return [
        .result(Samples.durable(lastEvent: 7)),
        .notify("region.event", Samples.regionEvent("home", "enter", "inside", durable: "tracker", eventID: 7)),
      ]
    }
    var setting = CommandRun.Setting()
    setting.outputBreaksAfter = 1  // It prints the name first.
    setting.outputLoss = loss
    let run = try await CommandRun.of(["durable", "attach", "tracker", "--acknowledge"], at: daemon.path, setting)
    #expect(run.code == (loss == .readerGone ? 0 : 1))
    #expect(!daemon.methods.contains("durable.acknowledge"))
  }
}
