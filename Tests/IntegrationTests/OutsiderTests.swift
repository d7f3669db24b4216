import EventLoop
import JSONRPC
import TestSupport
import Testing

/// A program in another language, written from docs/protocol.md alone.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct OutsiderTests {
  private static func run(on fixture: IntegrationFixture) async throws -> (exit: Int32?, output: String) {
    try await withLoop { loop in
      let program = try RunningProgram(
        "/usr/bin/env", ["python3", "\(PackageRoot.path)/Tests/IntegrationTests/Programs/outsider.py", fixture.socket],
        environment: fixture.environment, on: loop)
      return (try program.waitForExit(), program.output)
    }
  }

  @Test func `accepts the document if it matches the program`() async throws {
    let fixture = try await onOwnThread { try IntegrationFixture() }
    let (exit, output) = try await Self.run(on: fixture)
    #expect(exit == 0, "\(output)")
    let seen = try JSONValue(parsing: Array(output.utf8))
    #expect(seen["differences"] == [])
    #expect(seen["protocol"] == "1.0")
    #expect(seen["updates"] == 5)
    #expect(seen["batch"] == 3)
    let latitude = try #require(seen["fix"]?["latitude"]?.double)
    #expect(abs(latitude - 48.137) < 0.01)
    #expect(try #require(seen["satellites"]?.double) > 3)
  }

  @Test func `reports differences from the document`() async throws {
    let fixture = try await onOwnThread {
      try IntegrationFixture(IntegrationFixture.Settings(configuration: ["server.max-frame=32KiB"]))
    }
    let (exit, output) = try await Self.run(on: fixture)
    #expect(exit == 1, "\(output)")
    guard case .array(let differences) = try JSONValue(parsing: Array(output.utf8))["differences"] else {
      throw TimedOut("no differences: \(output)")
    }
    #expect(differences.count == 1 && differences[0].text?.hasPrefix("limits.frame is 64 KiB; seen: ") == true)
  }
}
