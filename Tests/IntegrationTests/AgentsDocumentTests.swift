import EventLoop
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// The agents in docs/agents.md are built and run unchanged, with a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct AgentsDocumentTests {
  private static let blocks = FencedBlock.all(in: Documents.text("docs/agents.md"))

  /// The only block in a language.
  private static func code(_ language: String) throws -> String {
    let found = Self.blocks.filter { $0.language == language }
    try #require(found.count == 1, "\(found.count) blocks of \(language)")
    return found[0].text
  }

  /// Sends a prompt to each agent that registers.
  private static func daemon() throws -> FakeDaemon {
    try FakeDaemon { method, _ in
      guard method == "agent.register" else { return [] }
      return [.result(["ok": true]), .ask(1, "agent.authorize", Samples.prompt())]
    }
  }

  /// Runs a shell's line against the daemon until it has answered that, and a second prompt after it.
  ///
  /// - Returns: the program's output, and its decisions.
  private static func run(_ line: String, _ daemon: FakeDaemon) async throws -> (
    output: String, decisions: [JSONValue?]
  ) {
    let isAnswered = Latch()
    let answers = Task {
      let first = await daemon.answer(number: 1)
      daemon.ask(2, "agent.authorize", Samples.prompt("always"))
      let second = await daemon.answer(number: 2)
      isAnswered.open()
      return [first, second].map { $0?["result"]?["decision"] }
    }
    let output = try await withLoop { loop in
      let program = try RunningProgram(
        "/bin/sh", ["-c", line], environment: ["PATH": Documents.path, "POSITIOND_SOCKET": daemon.path], on: loop)
      try program.waitToSay("always")
      isAnswered.wait()
      return program.output
    }
    return (output, await answers.value)
  }

  @Test func `the agent in Python shows prompts, and answers with the typed line`() async throws {
    let daemon = try Self.daemon()
    let folder = try TemporaryFolder()
    let script = folder.file("agent.py")
    try File.write(
      Array(try Self.code("python").replacing(Documents.socket, with: daemon.path).utf8), to: script)
    // Unbuffered, as on a terminal.
    let (output, decisions) = try await Self.run("printf 'yes\\nno\\n' | python3 -u '\(script)'", daemon)
    #expect(decisions == ["allow", "deny"])
    #expect(output.contains("user 1000 process 4242 asks for whenInUse precise"), "\(output)")
    #expect(output.contains(#"it calls itself 'map\x1b[2J' and says 'shows the way'"#), "\(output)")
  }

  @Test func `the agent in Swift is the built example, shows prompts, and answers with the typed line`() async throws {
    #expect(try Self.code("swift") == Documents.text("Examples/Agent/main.swift"))
    let daemon = try Self.daemon()
    let (output, decisions) = try await Self.run(
      "printf 'yes\\nno\\n' | stdbuf -oL '\(Programs.path("Agent"))'", daemon)
    #expect(decisions == ["allow", "deny"])
    #expect(output.contains("process 4242 asks for the position: always, precise"), "\(output)")
    #expect(output.contains(#"it calls itself "map\u{1B}[2J""#), "\(output)")
  }
}
