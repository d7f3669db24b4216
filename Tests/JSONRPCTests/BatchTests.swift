import Testing

@testable import JSONRPC

@Suite("A batch")
struct BatchTests {
  private static let echoes = """
    [{"id":1,"jsonrpc":"2.0","method":"test.echo","params":{"text":"a"}},\
    {"id":2,"jsonrpc":"2.0","method":"test.echo","params":{"text":"b"}}]

    """

  @Test("is answered in one text when every answer is there")
  func complete() {
    var session = ServerSession(registry: testRegistry)
    let serials = session.received(Self.echoes.bytes).map(Self.serial)
    #expect(serials.count == 2)
    #expect(session.answer(serials[1], .success(said("b"))).isEmpty)
    #expect(
      session.answer(serials[0], .success(said("a"))).map(\.words) == [
        #"send [{"id":2,"jsonrpc":"2.0","result":"b"},{"id":1,"jsonrpc":"2.0","result":"a"}]"# + "\n"
      ])
  }

  @Test("of several holds back only its own answers")
  func several() {
    var session = ServerSession(registry: testRegistry)
    let first = session.received(Self.echoes.bytes).map(Self.serial)
    let alone = session.received(#"{"id":3,"jsonrpc":"2.0","method":"test.wait"}"#.bytes + [10]).map(Self.serial)
    #expect(session.answer(first[0], .success(said("a"))).isEmpty)
    #expect(
      session.answer(alone[0], .success(said(true))).map(\.words) == [
        #"send {"id":3,"jsonrpc":"2.0","result":true}"# + "\n"
      ])
    #expect(session.answer(first[1], .success(said("b"))).count == 1)
  }

  @Test("of one has an array as its answer")
  func one() {
    var session = ServerSession(registry: testRegistry)
    let serial = session.received(
      #"[{"id":1,"jsonrpc":"2.0","method":"test.echo","params":{"text":"a"}}]"#.bytes + [10]
    ).map(Self.serial)
    #expect(
      session.answer(serial[0], .success(said("a"))).map(\.words) == [
        #"send [{"id":1,"jsonrpc":"2.0","result":"a"}]"# + "\n"
      ])
  }

  @Test(
    "is answered at once if no request in it can be served, and not at all if it has only notifications",
    arguments: [
      (
        #"[1,{"jsonrpc":"2.0","method":"test.poke"},{"id":5,"jsonrpc":"2.0","method":"test.wait"}]"#,
        [
          "notified test.poke",
          #"send [{"error":{"code":-32600,"message":"Invalid request: expected an object"},"id":null,"#
            + #""jsonrpc":"2.0"},{"error":{"code":-32600,"message":"Invalid request: test.wait may not stand in a "#
            + #"batch"},"id":5,"jsonrpc":"2.0"}]"# + "\n",
        ]
      ),
      (#"[{"jsonrpc":"2.0","method":"test.poke"},{"jsonrpc":"2.0","method":"x"}]"#, ["notified test.poke"]),
      (
        "[]",
        [
          #"send {"error":{"code":-32600,"message":"Invalid request: an empty batch"},"id":null,"jsonrpc":"2.0"}"#
            + "\n"
        ]
      ),
    ])
  func atOnce(text: String, actions: [String]) {
    var session = ServerSession(registry: testRegistry)
    #expect(session.received("\(text)\n".bytes).map(\.words) == actions)
  }

  @Test("with a repeated id has the second one refused")
  func sameID() {
    var session = ServerSession(registry: testRegistry)
    let echo = #"{"id":1,"jsonrpc":"2.0","method":"test.echo","params":{"text":"a"}}"#
    let actions = session.received("[\(echo),\(echo)]\n".bytes)
    #expect(actions.count == 1)
    #expect(
      session.answer(Self.serial(actions[0]), .success(said("a"))).map(\.words) == [
        #"send [{"error":{"code":-32600,"message":"Invalid request: id 1 is in use by a request in flight"},"id":1,"#
          + #""jsonrpc":"2.0"},{"id":1,"jsonrpc":"2.0","result":"a"}]"# + "\n"
      ])
  }

  @Test("keeps a half-closed connection until it is answered")
  func halfClosed() {
    var session = ServerSession(registry: testRegistry)
    let serials = session.received(Self.echoes.bytes).map(Self.serial)
    #expect(session.receivedEnd().isEmpty)
    #expect(session.answer(serials[0], .success(said("a"))).isEmpty)
    #expect(session.answer(serials[1], .failure(.shuttingDown)).map(\.words).last == "close")
  }

  @Test("may hold 256 messages and no more", arguments: [(256, 256), (257, 0)])
  func size(count: Int, handled: Int) {
    var session = ServerSession(registry: testRegistry)
    let echoes = (1...count).map { #"{"id":\#($0),"jsonrpc":"2.0","method":"test.echo","params":{"text":"a"}}"# }
    let actions = session.received("[\(echoes.joined(separator: ","))]\n".bytes)
    #expect(session.pending.count == handled)
    if handled == 0 {
      #expect(
        actions.map(\.words) == [
          #"send {"error":{"code":-32007,"data":{"limit":"max-batch","value":256},"#
            + #""message":"Limit exceeded: max-batch is 256"},"id":null,"jsonrpc":"2.0"}"# + "\n"
        ])
    }
  }

  private static func serial(_ action: ServerSession.Action) -> UInt64 {
    switch action {
    case .handle(let serial, _): serial
    case .notified, .answered, .unexpectedResponse, .send, .sendSensitive, .close: 0
    }
  }
}
