import JSONRPC
import Positioning
import Synchronization
import TestSupport
import Testing

@testable import Broker
@testable import Server

/// A client that gets prompts, and the effects of its answers.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct AgentTests {
  private static let agent = ClientID(1)

  private static func prompt(_ number: UInt64 = 1) -> Prompt {
    Prompt(
      id: PromptID(number),
      question: PermissionPrompt(
        principal: Principal(
          uid: 1000, gid: 1000, pid: 42, user: "ada", unit: .named("tracker.service"), name: "tracker",
          purpose: "Logs the way"), expiresIn: .seconds(60)))
  }

  private static func script(_ record: EventRecord) -> LiveServer.Script {
    record.script { if case .promptAnswered = $0 { true } else { false } }
  }

  private static func answer(_ id: String, _ result: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
  }

  private static let allow = answer("1", #"{"decision":"allow"}"#)

  @Test func `a prompt is a request of the daemon, with all known facts of the client`() async throws {
    try await onOwnThread {
      let record = EventRecord()
      let server = try LiveServer(script: Self.script(record))
      let agent = try server.client()
      _ = try agent.call("request.list")
      server.perform([.ask(Self.agent, Self.prompt(7))])
      let question = try agent.next(what: "question")
      let pattern = #"""
        {"jsonrpc": "2.0", "id": 1, "method": "agent.authorize", "params": {
          "principal": {"uid": 1000, "user": "ada", "groups": [1000], "pid": 42, "unit": "tracker.service",
            "name": "tracker", "purpose": "Logs the way"},
          "level": "whenInUse", "precision": "precise", "expiresIn": 60}}
        """#
      #expect(try JSONPattern(parsing: pattern).matches(question), "\(question)")
      try agent.send(raw: Self.allow + "\n")
      try record.wait(for: 1, in: server)
      #expect(record.all == [.promptAnswered(PromptID(7), by: Self.agent, PromptAnswer(isAllowed: true))])
    }
  }

  @Test(
    "an answer has its effect, and an invalid one has none",
    arguments: [
      (allow, PromptAnswer(isAllowed: true)),
      (answer("1", #"{"decision":"deny"}"#), PromptAnswer(isAllowed: false)),
      (
        answer("1", #"{"decision":"allow","level":"always","precision":"reduced","remember":false}"#),
        PromptAnswer(isAllowed: true, level: .always, precision: .reduced, isRemembered: false)
      ),
      (
        answer("1", #"{"decision":"allow","level":null,"later":[1],"remember":true}"#), PromptAnswer(isAllowed: true)
      ),
      (answer("1", #"{"decision":"perhaps"}"#), nil),
      (answer("1", #"{"decision":"allow","level":"sometimes"}"#), nil),
      (answer("1", #"{"decision":"allow","remember":1}"#), nil),
      (answer("1", #"{"level":"always"}"#), nil),
      (answer("1", #""allow""#), nil),
      (answer("1", "null"), nil),
      (#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"what?"}}"#, nil),
      (#"{"jsonrpc":"2.0","id":1,"error":null}"#, nil),
    ] as [(String, PromptAnswer?)])
  func answers(text: String, answer: PromptAnswer?) async throws {
    try await onOwnThread {
      let record = EventRecord()
      let server = try LiveServer(script: Self.script(record))
      let agent = try server.client()
      _ = try agent.call("request.list")
      server.perform([.ask(Self.agent, Self.prompt())])
      _ = try agent.next(what: "question")
      // A second answer is ignored.
      try agent.send(raw: "\(text)\n\(Self.allow)\n")
      _ = try agent.call("request.list")
      #expect(record.all == [.promptAnswered(PromptID(1), by: Self.agent, answer)])
    }
  }

  @Test func `answers may be in a batch among requests, and each has its effect`() async throws {
    try await onOwnThread {
      let record = EventRecord()
      let server = try LiveServer(script: Self.script(record))
      let agent = try server.client()
      _ = try agent.call("request.list")
      server.perform([.ask(Self.agent, Self.prompt(1)), .ask(Self.agent, Self.prompt(2))])
      for _ in 0..<2 { _ = try agent.next(what: "question") }
      let request = #"{"jsonrpc":"2.0","id":"r","method":"request.list"}"#
      let deny = Self.answer("2", #"{"decision":"deny"}"#)
      try agent.send(raw: "[\(deny),\(request),\(Self.answer("9", "{}")),\(Self.allow),\(Self.allow)]\n")
      let reply = try agent.next(what: "reply")
      #expect(reply == [["jsonrpc": "2.0", "id": "r", "result": ["requests": []]]])
      // The reply may come before the rest of its batch is processed.
      _ = try agent.call("request.list")
      #expect(
        record.all == [
          .promptAnswered(PromptID(2), by: Self.agent, PromptAnswer(isAllowed: false)),
          .promptAnswered(PromptID(1), by: Self.agent, PromptAnswer(isAllowed: true)),
        ])
    }
  }

  @Test func `a withdrawn prompt is cancelled, and a late answer is ignored`() async throws {
    try await onOwnThread {
      let record = EventRecord()
      let server = try LiveServer(script: Self.script(record))
      let agent = try server.client()
      _ = try agent.call("request.list")
      server.perform([.ask(Self.agent, Self.prompt(5)), .withdraw(Self.agent, PromptID(5))])
      #expect(try agent.next(what: "question")["id"] == 1)
      #expect(try agent.notification("$/cancelRequest") == ["id": 1])
      // Without a prompt, and after a withdrawn one: nothing happens.
      server.perform([.withdraw(Self.agent, PromptID(5)), .withdraw(Self.agent, PromptID(6))])
      for _ in 0..<100 { try agent.send(raw: Self.allow + "\n") }
      _ = try agent.call("request.list")
      let rest = try agent.everything(for: 0.05)
      #expect(record.all.isEmpty && rest.isEmpty)
      let lines = server.log.lines.withLock { $0 }
      #expect(lines.count == 1 && lines[0].contains("answered what it was not asked"), "\(lines)")
    }
  }

  @Test func `answers of an agent without prompts are ignored`() async throws {
    try await onOwnThread {
      let record = EventRecord()
      let server = try LiveServer(script: Self.script(record))
      let client = try server.client()
      for id in ["1", "\"1\"", "null", "[]", "1e9", "-1"] {
        try client.send(raw: Self.answer(id, #"{"decision":"allow"}"#) + "\n")
      }
      #expect(try client.call("request.list")["requests"] == [])
      #expect(record.all.isEmpty)
    }
  }

  @Test func `an agent has 64 prompts, the next is passed on, and an answer makes room`() async throws {
    try await onOwnThread {
      let record = EventRecord()
      let server = try LiveServer(script: Self.script(record))
      let agent = try server.client()
      _ = try agent.call("request.list")
      server.perform((1...65).map { .ask(Self.agent, Self.prompt($0)) })
      try record.wait(for: 1, in: server)
      #expect(record.all == [.promptAnswered(PromptID(65), by: Self.agent, nil)])
      for id in 1...64 { #expect(try agent.next(what: "question")["id"] == .integer(id)) }
      try agent.send(raw: Self.answer("3", #"{"decision":"deny"}"#) + "\n")
      try record.wait(for: 2, in: server)
      server.perform([.withdraw(Self.agent, PromptID(4)), .ask(Self.agent, Self.prompt(66))])
      server.perform([.ask(Self.agent, Self.prompt(67)), .ask(Self.agent, Self.prompt(68))])
      try record.wait(for: 3, in: server)
      #expect(record.all.last == .promptAnswered(PromptID(68), by: Self.agent, nil))
    }
  }

  @Test func `an agent that cannot answer any more has not answered`() async throws {
    try await onOwnThread {
      let record = EventRecord()
      let server = try LiveServer(script: Self.script(record))
      let agent = try server.client()
      // The subscription keeps it connected.
      _ = try agent.call("position.subscribe", ["mode": "passive"])
      server.perform([.ask(Self.agent, Self.prompt(1)), .ask(Self.agent, Self.prompt(2))])
      for _ in 0..<2 { _ = try agent.next(what: "question") }
      agent.finishSending()
      try record.wait(for: 2, in: server)
      server.perform([.ask(Self.agent, Self.prompt(3)), .ask(ClientID(99), Self.prompt(4))])
      try record.wait(for: 3, in: server)
      #expect(record.all == (1...3).map { .promptAnswered(PromptID($0), by: Self.agent, nil) })
    }
  }
}
