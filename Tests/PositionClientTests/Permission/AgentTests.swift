import EventLoop
import JSONRPC
import PositionProtocol
import Positioning
import Synchronization
import TestSupport
import Testing

@testable import PositionClient

/// An agent, with a fake daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct AgentTests {
  private static func daemon(at path: String? = nil) throws -> FakeDaemon {
    try FakeDaemon(at: path) { method, _ in
      method == "agent.register" ? [.result(["ok": true])] : [.result(Samples.status)]
    }
  }

  /// Waits until it is cancelled, and reports that.
  private static func waitForCancellation(_ cancelled: AsyncStream<Void>.Continuation? = nil) async {
    let (stream, ending) = AsyncStream.makeStream(of: Void.self)
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      ending.finish()
    }
    cancelled?.yield()
  }

  /// An agent that runs until the test ends it.
  private static func agent(
    _ daemon: FakeDaemon, _ decide: @escaping @Sendable (PermissionPrompt) async throws -> PromptAnswer
  ) async throws -> Task<Void, any Error> {
    let client = try await PositionClient(socket: daemon.path)
    let task = Task { try await client.answerPrompts(decide) }
    _ = await daemon.parameters(of: "agent.register")
    return task
  }

  @Test(
    "The person's answer is the answer",
    arguments: [
      (.allow(), ["decision": "allow", "remember": true]),
      (
        .allow(level: .whenInUse, precision: .reduced, remember: false),
        ["decision": "allow", "level": "whenInUse", "precision": "reduced", "remember": false]
      ),
      (.deny(), ["decision": "deny", "remember": true]),
      (.deny(remember: false), ["decision": "deny", "remember": false]),
    ] as [(PromptAnswer, JSONValue)])
  func answers(decision: PromptAnswer, result: JSONValue) async throws {
    let daemon = try Self.daemon()
    let asked = Mutex<PermissionPrompt?>(nil)
    let agent = try await Self.agent(daemon) { prompt in
      asked.withLock { $0 = prompt }
      return decision
    }
    daemon.ask(3, "agent.authorize", Samples.prompt("always", "reduced", expiresIn: 90))
    #expect(await daemon.answer() == ["jsonrpc": "2.0", "id": 3, "result": result])
    let prompt = try #require(asked.withLock { $0 })
    #expect(prompt.principal.user == "ada" && prompt.principal.pid == 4242)
    #expect(prompt.principal.unit == .named("tracker.service") && prompt.principal.purpose == "shows the way")
    #expect(prompt.level == .always && prompt.precision == .reduced && prompt.expiresIn == .seconds(90))
    agent.cancel()
    await #expect(throws: PositionError.cancelled) { try await agent.outcome }
  }

  @Test("Several prompts are answered concurrently, in the order of the answers")
  func several() async throws {
    let daemon = try Self.daemon()
    let (first, goOn) = AsyncStream.makeStream(of: Void.self)
    let agent = try await Self.agent(daemon) { prompt in
      guard prompt.level == .always else { return .deny() }
      for await _ in first { break }
      return .allow()
    }
    daemon.ask(1, "agent.authorize", Samples.prompt("always"))
    daemon.ask(2, "agent.authorize", Samples.prompt())
    #expect(await daemon.answer(number: 1)?["id"] == 2)
    goOn.yield()
    #expect(await daemon.answer(number: 2)?["id"] == 1)
    agent.cancel()
  }

  @Test("A withdrawn prompt cancels the work on it, and the next one is answered")
  func withdrawn() async throws {
    let daemon = try Self.daemon()
    let (cancelled, cancelling) = AsyncStream.makeStream(of: Void.self)
    let agent = try await Self.agent(daemon) { prompt in
      guard prompt.level == .always else { return .deny() }
      await Self.waitForCancellation(cancelling)
      return .allow()
    }
    daemon.ask(1, "agent.authorize", Samples.prompt("always"))
    daemon.notify("$/cancelRequest", ["id": 1])
    for await _ in cancelled { break }
    let answer = await daemon.answer()
    #expect(answer?["id"] == 1 && answer?["error"]?["code"] == -32800, "\(String(describing: answer))")
    daemon.ask(2, "agent.authorize", Samples.prompt())
    // A late decision was not sent.
    #expect(await daemon.answer(number: 2)?["id"] == 2)
    agent.cancel()
  }

  @Test("A handler that throws answers with an error, and others continue")
  func thrown() async throws {
    struct NoScreen: Error, CustomStringConvertible { let description = "there is no screen" }
    let daemon = try Self.daemon()
    let agent = try await Self.agent(daemon) { prompt in
      guard prompt.level == .always else { return .allow() }
      throw NoScreen()
    }
    daemon.ask(1, "agent.authorize", Samples.prompt("always"))
    let error = await daemon.answer()?["error"]
    #expect(error?["code"] == -32603)
    #expect(error?["message"] == "Internal error: the agent could not ask: there is no screen")
    daemon.ask(2, "agent.authorize", Samples.prompt())
    #expect(await daemon.answer(number: 2)?["result"]?["decision"] == "allow")
    agent.cancel()
  }

  @Test("An agent that ends answers open and later prompts with an error at once")
  func ended() async throws {
    let daemon = try Self.daemon()
    let client = try await PositionClient(socket: daemon.path)
    let (asked, asking) = AsyncStream.makeStream(of: Void.self)
    let agent = Task {
      try await client.answerPrompts { _ in
        asking.yield()
        await Self.waitForCancellation()
        return .allow()
      }
    }
    _ = await daemon.parameters(of: "agent.register")
    daemon.ask(1, "agent.authorize", Samples.prompt())
    for await _ in asked { break }
    agent.cancel()
    await #expect(throws: PositionError.cancelled) { try await agent.outcome }
    #expect(await daemon.answer()?["error"]?["code"] == -32800)
    daemon.ask(2, "agent.authorize", Samples.prompt())
    #expect(await daemon.answer(number: 2)?["error"]?["code"] == -32601)
    #expect(try await client.status().version == "0.1.0")
  }

  @Test("It registers again on each new connection, and prompts of the old one end")
  func reconnection() async throws {
    let daemon = try Self.daemon()
    let (cancelled, cancelling) = AsyncStream.makeStream(of: Void.self)
    let agent = try await Self.agent(daemon) { prompt in
      if prompt.level == .always { await Self.waitForCancellation(cancelling) }
      return .deny()
    }
    daemon.ask(1, "agent.authorize", Samples.prompt("always"))
    daemon.dropClients()
    for await _ in cancelled { break }
    _ = await daemon.parameters(of: "agent.register", number: 2)
    daemon.ask(1, "agent.authorize", Samples.prompt())
    #expect(await daemon.answer()?["result"]?["decision"] == "deny")
    agent.cancel()
  }

  @Test("A program that no rule lets be an agent gets that error")
  func refused() async throws {
    let daemon = try FakeDaemon { _, _ in
      [.error(-32002, "Restricted: no rule lets this client answer prompts", data: ["remedy": "agent=yes"])]
    }
    let client = try await PositionClient(socket: daemon.path)
    await #expect {
      try await client.answerPrompts { _ in .allow() }
    } throws: { error in
      guard case PositionError.notPermitted(let denial)? = error as? PositionError else { return false }
      return denial.reason == .restricted && denial.remedy == "agent=yes"
    }
  }

  @Test("Closing the client ends it without an error")
  func closed() async throws {
    let daemon = try Self.daemon()
    let client = try await PositionClient(socket: daemon.path)
    let agent = Task { try await client.answerPrompts { _ in .deny() } }
    _ = await daemon.parameters(of: "agent.register")
    await client.close()
    try await agent.outcome
  }

  @Test("A program that is no agent refuses prompts, and an agent refuses unknown requests")
  func unknownQuestions() async throws {
    let daemon = try Self.daemon()
    let client = try await PositionClient(socket: daemon.path)
    daemon.ask(1, "agent.authorize", Samples.prompt())
    #expect(await daemon.answer()?["error"]?["code"] == -32601)
    daemon.ask(2, "agent.sing", [:])
    #expect(await daemon.answer(number: 2)?["error"]?["code"] == -32601)
    withExtendedLifetime(client) {}
  }

  @Test("A later daemon's prompt is shown with its known parts, and unknown values as the least")
  func laterDaemon() async throws {
    let daemon = try Self.daemon()
    let asked = Mutex<PermissionPrompt?>(nil)
    let agent = try await Self.agent(daemon) { prompt in
      asked.withLock { $0 = prompt }
      return .allow()
    }
    daemon.ask(1, "agent.authorize", Samples.prompt("onSundays", "hazy").with(["moon": "full"]))
    #expect(await daemon.answer()?["result"]?["decision"] == "allow")
    let prompt = try #require(asked.withLock { $0 })
    #expect(prompt.level == .whenInUse && prompt.precision == .reduced)
    agent.cancel()
  }
}
