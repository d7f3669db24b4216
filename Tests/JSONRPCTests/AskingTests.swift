import Testing

@testable import JSONRPC

@Suite("Requests of the server to a client")
struct AskingTests {
  private static func asked(_ count: Int = 1) -> ServerSession {
    var session = ServerSession(registry: testRegistry, maximumFrame: 1000)
    for _ in 0..<count { _ = session.ask(Echo(text: "a")) }
    return session
  }

  private static func answer(_ id: String, _ result: String = #""yes""#) -> String {
    #"{"id":\#(id),"jsonrpc":"2.0","result":\#(result)}"#
  }

  private static let request = #"{"id":1,"jsonrpc":"2.0","method":"test.echo","params":{"text":"a"}}"#

  @Test("are numbered for each connection, from 1")
  func numbers() throws {
    var session = Self.asked(0)
    for number in 1...3 {
      let question = session.ask(Echo(text: "a"))
      let asked = try #require(question)
      #expect(asked.id == .integer(number))
      #expect(
        String(asked.bytes)
          == #"{"id":\#(number),"jsonrpc":"2.0","method":"test.echo","params":{"text":"a"}}"# + "\n")
    }
  }

  @Test("have the client's framing")
  func framing() throws {
    var session = Self.asked(0)
    _ = session.received("Content-Length: \(Self.request.utf8.count)\r\n\r\n\(Self.request)".bytes)
    let question = session.ask(Wait())
    #expect(try String(#require(question).bytes).hasPrefix("Content-Length: "))
  }

  @Test(
    "are answered once, and other answers are ignored",
    arguments: [
      (answer("1"), ["answered 1 yes"]),
      (answer("1") + "\n" + answer("1"), ["answered 1 yes", "unexpected response"]),
      (answer("2") + "\n" + answer("1"), ["unexpected response", "answered 1 yes"]),
      (answer(#""1""#), ["unexpected response"]),
      (answer("0"), ["unexpected response"]),
      (answer("-9223372036854775808"), ["unexpected response"]),
      (answer("null"), ["unexpected response"]),
      (#"{"jsonrpc":"2.0","result":"yes"}"#, ["unexpected response"]),
      (#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}"#, ["unexpected response"]),
      (
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such thing"}}"#,
        ["failed 1 -32601 no such thing"]
      ),
      (
        #"{"jsonrpc":"2.0","id":1,"error":"no"}"#,
        ["failed 1 -32603 Internal error: the response's error cannot be read"]
      ),
      ("[\(answer("1")),\(answer("1"))]", ["answered 1 yes", "unexpected response"]),
    ])
  func answers(stream: String, words: [String]) {
    var session = Self.asked()
    #expect(session.received("\(stream)\n".bytes).map(\.words) == words)
  }

  @Test("fail if the answer has an invalid result")
  func nonsense() {
    var session = Self.asked()
    let words = session.received("\(Self.answer("1", "{}"))\n".bytes).map(\.words)
    #expect(words.count == 1 && words[0].hasPrefix("failed 1 -32603 Internal error: the result cannot be read"))
  }

  @Test("may be answered in a batch, among requests whose replies are unaffected")
  func batch() {
    var session = Self.asked(2)
    let members = [Self.answer("2"), Self.request, Self.answer("7"), Self.answer("1")]
    let actions = session.received("[\(members.joined(separator: ","))]\n".bytes)
    #expect(
      actions.map(\.words) == ["answered 2 yes", "handle 2 test.echo", "unexpected response", "answered 1 yes"])
    #expect(
      session.answer(2, .success(said("a"))).map(\.words) == [
        "send [{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":\"a\"}]\n"
      ])
    #expect(session.received("[\(Self.answer("1"))]\n".bytes).map(\.words) == ["unexpected response"])
  }

  @Test("have ids of their own, whatever ids the client uses")
  func ids() {
    var session = Self.asked()
    #expect(session.received("\(Self.request)\n".bytes).map(\.words) == ["handle 1 test.echo"])
    #expect(session.received("\(Self.answer("1"))\n".bytes).map(\.words) == ["answered 1 yes"])
    #expect(session.pending.count == 1)
  }

  @Test("may be cancelled, and a late answer is ignored")
  func forgotten() {
    var session = Self.asked(2)
    session.forget(1)
    #expect(
      session.received("\(Self.answer("1"))\n\(Self.answer("2"))\n".bytes).map(\.words)
        == ["unexpected response", "answered 2 yes"])
  }

  @Test("fail when the client cannot answer any more, and no further one is sent")
  func halfClosed() {
    var session = Self.asked(3)
    _ = session.received("\(Self.answer("2"))\n\(Self.request)\n".bytes)
    let gone = "-32603 Internal error: the client has shut down its sending side"
    #expect(session.receivedEnd().map(\.words) == ["failed 1 \(gone)", "failed 3 \(gone)"])
    let isMute = Self.isMute(&session)
    #expect(isMute)
    // The client's own requests continue.
    #expect(session.answer(1, .success(said("a"))).map(\.words).last == "close")
    let isClosed = Self.isMute(&session)
    #expect(isClosed)
  }

  private static func isMute(_ session: inout ServerSession) -> Bool { session.ask(Wait()) == nil }
}

@Suite("A reply that may be withheld")
struct ReplyTests {
  private static let refusal = RPCError(code: .denied, message: "no")
  private static let refused = #"{"error":{"code":-32001,"message":"no"},"id":"#

  /// A session with these requests of one batch open, numbered 2, 3, 4 ...
  private static func batch(_ ids: ClosedRange<Int>) -> ServerSession {
    var session = ServerSession(registry: testRegistry)
    let echoes = ids.map { #"{"id":\#($0),"jsonrpc":"2.0","method":"test.echo","params":{"text":"a"}}"# }
    _ = session.received("[\(echoes.joined(separator: ","))]\n".bytes)
    return session
  }

  @Test("has a sensitivity, and becomes the error if that is too high", arguments: [0, 1, 2])
  func single(limit: Int) throws {
    var session = ServerSession(registry: testRegistry)
    _ = session.received((#"{"id":"x","jsonrpc":"2.0","method":"test.wait"}"# + "\n").bytes)
    let action = try #require(session.answer(1, .success(said("here")), sensitivity: 1).first)
    guard case .sendSensitive(var replies) = action else { Issue.record("\(action.words)"); return }
    #expect(replies.sensitivity == 1)
    replies.withhold(above: limit, Self.refusal)
    let text = limit < 1 ? "\(Self.refused)\"x\",\"jsonrpc\":\"2.0\"}" : #"{"id":"x","jsonrpc":"2.0","result":"here"}"#
    #expect(String(replies.encoded()) == "\(text)\n")
    #expect(replies.sensitivity == (limit < 1 ? 0 : 1))
  }

  @Test("is withheld while it waits for others of its batch, each for itself")
  func waiting() {
    var session = Self.batch(1...4)
    #expect(session.answer(2, .success(said("open"))).isEmpty)
    #expect(session.answer(3, .success(said("rough")), sensitivity: 1).isEmpty)
    #expect(session.answer(4, .success(said("here")), sensitivity: 2).isEmpty)
    session.withhold(above: 1, Self.refusal)
    #expect(
      session.answer(5, .success(said("later"))).map(\.words) == [
        #"send 1 [{"id":1,"jsonrpc":"2.0","result":"open"},{"id":2,"jsonrpc":"2.0","result":"rough"},"#
          + Self.refused + #"3,"jsonrpc":"2.0"},{"id":4,"jsonrpc":"2.0","result":"later"}]"# + "\n"
      ])
  }

  @Test("is withheld in a complete batch, each for itself, and once")
  func complete() throws {
    var session = Self.batch(1...3)
    _ = session.answer(2, .success(said("here")), sensitivity: 2)
    _ = session.answer(3, .failure(.shuttingDown))
    let action = try #require(session.answer(4, .success(said("rough")), sensitivity: 1).first)
    guard case .sendSensitive(var replies) = action else { Issue.record("\(action.words)"); return }
    for _ in 0..<2 { replies.withhold(above: 1, Self.refusal) }
    let text = String(replies.encoded())
    #expect(
      text == "[\(Self.refused)1,\"jsonrpc\":\"2.0\"},"
        + #"{"error":{"code":-32010,"message":"The daemon is stopping"},"id":2,"jsonrpc":"2.0"},"#
        + #"{"id":3,"jsonrpc":"2.0","result":"rough"}]"# + "\n")
    #expect(replies.sensitivity == 1)
  }

  @Test("counts in its batch with the size of what replaced it")
  func room() {
    var session = ServerSession(registry: testRegistry, maximumBatchReply: 300)
    let echoes = (1...2).map { #"{"id":\#($0),"jsonrpc":"2.0","method":"test.echo","params":{"text":"a"}}"# }
    _ = session.received("[\(echoes.joined(separator: ","))]\n".bytes)
    _ = session.answer(2, .success(said(.string(String(repeating: "x", count: 280)))), sensitivity: 1)
    session.withhold(above: 0, Self.refusal)
    let words = session.answer(3, .success(said("fits"))).map(\.words)
    #expect(words.count == 1 && words[0].hasSuffix(#"{"id":2,"jsonrpc":"2.0","result":"fits"}]"# + "\n"))
  }
}
