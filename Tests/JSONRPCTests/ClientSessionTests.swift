import Testing

@testable import JSONRPC

extension ClientSession.Action {
  fileprivate var words: String {
    switch self {
    case .answered(let id, .success(let result)): "answered \(id) \(result)"
    case .answered(let id, .failure(let error)): "failed \(id) \(error.code.rawValue)"
    case .notified(let notification): "notified \(notification)"
    case .asked(let id, let request): "asked \(id) \(request)"
    case .refused(let error): "refused \(error.code.rawValue)"
    case .send(let bytes): "send \(String(bytes))"
    case .failed(let reason): "failed: \(reason)"
    }
  }
}

@Suite("The client's side of a connection")
struct ClientSessionTests {
  private func session() -> ClientSession {
    ClientSession(registry: MethodRegistry(notifications: [Poke.self]), maximumFrame: 1000)
  }

  @Test("numbers its requests and finds the request of an answer")
  func requests() throws {
    var session = self.session()
    let echo = try session.request(Echo(text: "a"))
    #expect(echo.id == 1)
    #expect(String(echo.bytes) == #"{"id":1,"jsonrpc":"2.0","method":"test.echo","params":{"text":"a"}}"# + "\n")
    let wait = try session.request(Wait())
    #expect(String(wait.bytes) == #"{"id":2,"jsonrpc":"2.0","method":"test.wait","params":{}}"# + "\n")
    let raw = try session.request(method: "x.y", params: ["z": 1])
    #expect(String(raw.bytes) == #"{"id":3,"jsonrpc":"2.0","method":"x.y","params":{"z":1}}"# + "\n")
    #expect(session.pending.count == 3)
    let answers = """
      {"id":3,"jsonrpc":"2.0","result":[true]}
      {"id":1,"jsonrpc":"2.0","result":"a"}
      {"jsonrpc":"2.0","id":2,"error":{"code":-32800,"message":"cancelled"}}
      {"id":2,"jsonrpc":"2.0","result":null}

      """
    let actions = session.received(answers.bytes)
    #expect(
      actions.map(\.words) == [
        "answered 3 array([JSONRPC.JSONValue.boolean(true)])", "answered 1 a", "failed 2 -32800",
      ])
    guard case .answered(_, .success(let result)) = actions[1] else { Issue.record("no answer"); return }
    #expect(result as? Echo.Result == "a")
    #expect(session.pending.count == 0)
  }

  @Test(
    "returns unexpected messages",
    arguments: [
      (
        #"{"jsonrpc":"2.0","method":"test.poke","params":{"times":2,"later":1}}"#, ["notified Poke(times: Optional(2))"]
      ),
      (#"{"jsonrpc":"2.0","method":"later.update","params":{}}"#, []),
      (#"{"jsonrpc":"2.0","id":null,"error":{"code":-32007,"message":"full"}}"#, ["refused -32007"]),
      (#"{"id":9,"jsonrpc":"2.0","result":1}"#, []),
      (#"{"id":null,"jsonrpc":"2.0","result":1}"#, ["refused -32603"]),
      (
        "garbage", ["failed: Parse error at line 1, column 1: expected a value"]
      ),
      ("{}", [#"failed: Invalid request: jsonrpc must be "2.0""#]),
      (
        #"{"id":"q","jsonrpc":"2.0","method":"agent.ask"}"#,
        [
          #"send {"error":{"code":-32601,"data":{"method":"agent.ask"},"message":"Method not found: \"agent.ask\""},"#
            + #""id":"q","jsonrpc":"2.0"}"# + "\n"
        ]
      ),
    ])
  func unasked(text: String, actions: [String]) {
    var session = self.session()
    #expect(session.received("\(text)\n".bytes).map(\.words) == actions)
  }

  // MARK: Requests of the server

  private func asked() -> ClientSession { ClientSession(registry: testRegistry) }

  private static let question = #"{"id":"q","jsonrpc":"2.0","method":"test.echo","params":{"text":"a"}}"# + "\n"

  @Test("hands out the server's requests, and answers each once")
  func question() {
    var session = self.asked()
    #expect(
      session.received(Self.question.bytes).map(\.words) == [
        #"asked "q" Echo(text: "a", times: nil, radius: nil)"#
      ])
    let answer = session.answer("q", .success(said("b")))
    #expect(answer.map { String($0) } == #"{"id":"q","jsonrpc":"2.0","result":"b"}"# + "\n")
    let second = session.answer("q", .success(said("c")))
    #expect(second == nil)
    // Once answered, the id may be used again.
    _ = session.received(Self.question.bytes)
    let failure = session.answer("q", .failure(.requestCancelled))
    #expect(
      failure.map { String($0) }
        == #"{"error":{"code":-32800,"message":"Request cancelled"},"id":"q","jsonrpc":"2.0"}"# + "\n")
  }

  @Test("refuses a second server request of the same id, and leaves the first open")
  func questionTwice() {
    var session = self.asked()
    _ = session.received(Self.question.bytes)
    let actions = session.received(Self.question.bytes)
    #expect(actions.count == 1 && actions[0].words.contains(#"id \"q\" is in use"#), "\(actions.map(\.words))")
    let answer = session.answer("q", .success(said("b")))
    #expect(answer != nil)
  }

  @Test("ignores unknown members of a later server, and refuses unreadable requests")
  func laterQuestion() {
    var session = self.asked()
    let later = #"{"id":1,"jsonrpc":"2.0","method":"test.echo","params":{"text":"a","later":1,"times":"#
    #expect(
      session.received("\(later)2}}\n".bytes).map(\.words) == [
        "asked 1 Echo(text: \"a\", times: Optional(2), radius: nil)"
      ])
    let refused = session.received(#"{"id":2,"jsonrpc":"2.0","method":"test.echo","params":{}}"#.bytes + [10])
    #expect(refused.count == 1 && refused[0].words.contains("-32602"), "\(refused.map(\.words))")
    let answer = session.answer(2, .success(said("b")))
    #expect(answer == nil)
  }

  @Test("has no server request open any more when the connection ends")
  func questionOfTheGone() {
    var session = self.asked()
    _ = session.received(Self.question.bytes)
    _ = session.closed(.shuttingDown)
    let answer = session.answer("q", .success(said("b")))
    #expect(answer == nil)
  }

  @Test("reports errors of the stream")
  func stream() {
    var session = self.session()
    #expect(
      session.received([UInt8](repeating: 32, count: 1001)).map(\.words)
        == ["failed: a message longer than 1000 bytes"])
  }

  @Test("fails open requests when the connection ends, in order and once")
  func closed() throws {
    var session = self.session()
    for _ in 0..<12 { _ = try session.request(Wait()) }
    #expect(session.closed(.shuttingDown).map(\.words) == (1...12).map { "failed \($0) -32010" })
    #expect(session.closed(.shuttingDown).isEmpty)
  }

  @Test("understands the server's side, and is understood", arguments: [1, 3, 1000])
  func bothSides(chunk: Int) throws {
    var client = self.session()
    var server = ServerSession(registry: testRegistry)
    let bytes = try client.request(Echo(text: "é/\"\\\n", times: 2)).bytes
    var answers: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      for action in server.received(bytes[start..<min(start + chunk, bytes.count)]) {
        guard case .handle(let serial, let request) = action, let echo = request as? Echo else { continue }
        for case .send(let bytes) in server.answer(serial, .success(said(.string(echo.text)))) { answers += bytes }
      }
    }
    #expect(answers.count { $0 == 10 } == 1)
    #expect(client.received(answers).map(\.words) == ["answered 1 é/\"\\\n"])
  }
}
