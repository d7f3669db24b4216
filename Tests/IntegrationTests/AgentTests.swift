import EventLoop
import JSONRPC
import PositionClient
import Synchronization
import TestSupport
import Testing

/// Prompts to persons by the real daemon, with programs of several users.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
struct AgentTests {
  private static let allow: JSONValue = ["decision": "allow"]
  private static let deny: JSONValue = ["decision": "deny"]

  @Test func `without an agent a program gets the remedy at once`() async throws {
    try await onOwnThread { try Self.unasked() }
  }

  private static func unasked() throws {
    let users = try UndecidedUserFixture()
    let client = try users.client(of: users.ada)
    let authorization = try client.call("authorization.get")
    #expect(authorization["state"] == "notDetermined")
    for method in ["position.get", "position.last", "position.subscribe", "heading.get", "sky.subscribe"] {
      let error = try client.refusal(of: try client.request(method))
      #expect(error["code"] == -32004, "\(method): \(error)")
      #expect(error["data"]?["remedy"]?.text?.hasPrefix("adduser \(users.ada.name ?? "") position") == true)
    }
    // A request for permission is answered as fast, with the present state.
    #expect(try client.call("authorization.request")["state"] == "notDetermined")
  }

  @Test func `an agent answers, and the answer holds for all programs of its user and for no other user`() async throws
  {
    try await onOwnThread { try Self.answered() }
  }

  private static func answered() throws {
    let users = try UndecidedUserFixture()
    let agent = try users.agent(of: users.ada)
    let client = try users.client(of: users.ada)
    _ = try client.call("session.hello", ["name": "map", "purpose": "shows the way"])
    let request = try client.request("position.get", ["timeout": 60])
    let prompt = try agent.prompt()
    let principal = prompt["params"]?["principal"]
    #expect(principal?["uid"] == .integer(Int(users.ada.uid)))
    #expect(principal?["user"] == users.ada.name.map { .string($0) })
    #expect(principal?["name"] == "map" && principal?["purpose"] == "shows the way")
    #expect(prompt["params"]?["level"] == "whenInUse" && prompt["params"]?["precision"] == "precise")
    #expect(try client.notification("authorization.prompted")["level"] == "whenInUse")

    // A request meanwhile waits for the same answer.
    let second = try users.client(of: users.ada)
    let other = try second.request("position.get", ["timeout": 60])
    #expect(try second.notification("authorization.prompted")["level"] == "whenInUse")
    try agent.answer(prompt, Self.allow)
    #expect(try client.notification("authorization.changed")["state"] == "whenInUse")
    for (client, request) in [(client, request), (second, other)] {
      #expect(try client.reply(to: request)["result"]?["status"] == "success")
    }
    #expect(try users.state(of: users.ada) == "whenInUse")

    // Ben is another user, for whom this agent does not answer.
    let ben = try users.client(of: users.ben)
    #expect(try ben.refusal(of: try ben.request("position.get"))["code"] == -32004)
    #expect(throws: TimedOut.self) { try agent.prompt(within: 0.05) }
  }

  @Test func `of two agents the first answer counts; the other's prompt is cancelled`() async throws {
    try await onOwnThread { try Self.twoAgents() }
  }

  private static func twoAgents() throws {
    let users = try UndecidedUserFixture()
    let agents = [try users.agent(of: users.ada), try users.agent()]
    let client = try users.client(of: users.ada)
    let request = try client.request("position.get", ["timeout": 60])
    let prompts = [try agents[0].prompt(), try agents[1].prompt()]
    try agents[1].answer(prompts[1], Self.deny)
    let error = try client.refusal(of: request)
    #expect(error["code"] == -32001 && error["data"]?["decision"]?.text != nil, "\(error)")
    #expect(try agents[0].notification("$/cancelRequest")["id"] == prompts[0]["id"])
    // Too late, and without effect; it stays an agent.
    try agents[0].answer(prompts[0], Self.allow)
    #expect(try agents[0].call("authorization.get")["state"] == "denied")
    #expect(try users.state(of: users.ada) == "denied")
  }

  @Test func `if an agent dies during a prompt, the other one answers, and the call is answered`() async throws {
    try await onOwnThread { try Self.killed() }
  }

  private static func killed() throws {
    let users = try UndecidedUserFixture()
    // Nothing else refers to them, so that a connection ends when it is removed here.
    var agents = [try users.agent(of: users.ada), try users.agent(of: users.ada)]
    let client = try users.client(of: users.ada)
    let request = try client.request("position.get", ["timeout": 60])
    let prompts = [try agents[0].prompt(), try agents[1].prompt()]
    agents.removeFirst()
    try agents[0].answer(prompts[1], ["decision": "deny", "remember": false])
    #expect(try client.refusal(of: request)["code"] == -32001)

    let later = try users.client(of: users.ada)
    let question = try later.request("position.get", ["timeout": 60])
    _ = try agents[0].prompt()
    agents.removeFirst()
    #expect(try later.refusal(of: question)["code"] == -32004)
  }

  @Test(
    arguments: [
      ["decision": "perhaps"], ["decision": "allow", "level": "sometimes"], ["decision": "allow", "precision": 7], [:],
      "allow", [],
    ] as [JSONValue])
  func `an invalid answer denies nothing and grants nothing, and the call is answered`(answer: JSONValue) async throws {
    try await onOwnThread { try Self.nonsense { try $0.answer($1, answer) } }
  }

  @Test func `an agent's error decides nothing, and the call is answered`() async throws {
    try await onOwnThread { try Self.nonsense { try $0.fail($1) } }
  }

  private static func nonsense(_ answer: (LineClient, JSONValue) throws -> Void) throws {
    let users = try UndecidedUserFixture()
    let agent = try users.agent(of: users.ada)
    let client = try users.client(of: users.ada)
    let request = try client.request("position.get", ["timeout": 60])
    try answer(agent, try agent.prompt())
    #expect(try client.refusal(of: request)["code"] == -32004)
    // It stays an agent, and may answer the next one.
    let again = try client.request("position.get", ["timeout": 60])
    try agent.answer(try agent.prompt(), Self.allow)
    #expect(try client.reply(to: again)["result"]?["status"] == "success")
  }

  @Test func `an agent's answer grants no more than was requested`() async throws {
    try await onOwnThread { try Self.lying() }
  }

  private static func lying() throws {
    let users = try UndecidedUserFixture()
    let agent = try users.agent(of: users.ada)
    let client = try users.client(of: users.ada)
    let request = try client.request("authorization.request", ["level": "whenInUse", "precision": "reduced"])
    try agent.answer(try agent.prompt(), ["decision": "allow", "level": "always", "precision": "precise"])
    let authorization = try client.reply(to: request)["result"]
    #expect(authorization?["state"] == "whenInUse" && authorization?["precision"] == "reduced")
    // And grants nothing to others, whoever it names.
    try agent.answer(["id": 77], Self.allow)
    #expect(try users.state(of: users.ben) == "notDetermined")
  }

  @Test func `after a no only force prompts again`() async throws {
    try await onOwnThread { try Self.forced() }
  }

  private static func forced() throws {
    let users = try UndecidedUserFixture()
    let agent = try users.agent(of: users.ada)
    let client = try users.client(of: users.ada)
    let request = try client.request("position.get", ["timeout": 60])
    try agent.answer(try agent.prompt(), Self.deny)
    #expect(try client.refusal(of: request)["code"] == -32001)
    #expect(try client.call("authorization.request")["state"] == "denied")
    #expect(try client.refusal(of: try client.request("position.last"))["code"] == -32001)
    #expect(throws: TimedOut.self) { try agent.prompt(within: 0.05) }
    let forced = try client.request("authorization.request", ["level": "always", "force": true])
    let prompt = try agent.prompt()
    #expect(prompt["params"]?["level"] == "always")
    try agent.answer(prompt, Self.allow)
    #expect(try client.reply(to: forced)["result"]?["state"] == "always")
  }

  @Test func `a person is asked three times in ten minutes, and no more`() async throws {
    try await onOwnThread { try Self.rate() }
  }

  private static func rate() throws {
    let users = try UndecidedUserFixture()
    let agent = try users.agent(of: users.ada)
    for _ in 1...3 {
      let client = try users.client(of: users.ada)
      let request = try client.request("authorization.request", ["force": true])
      try agent.answer(try agent.prompt(), Self.deny)
      #expect(try client.reply(to: request)["result"]?["state"] == "denied")
    }
    let client = try users.client(of: users.ada)
    let error = try client.refusal(of: try client.request("authorization.request", ["force": true]))
    #expect(error["code"] == -32007, "\(error)")
  }

  @Test func `a stored answer survives the daemon, and one for one time does not`() async throws {
    try await onOwnThread { try Self.kept() }
  }

  private static func kept() throws {
    let users = try UndecidedUserFixture()
    let (ada, ben) = (users.ada, users.ben)
    let agent = try users.agent()
    let hers = try users.client(of: ada)
    let request = try hers.request("authorization.request", ["level": "always", "precision": "reduced"])
    try agent.answer(try agent.prompt(), Self.allow)
    #expect(try hers.reply(to: request)["result"]?["state"] == "always")
    let his = try users.client(of: ben)
    let once = try his.request("authorization.request")
    try agent.answer(try agent.prompt(), ["decision": "allow", "remember": false])
    #expect(try his.reply(to: once)["result"]?["state"] == "whenInUse")
    #expect(try users.state(of: ben) == "notDetermined")

    try users.restart()
    #expect(try users.state(of: ada) == "always")
    #expect(try users.state(of: ben) == "notDetermined")
    let grants = try users.administer("admin.grants", [:])["grants"]?.elements ?? []
    #expect(grants.map { $0["uid"] } == [.integer(Int(ada.uid))], "\(grants)")
    #expect(grants.first?["level"] == "always" && grants.first?["precision"] == "reduced")
  }

  @Test func `a revocation suspends a subscription, and a new grant resumes it`() async throws {
    try await onOwnThread { try Self.revoked() }
  }

  private static func revoked() throws {
    let users = try UndecidedUserFixture()
    let user: JSONValue = .string(users.ada.name ?? "")
    _ = try users.administer("admin.grant", ["user": user, "level": "whenInUse"])
    let client = try users.client(of: users.ada)
    _ = try client.call("position.subscribe")
    _ = try client.next(what: "fix") { $0["params"]?["fix"] != nil }

    _ = try users.administer("admin.revoke", ["user": user])
    #expect(try client.notification("authorization.changed")["state"] == "notDetermined")
    let suspended = try client.next(what: "suspension") {
      $0["params"]?["state"] == "suspended"
    }
    #expect(suspended["params"]?["availability"] == "denied" && suspended["params"]?["fix"] == nil)
    // Fixes arrived before, one a second; now none does.
    while client.unreadMessage() != nil {}
    let later = try client.everything(for: 3)
    let place = later.firstIndex { $0["method"] == "authorization.changed" }
    #expect(place == nil && later.allSatisfy { $0["params"]?["fix"] == nil }, "\(later)")

    _ = try users.administer("admin.grant", ["user": user, "level": "whenInUse"])
    #expect(try client.notification("authorization.changed")["state"] == "whenInUse")
    let resumed = try client.next(what: "fix") { $0["params"]?["fix"] != nil }
    #expect(resumed["params"]?["subscription"] == suspended["params"]?["subscription"])
  }

  // MARK: The project's own agents

  @Test func `an agent in Swift answers for another user's program, and again after a kill of the daemon`()
    async throws
  {
    let users = try await onOwnThread { Own(try UndecidedUserFixture()) }
    let asked = Mutex(0)
    let client = try await PositionClient(socket: users.value.fixture.socket)
    let agent = Task {
      try await client.answerPrompts { prompt in
        asked.withLock { $0 += 1 }
        return prompt.principal.uid == users.value.ben.uid ? .allow(remember: false) : .deny()
      }
    }
    for round in 1...2 {
      try await onOwnThread { try Self.untilAsked(users.value) }
      #expect(asked.withLock { $0 } == round)
      if round == 1 { try await onOwnThread { try users.value.restart() } }
    }
    agent.cancel()
    await #expect(throws: PositionError.cancelled) { try await agent.value }
  }

  /// Requests for ben until there is an agent, and the request is granted.
  private static func untilAsked(_ users: UndecidedUserFixture) throws {
    let deadline = monotonicSeconds() + TestDeadline.seconds
    let client = try users.client(of: users.ben)
    while try client.call("authorization.request")["state"] != "whenInUse" {
      guard monotonicSeconds() < deadline else { throw TimedOut("no agent answered") }
    }
  }

  @Test func `positionctl is an agent`() async throws {
    let users = try await onOwnThread { Own(try UndecidedUserFixture()) }
    let output = try await withLoop { loop in
      let fixture = users.value.fixture
      let program = try RunningProgram(
        Programs.path("positionctl"), ["--socket", fixture.socket, "agent", "--yes", "--once"], on: loop)
      try Self.untilAsked(users.value)
      #expect(try program.waitForExit() == 0)
      return program.output
    }
    let name = users.value.ben.name ?? ""
    #expect(output.hasPrefix("-- allowed while connected, precise: \(name), process "), "\(output)")
    #expect(try await onOwnThread { try users.value.state(of: users.value.ben) } == "whenInUse")
  }
}

/// A fixture that one thread at a time uses.
///
/// `@unchecked Sendable`: the test waits for each thread before it starts another; the agent reads only constants.
private final class Own: @unchecked Sendable {
  let value: UndecidedUserFixture

  init(_ value: UndecidedUserFixture) { self.value = value }
}
