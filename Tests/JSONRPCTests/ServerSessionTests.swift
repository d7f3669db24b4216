import Testing

@testable import JSONRPC

@Suite("The server's side of a connection")
struct ServerSessionTests {
  private static func session() -> ServerSession { ServerSession(registry: testRegistry, maximumFrame: 1000) }

  private static func request(_ id: String, _ method: String, _ params: String = "{}") -> String {
    "{\"id\":\(id),\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":\(params)}"
  }

  private static let wait = request("1", "test.wait")
  private static let poke = #"{"jsonrpc":"2.0","method":"test.poke"}"#

  private static func echo(_ id: String) -> String { self.request(id, "test.echo", #"{"text":"a"}"#) }

  @Test("hands out a request and sends its answer")
  func request() {
    var session = Self.session()
    #expect(session.received("\(Self.wait)\n".bytes).map(\.words) == ["handle 1 test.wait"])
    #expect(session.pending.count == 1)
    #expect(session.serial(of: 1) == 1)
    #expect(session.id(of: 1) == 1)
    #expect(
      session.answer(1, .success(said(["b": 2, "a": 1]))).map(\.words)
        == ["send {\"id\":1,\"jsonrpc\":\"2.0\",\"result\":{\"a\":1,\"b\":2}}\n"])
    #expect(session.pending.count == 0)
    #expect(session.serial(of: 1) == nil)
    #expect(session.id(of: 1) == nil)
  }

  @Test("sends an error with its code and data")
  func error() {
    var session = Self.session()
    _ = session.received("\(Self.request("\"x/y\"", "test.wait"))\n".bytes)
    #expect(
      session.answer(1, .failure(.limitExceeded(limit: "requests", value: 256))).map(\.words) == [
        #"send {"error":{"code":-32007,"data":{"limit":"requests","value":256},"#
          + #""message":"Limit exceeded: requests is 256"},"id":"x/y","jsonrpc":"2.0"}"# + "\n"
      ])
  }

  @Test("answers in the order of the answers, not of the requests")
  func order() {
    var session = Self.session()
    _ = session.received("\(Self.request("\"a\"", "test.wait"))\n\(Self.request("\"b\"", "test.wait"))\n".bytes)
    #expect(
      session.answer(2, .success(said(true))).map(\.words) == [
        "send {\"id\":\"b\",\"jsonrpc\":\"2.0\",\"result\":true}\n"
      ])
    #expect(
      session.answer(1, .success(said(true))).map(\.words) == [
        "send {\"id\":\"a\",\"jsonrpc\":\"2.0\",\"result\":true}\n"
      ])
  }

  @Test("refuses a second open request with the same id, and takes it once the first is answered")
  func sameID() {
    var session = Self.session()
    let twice = session.received("\(Self.wait)\n\(Self.wait)\n".bytes)
    #expect(
      twice.map(\.words) == [
        "handle 1 test.wait",
        #"send {"error":{"code":-32600,"message":"Invalid request: id 1 is in use by a request in flight"},"#
          + #""id":1,"jsonrpc":"2.0"}"# + "\n",
      ])
    _ = session.answer(1, .success(said(true)))
    #expect(session.received("\(Self.wait)\n".bytes).map(\.words) == ["handle 2 test.wait"])
    // The string "1" is another id than the number.
    #expect(session.received("\(Self.request("\"1\"", "test.wait"))\n".bytes).map(\.words) == ["handle 3 test.wait"])
  }

  /// Whether the only message has this id, in exactly these bytes.
  private static func names(_ id: String, in actions: [ServerSession.Action]) -> Bool {
    guard actions.count == 1, case .send(let bytes) = actions[0] else { return false }
    return Array(bytes).firstRange(of: Array("\"id\":\(id),".utf8)) != nil
  }

  @Test(
    "gives an id back as it was written",
    arguments: [
      "7.0", "9007199254740993.0", "9007199254740993", "-9223372036854775808", "1e2", "-0", "0", "\"caf\u{E9}\"",
      "\"cafe\u{301}\"",
    ])
  func asWritten(id: String) {
    var session = Self.session()
    #expect(session.received("\(Self.request(id, "test.wait"))\n".bytes).count == 1)
    #expect(Self.names(id, in: session.answer(1, .success(said(true)))))
  }

  @Test(
    "takes ids that differ in a byte for two, whatever Unicode and arithmetic call equal",
    arguments: [("\"\u{E9}\"", "\"e\u{301}\""), ("\"\u{212A}\"", "\"K\""), ("7", "7.0"), ("7.0", "7.00")])
  func byteByByte(first: String, second: String) {
    var session = Self.session()
    for (serial, id) in zip([1, 2] as [UInt64], [first, second]) {
      #expect(
        session.received("\(Self.request(id, "test.wait"))\n".bytes).map(\.words) == ["handle \(serial) test.wait"])
    }
    for (serial, id) in zip([1, 2] as [UInt64], [first, second]) {
      #expect(Self.names(id, in: session.answer(serial, .success(said(true)))))
    }
  }

  @Test("answers no notifications, known or not, and no stray answers")
  func notifications() {
    var session = Self.session()
    let stream = """
      \(Self.poke)
      {"jsonrpc":"2.0","method":"unheard"}
      {"jsonrpc":"2.0","method":"test.poke","params":{"times":"x"}}
      {"id":1,"jsonrpc":"2.0","result":1}

      """
    #expect(session.received(stream.bytes).map(\.words) == ["notified test.poke", "unexpected response"])
  }

  @Test("continues after a text that is no JSON")
  func parseError() {
    var session = Self.session()
    #expect(
      session.received("{\n\(Self.wait)\n".bytes).map(\.words) == [
        #"send {"error":{"code":-32700,"data":{"expected":"a key in quotation marks","offset":1},"message":"Parse "#
          + #"error at line 1, column 2: expected a key in quotation marks"},"id":null,"jsonrpc":"2.0"}"# + "\n",
        "handle 1 test.wait",
      ])
  }

  @Test("closes after a frame over the limit, and reads nothing more")
  func tooLarge() {
    var session = Self.session()
    _ = session.received("\(Self.wait)\n".bytes)
    #expect(
      session.received(Array(repeating: UInt8(ascii: "x"), count: 1001)).map(\.words) == [
        #"send {"error":{"code":-32009,"data":{"limit":"max-frame","value":1000},"#
          + #""message":"Frame too large: the limit is 1000 bytes"},"id":null,"jsonrpc":"2.0"}"# + "\n",
        "close",
      ])
    #expect(session.received("\(Self.wait)\n".bytes).isEmpty)
    #expect(session.receivedEnd().isEmpty)
    #expect(session.subscriptionsChanged(to: 0).isEmpty)
  }

  @Test("answers requests before a frame over the limit, however the bytes arrived")
  func answersBeforeTooLarge() {
    var session = Self.session()
    let actions = session.received("\(Self.wait)\n".bytes + Array(repeating: UInt8(ascii: "x"), count: 1001))
    #expect(actions.map(\.words).first == "handle 1 test.wait" && actions.map(\.words).last == "close")
    // The driver carries out its actions in order, so this answer comes before the close.
    #expect(
      session.answer(1, .success(said(true))).map(\.words) == ["send {\"id\":1,\"jsonrpc\":\"2.0\",\"result\":true}\n"])
  }

  @Test("uses the client's headers, and closes after bad ones")
  func headers() {
    var session = Self.session()
    let text = Self.wait
    let actions = session.received("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".bytes)
    #expect(actions.map(\.words) == ["handle 1 test.wait"])
    let reply = #"{"jsonrpc":"2.0","id":1,"result":true}"#
    #expect(
      session.answer(1, .success(said(true))).map(\.words) == [
        "send Content-Length: \(reply.utf8.count)\r\n\r\n\(reply)"
      ])
    #expect(
      String(session.encode(Poke(times: 1)))
        == "Content-Length: 59\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"test.poke\",\"params\":{\"times\":1}}")
    let error =
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: headers without Content-Length"}}"#
    #expect(
      session.received("\r\n".bytes).map(\.words) == [
        "send Content-Length: \(error.utf8.count)\r\n\r\n\(error)", "close",
      ])
  }

  @Test("closes after the client's end as soon as nothing is open")
  func endWhenIdle() {
    var session = Self.session()
    #expect(session.receivedEnd().map(\.words) == ["close"])
    #expect(session.receivedEnd().isEmpty)
  }

  @Test("answers open requests at the client's end, then closes")
  func endWhilePending() {
    var session = Self.session()
    // The last line may lack its end, as `echo -n` sends it.
    #expect(session.received("\(Self.wait)\n\(Self.echo("2"))".bytes).map(\.words) == ["handle 1 test.wait"])
    #expect(session.receivedEnd().map(\.words) == ["handle 2 test.echo"])
    #expect(
      session.answer(2, .success(said("a"))).map(\.words) == ["send {\"id\":2,\"jsonrpc\":\"2.0\",\"result\":\"a\"}\n"])
    #expect(
      session.answer(1, .success(said(true))).map(\.words)
        == ["send {\"id\":1,\"jsonrpc\":\"2.0\",\"result\":true}\n", "close"])
  }

  @Test("continues after the client's end while it has subscriptions")
  func endWhileSubscribed() {
    var session = Self.session()
    _ = session.received("\(Self.wait)\n".bytes)
    #expect(session.receivedEnd().isEmpty)
    #expect(session.subscriptionsChanged(to: 1).isEmpty)
    #expect(
      session.answer(1, .success(said(true))).map(\.words) == ["send {\"id\":1,\"jsonrpc\":\"2.0\",\"result\":true}\n"])
    #expect(session.subscriptionsChanged(to: 0).map(\.words) == ["close"])
  }

  @Test("sends an error that answers nothing with a null id")
  func unasked() {
    #expect(
      String(Self.session().encode(RPCError.limitExceeded(limit: "clients", value: 1024)))
        == #"{"error":{"code":-32007,"data":{"limit":"clients","value":1024},"#
        + #""message":"Limit exceeded: clients is 1024"},"id":null,"jsonrpc":"2.0"}"# + "\n")
  }

  @Test("traps when a request is answered twice")
  func answeredTwice() async {
    await #expect(processExitsWith: .failure) {
      var session = ServerSession(registry: testRegistry)
      _ = session.received(#"{"id":1,"jsonrpc":"2.0","method":"test.wait"}"#.bytes + [10])
      _ = session.answer(1, .success(said(true)))
      _ = session.answer(1, .success(said(true)))
    }
  }
}
