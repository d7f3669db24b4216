import Glibc
import JSONRPC
import PositionProtocol
import Positioning
import TestSupport
import Testing

@testable import ControlCommands

/// `positionctl agent` against a fake daemon and a simulated person.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct AgentCommandTests {
  /// A daemon that sends these prompts to its agent, numbered from 1.
  private static func daemon(_ prompts: JSONValue...) throws -> FakeDaemon {
    try FakeDaemon { method, _ in
      guard method == "agent.register" else { return [.result(Samples.authorization("always"))] }
      return [.result(["ok": true])] + prompts.enumerated().map { .ask($0 + 1, "agent.authorize", $1) }
    }
  }

  private static func run(
    _ line: String, _ daemon: FakeDaemon, _ person: Person? = nil
  ) async throws -> CommandRun {
    // When the daemon is gone for good, a signal ends the command.
    let setting = CommandRun.Setting(signalAfterOutput: (SIGTERM, "reconnecting"), terminal: person?.terminal)
    return try await CommandRun.of(line.split(separator: " ").map(String.init), at: daemon.path, setting)
  }

  private static let question = """
    Waiting for prompts; Ctrl-C ends.
    Allow programs run by ada to know where this device is? (asked by "map\\u{1b}[2J")
      user      ada (1000)
      unit      tracker.service
      process   4242
      asks for  the position while connected, precise
      The program's own words, which may be false:
        name    "map\\u{1b}[2J"
        purpose "shows the way"
    yes, no, once or reduced? (2 min left) 
    """

  @Test("A prompt shows the kernel's facts first, then the program's own text, escaped; the typed line is the answer")
  func person() async throws {
    let daemon = try Self.daemon(Samples.prompt())
    let person = try Person()
    async let run = Self.run("agent --once", daemon, person)
    await person.sees("left) ")
    #expect(person.shown == Self.question)
    await person.types("reduced once\n")
    #expect(
      await daemon.answer()?["result"] == [
        "decision": "allow", "level": "whenInUse", "precision": "reduced", "remember": false,
      ])
    let ended = try await run
    #expect(ended.code == 0)
    #expect(
      ended.output
        == "-- allowed while connected, reduced to a few kilometres, this time: ada, process 4242, tracker.service, "
        + "calls itself \"map\\u{1b}[2J\", for \"shows the way\"\n")
    #expect(ended.errors == "")
  }

  @Test("An unclear answer is asked again, and text typed before a prompt is no answer")
  func unclear() async throws {
    let daemon = try Self.daemon(Samples.prompt())
    let person = try Person()
    await person.types("y")
    async let run = Self.run("agent --once", daemon, person)
    await person.sees("(2 min left) ")
    await person.types("perhaps\n")
    await person.sees("\"perhaps\" is not an answer\nyes, no, once or reduced? (")
    await person.types("n\n")
    #expect(await daemon.answer()?["result"] == ["decision": "deny", "remember": true])
    #expect(try await run.output.hasPrefix("-- denied: ada, process 4242"))
  }

  @Test("A withdrawn prompt is reported, and the next one is shown")
  func withdrawn() async throws {
    let daemon = try Self.daemon(Samples.prompt())
    let person = try Person()
    async let run = Self.run("agent --once", daemon, person)
    await person.sees("left) ")
    daemon.notify("$/cancelRequest", ["id": 1])
    await person.sees("-- withdrawn: answered elsewhere, or expired\n")
    daemon.ask(2, "agent.authorize", Samples.prompt("always", "reduced", of: ["uid": 1001, "groups": []]))
    await person.sees("yes (while connected), always, no or once? (")
    #expect(person.shown.contains("Allow programs run by user 1001 to know where this device is?\n"))
    #expect(person.shown.contains("  user      1001, without a name\n  unit      unknown, or not a system service\n"))
    #expect(!person.shown.hasSuffix("which may be false:\n"))
    await person.types("always\n")
    let answer = await daemon.answer(number: 2)
    #expect(answer?["id"] == 2)
    #expect(answer?["result"]?["level"] == "always")
    #expect(try await run.code == 0)
  }

  @Test("Prompts are shown one after the other; one that is withdrawn before its turn is never shown")
  func queue() async throws {
    let others = ["ben", "eve"].map { name -> JSONValue in ["uid": 1001, "user": .string(name), "groups": []] }
    let daemon = try Self.daemon(
      Samples.prompt(), Samples.prompt(of: others[0]), Samples.prompt(of: others[1]))
    let person = try Person()
    async let run = Self.run("agent", daemon, person)
    await person.sees("left) ")
    daemon.notify("$/cancelRequest", ["id": 2])
    // The agent received the withdrawal once this is answered, which follows it.
    daemon.ask(9, "agent.sing", [:])
    #expect(await daemon.answer(number: 2)?["error"]?["code"] == -32601)
    // The second line is no answer to a prompt that was not shown yet.
    await person.types("yes\nyes\n")
    await person.sees("user      eve (1001)")
    #expect(!person.shown.contains("ben"))
    await person.types("no\n")
    #expect(await daemon.answer(number: 4)?["id"] == 3)
    daemon.stop()
    #expect(try await run.code == 143)
  }

  @Test("Without a person --yes and --no answer everything at once", arguments: [true, false])
  func script(isYes: Bool) async throws {
    let daemon = try Self.daemon(Samples.prompt("always"), Samples.prompt())
    async let run = Self.run("agent --json --\(isYes ? "yes" : "no")", daemon)
    let answers = [await daemon.answer(number: 1), await daemon.answer(number: 2)]
    #expect(answers.map { $0?["result"]?["decision"] } == (isYes ? ["allow", "allow"] : ["deny", "deny"]))
    if isYes { #expect(answers[0]?["result"]?["level"] == "always") }
    daemon.stop()
    let ended = try await run
    let lines = try ended.output.split(separator: "\n").map {
      try JSONValue(parsing: Array($0.utf8))
    }
    #expect(lines.count == 2)
    #expect(lines.first?["decision"] == (isYes ? "allow" : "deny"))
    #expect(lines.first?["level"] == (isYes ? "always" : nil))
    #expect(lines.first?["precision"] == (isYes ? "precise" : nil))
    #expect(lines.first?["remember"] == true)
    #expect(lines.first?["principal"] == Samples.asker)
  }

  @Test("--once ends after one answer, when the daemon has read it")
  func once() async throws {
    let prompted: JSONValue = ["level": "whenInUse", "precision": "precise", "expiresIn": 120]
    let daemon = try FakeDaemon { method, _ in
      switch method {
      case "agent.register":
        [.result(["ok": true])] + (1...2).map { .ask($0, "agent.authorize", Samples.prompt()) }
      // A message that it would not receive if it ended with its answer.
      case "authorization.get": [.notify("authorization.prompted", prompted), .result(Samples.authorization("always"))]
      default: []
      }
    }
    let run = try await Self.run("agent --yes --once", daemon)
    #expect(run.code == 0)
    #expect(run.output.split(separator: "\n").count == 1)
    #expect(run.errors.contains("waiting up to 2 min for a person"))
    #expect(
      daemon.methods.prefix(4) == ["session.hello", "agent.register", "(answer)", "authorization.get"])
  }

  @Test("Without a terminal it prints what to do")
  func noTerminal() async throws {
    let daemon = try Self.daemon()
    let run = try await Self.run("agent", daemon)
    #expect(run.code == 64)
    #expect(
      run.errors
        == "positionctl: agent: no terminal to show prompts on; --yes or --no answers without asking\n")
    #expect(daemon.methods == [])
  }

  @Test("If no rule lets the user be an agent the remedy is shown, and it exits 3")
  func refused() async throws {
    let daemon = try FakeDaemon { _, _ in
      [.error(-32002, "Restricted: no rule lets this client answer prompts", data: ["remedy": "agent=yes in a rule"])]
    }
    let person = try Person()
    let run = try await Self.run("agent", daemon, person)
    #expect(run.code == 3)
    #expect(run.errors.hasSuffix("positionctl: what to do: agent=yes in a rule\n"))
    #expect(person.shown == "")
  }

  @Test("docs/agents.md shows the printed prompt")
  func document() throws {
    let prompt = PermissionPrompt(
      principal: Principal(
        uid: 1000, pid: 4242, user: "ada", name: "positionctl", purpose: "the command auth request"))
    let document = try readFile("\(PackageRoot.path)/docs/agents.md")
    let blocks = FencedBlock.all(in: document).map(\.lines)
    let choices = PromptFormat.choices(prompt, left: 120).dropLast()
    #expect(blocks.contains(PromptFormat.lines(prompt) + [String(choices)]))
  }

  // MARK: Answers

  private static func prompt(
    _ level: AuthorizationLevel, _ precision: Precision
  ) -> PermissionPrompt {
    PermissionPrompt(principal: Principal(uid: 1000), level: level, precision: precision)
  }

  @Test(
    "An answer is one or two words, or their first letters",
    arguments: [
      ("y", .whenInUse, "whenInUse precise remember"), ("YES", .always, "whenInUse precise remember"),
      (" a ", .always, "always precise remember"), ("always, once", .always, "always precise once"),
      ("o", .whenInUse, "whenInUse precise once"), ("r", .always, "whenInUse reduced remember"),
      ("a r", .always, "always reduced remember"), ("n", .whenInUse, "no remember"), ("no once", .always, "no once"),
      ("", .whenInUse, "an answer is needed"), ("yes please", .whenInUse, "\"please\" is not an answer"),
      ("y\u{1b}", .whenInUse, "\"y\u{1b}\" is not an answer"), ("no yes", .whenInUse, "no goes with once only"),
      ("a", .whenInUse, "always was not requested"),
    ] as [(String, AuthorizationLevel, String)])
  func reading(line: String, level: AuthorizationLevel, outcome: String) {
    #expect(Self.outcome(line, Self.prompt(level, .precise)) == outcome)
  }

  private static func outcome(_ line: String, _ prompt: PermissionPrompt) -> String {
    do throws(PromptAnswer.Unclear) {
      let answer = try PromptAnswer(reading: line, to: prompt)
      let remember = answer.isRemembered ? "remember" : "once"
      guard let level = answer.level, let precision = answer.precision else { return "no \(remember)" }
      return answer.isAllowed ? "\(level) \(precision) \(remember)" : "no, but \(level) \(precision)"
    } catch {
      return error.reason
    }
  }

  @Test("No answer grants more than was asked for")
  func neverMore() {
    #expect(Self.outcome("yes", Self.prompt(.whenInUse, .reduced)) == "whenInUse reduced remember")
    #expect(Self.outcome("always", Self.prompt(.always, .reduced)) == "always reduced remember")
  }
}
