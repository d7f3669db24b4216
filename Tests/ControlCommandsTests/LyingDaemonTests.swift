import EventLoop
import Glibc
import JSONRPC
import PositionProtocol
import TestSupport
import Testing

@testable import ControlCommands

/// A daemon that sends invalid data: each command ends with a documented exit code, and prints no control characters.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct LyingDaemonTests {
  private static let objects = Dictionary(
    uniqueKeysWithValues: PositionMethods.objects.map { ($0.description.name, $0.description.fields) })

  private static let lines = [
    "get", "last", "status", "status --why", "sky", "sky --watch", "time", "heading", "heading --watch", "watch -n 3",
    "watch --json", "region list", "region watch home --circle 48,11,150m --duration 0.3",
    "region watch --durable tracker -n 2", "durable list", "durable attach tracker --acknowledge -n 3",
    "durable remove tracker", "auth status", "auth request", "auth clients", "auth grants", "agent --no --once",
    "track --overwrite -o FILE.gpx", "track --overwrite -o FILE.geojson", "track --overwrite -o FILE.svg", "doctor",
    "call rpc.discover",
  ]

  private static func daemon(seed: Int, _ manner: Liar.Misbehaviour) throws -> FakeDaemon {
    try FakeDaemon(
      Liar.script(
        seed: UInt64(seed), manner, server: PositionMethods.server, client: PositionMethods.client,
        objects: self.objects
      ) { method, params in
        // Long commands end by themselves, and an agent gets a valid prompt.
        if method == "agent.register" { return [.ask(99, "agent.authorize", Samples.prompt())] }
        var end: [String: JSONValue] = ["reason": "expired"]
        if let name = params["name"] { end["durable"] = name } else { end["subscription"] = 7 }
        return [.notify("subscription.ended", .object(end))]
      })
  }

  @Test("Each command ends with a documented exit code", arguments: Self.lines, Liar.Misbehaviour.allCases)
  func lies(line: String, manner: Liar.Misbehaviour) async throws {
    let folder = try TemporaryFolder()
    let words = line.replacing("FILE", with: folder.file("tour")).split(separator: " ").map(String.init)
    for seed in 0..<6 {
      let daemon = try Self.daemon(seed: seed, manner)
      // After the loss of a daemon with unreadable data, a signal ends it.
      let setting = CommandRun.Setting(
        isOutputTerminal: seed % 2 == 0, environment: ["NO_COLOR": "1", "TERM": "dumb"],
        signalAfterOutput: (SIGTERM, "reconnecting"))
      let run = try await CommandRun.of(words, at: daemon.path, setting)
      #expect(ExitCode(rawValue: run.code) != nil, "\(seed)")
      for text in [run.output, run.errors] {
        let foreign = text.unicodeScalars.first { $0 != "\n" && ($0.value < 0x20 || (0x7F...0x9F).contains($0.value)) }
        #expect(foreign == nil, "\(seed): \(text.debugDescription)")
      }
    }
  }
}
