import Testing

@testable import JSONRPC

@Suite("An incoming frame")
struct IncomingFrameTests {
  @Test(
    "becomes one message",
    arguments: [
      (
        #"{"id":1,"jsonrpc":"2.0","method":"test.echo","params":{"text":"a"}}"#,
        #"request 1 Echo(text: "a", times: nil, radius: nil)"#
      ),
      (
        #"{"params":{"radius":2,"times":3,"text":"a"},"method":"test.echo","id":"x","jsonrpc":"2.0","more":[1]}"#,
        #"request "x" Echo(text: "a", times: Optional(3), radius: Optional(JSONRPC.JSONValue.number(2.0)))"#
      ),
      (
        #"{"id":1,"jsonrpc":"2.0","method":"test.echo","params":{"text":"a","times":null}}"#,
        #"request 1 Echo(text: "a", times: nil, radius: nil)"#
      ),
      (#"{"id":1.0,"jsonrpc":"2.0","method":"test.wait"}"#, "request 1.0 Wait()"),
      (#"{"id":-1,"jsonrpc":"2.0","method":"test.wait","params":{}}"#, "request -1 Wait()"),
      (#"{"id":"","jsonrpc":"2.0","method":"test.wait","params":null}"#, "request \"\" Wait()"),
      (#"{"jsonrpc":"2.0","method":"test.poke","params":{"times":2}}"#, "notification Poke(times: Optional(2))"),
      (#"{"jsonrpc":"2.0","method":"test.poke"}"#, "notification Poke(times: nil)"),
      (#"{"jsonrpc":"2.0","method":"test.poke","params":{"new":1}}"#, "notification Poke(times: nil)"),
      (#"{"jsonrpc":"2.0","method":"test.poke","params":{"times":"x"}}"#, "ignored test.poke"),
      (#"{"jsonrpc":"2.0","method":"test.poke","params":[1]}"#, "ignored test.poke"),
      (#"{"jsonrpc":"2.0","method":"test.echo","params":{"text":"a"}}"#, "ignored test.echo"),
      (#"{"jsonrpc":"2.0","method":"unheard"}"#, "ignored unheard"),
      (#"{"id":1,"jsonrpc":"2.0","result":1}"#, "unexpected response"),
      (#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#, "unexpected response"),
    ])
  func message(text: String, words: String) {
    #expect(IncomingFrame.decode(text.bytes, registry: testRegistry).words == words)
  }

  @Test(
    "that is no valid request is refused with its id if that can be read",
    arguments: [
      ("1", "invalid null -32600 Invalid request: expected an object"),
      (#""x""#, "invalid null -32600 Invalid request: expected an object"),
      ("null", "invalid null -32600 Invalid request: expected an object"),
      ("{}", #"invalid null -32600 Invalid request: jsonrpc must be "2.0""#),
      (#"{"id":4,"method":"test.wait"}"#, #"invalid 4 -32600 Invalid request: jsonrpc must be "2.0""#),
      (#"{"jsonrpc":"1.0","id":4,"method":"test.wait"}"#, #"invalid 4 -32600 Invalid request: jsonrpc must be "2.0""#),
      (#"{"jsonrpc":2.0,"id":4,"method":"test.wait"}"#, #"invalid 4 -32600 Invalid request: jsonrpc must be "2.0""#),
      (#"{"jsonrpc":"2.0"}"#, "invalid null -32600 Invalid request: method is missing"),
      (#"{"jsonrpc":"2.0","id":4}"#, "invalid 4 -32600 Invalid request: method is missing"),
      (#"{"id":4,"jsonrpc":"2.0","method":5}"#, "invalid 4 -32600 Invalid request: method must be a string"),
      (#"{"jsonrpc":"2.0","method":5}"#, "invalid null -32600 Invalid request: method must be a string"),
      (
        #"{"id":1.5,"jsonrpc":"2.0","method":"test.wait"}"#,
        "invalid null -32600 Invalid request: id must be a string or an integer"
      ),
      (
        #"{"id":[],"jsonrpc":"2.0","method":"test.wait"}"#,
        "invalid null -32600 Invalid request: id must be a string or an integer"
      ),
      (
        #"{"id":true,"jsonrpc":"2.0","method":"test.wait"}"#,
        "invalid null -32600 Invalid request: id must be a string or an integer"
      ),
      (
        #"{"id":18446744073709551616,"jsonrpc":"2.0","method":"test.wait"}"#,
        "invalid null -32600 Invalid request: id must be a string or an integer"
      ),
      (
        #"{"id":null,"jsonrpc":"2.0","method":"test.wait"}"#,
        "invalid null -32600 Invalid request: id must be a string or an integer; a notification has none"
      ),
      ("[]", "malformed -32600 Invalid request: an empty batch"),
      (" [ ] ", "malformed -32600 Invalid request: an empty batch"),
      ("[1]", "batch [invalid null -32600 Invalid request: expected an object]"),
      (
        #"[1,{"id":1,"jsonrpc":"2.0","method":"test.wait"},{"jsonrpc":"2.0","method":"test.poke"},[]]"#,
        "batch [invalid null -32600 Invalid request: expected an object; request 1 Wait(); "
          + "notification Poke(times: nil); invalid null -32600 Invalid request: expected an object]"
      ),
    ])
  func invalid(text: String, words: String) {
    #expect(IncomingFrame.decode(text.bytes, registry: testRegistry).words == words)
  }

  @Test("that is no JSON is refused with the place: bytes from 0, line and column from 1")
  func parseError() {
    let frame = IncomingFrame.decode("{\r\n \"a\":\n  tru}".bytes, registry: testRegistry)
    guard case .malformed(let error) = frame else { Issue.record("\(frame.words)"); return }
    #expect(error.code == .parseError)
    #expect(error.message == "Parse error at line 3, column 3: expected a value")
    #expect(error.data == ["offset": 11, "expected": "a value"])
  }

  @Test("nested 100,000 deep is refused at once")
  func deep() {
    let nested = String(repeating: "[", count: 100_000)
    #expect(
      IncomingFrame.decode(nested.bytes, registry: testRegistry).words
        == "malformed -32700 Parse error at line 1, column 65: expected at most 64 levels of nesting")
    let inside = #"{"id":1,"jsonrpc":"2.0","method":"test.wait","params":"# + nested
    #expect(
      IncomingFrame.decode(inside.bytes, registry: testRegistry).words.hasSuffix(
        "expected at most 64 levels of nesting"))
  }

  /// One open request, whose id is 1.
  private static var asked: OpenRequests {
    var requests = OpenRequests()
    _ = requests.open(result: Codec<String>.string)
    return requests
  }

  @Test(
    "with an answer is read as its request's result",
    arguments: [
      (#"{"id":1,"jsonrpc":"2.0","result":"a"}"#, "response 1 a"),
      (#"{"id":2,"jsonrpc":"2.0","result":{"b":1}}"#, "unexpected response"),
      (
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"Request cancelled"}}"#,
        "error 1 -32800 Request cancelled"
      ),
      (#"{"jsonrpc":"2.0","id":null,"error":{"code":-32007,"message":"full"}}"#, "error null -32007 full"),
      (#"{"jsonrpc":"2.0","error":{"code":-32007,"message":"full"}}"#, "error null -32007 full"),
      (#"{"jsonrpc":"2.0","id":1,"error":5}"#, "error 1 -32603 Internal error: the response's error cannot be read"),
    ])
  func response(text: String, words: String) {
    let frame = IncomingFrame.decode(text.bytes, registry: testRegistry, asked: Self.asked)
    #expect(frame.words == words)
  }

  @Test(
    "with an answer to an invalid id is ignored",
    arguments: ["[]", "1.5", "true", "18446744073709551616", "\"\(String(repeating: "x", count: 257))\""])
  func badResponse(id: String) {
    let text = #"{"id":\#(id),"jsonrpc":"2.0","result":"a"}"#
    let asking = IncomingFrame.decode(text.bytes, registry: testRegistry, asked: Self.asked)
    #expect(asking.words == "unexpected response")
    #expect(IncomingFrame.decode(text.bytes, registry: testRegistry).words == "unexpected response")
  }

  @Test("may have parameters of a later version if its reader allows it, and no wrong ones")
  func tolerance() {
    let text = #"{"id":1,"jsonrpc":"2.0","method":"test.echo","params":{"text":"a","later":1}}"#
    #expect(IncomingFrame.decode(text.bytes, registry: testRegistry).words.hasPrefix("invalid 1 -32602"))
    #expect(
      IncomingFrame.decode(text.bytes, registry: testRegistry, leniency: [.members, .values]).words
        == #"request 1 Echo(text: "a", times: nil, radius: nil)"#)
    let wrong = #"{"id":1,"jsonrpc":"2.0","method":"test.echo","params":{"text":1,"later":1}}"#
    #expect(
      IncomingFrame.decode(wrong.bytes, registry: testRegistry, leniency: [.members, .values]).words
        == "invalid 1 -32602 Invalid params: text is 1, expected a string of at most 8 bytes")
  }

  @Test("with a result of another type is a failure, not silence")
  func wrongResult() {
    let text = #"{"id":1,"jsonrpc":"2.0","result":{}}"#
    let frame = IncomingFrame.decode(text.bytes, registry: testRegistry, asked: Self.asked)
    #expect(frame.words.hasPrefix("error 1 -32603 Internal error: the result cannot be read"))
  }

  @Test("uses the first of two equal keys")
  func duplicateKeys() {
    let text = #"{"jsonrpc":"2.0","id":1,"id":2,"method":"test.wait"}"#
    #expect(IncomingFrame.decode(text.bytes, registry: testRegistry).words == "request 1 Wait()")
  }
}
