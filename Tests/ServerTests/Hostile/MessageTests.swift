import JSONRPC
import TestSupport
import Testing

/// Invalid messages: each has one exact answer, or none, and the next message is served as usual.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct HostileMessageTests {
  private static let ask = #"{"jsonrpc":"2.0","id":"after","method":"status.get"}"# + "\n"

  /// Sends bytes and a request after them; returns the codes of the errors that come before the request's answer.
  private static func codes(_ bytes: [UInt8]) async throws -> [Int] {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      try client.send(bytes: bytes)
      try client.send(raw: Self.ask)
      var codes: [Int] = []
      while true {
        let message = try client.next(what: "answer")
        if message["id"] == "after" { break }
        for reply in message.elements {
          if case .integer(let code)? = reply["error"]?["code"] { codes.append(code) }
        }
      }
      // The answer to the request may be one of several messages; nothing else may follow.
      #expect(try client.everything(for: 0.02).isEmpty)
      return codes
    }
  }

  private static func request(id: String = "1", _ method: String = "request.list", _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
  }

  @Test(
    "text that is no JSON is -32700, and the connection stays",
    arguments: [
      "garbage", "\u{0}\u{0}\u{0}", "{\"a\":\u{0}}", "{]", "\"", "nul", "1e", "+1", "NaN", "{\"a\":1,}", "'a'",
      String(repeating: "[", count: 60000), String(repeating: "{\"a\":", count: 10000), "\u{FEFF}{}", "{} {}",
    ])
  func garbage(text: String) async throws {
    #expect(try await Self.codes(Array("\(text)\n".utf8)) == [-32700])
  }

  @Test(
    "invalid UTF-8 is -32700",
    arguments: [
      [0xFF, 0xFE, 0x00], [0x22, 0xC3, 0x28, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF8, 0x88, 0x80, 0x80, 0x22],
      [0x1F, 0x8B, 0x08], [0x22, 0xC0, 0x80, 0x22],
    ] as [[UInt8]])
  func binary(bytes: [UInt8]) async throws {
    #expect(try await Self.codes(bytes + [10]) == [-32700])
  }

  @Test(
    "JSON that is no request is -32600",
    arguments: [
      "1", "null", "\"text\"", "true", "-0.0e-400", "[]", "{}", #"{"jsonrpc":"2.0"}"#,
      #"{"method":"status.get","id":1}"#,
      #"{"jsonrpc":2.0,"id":1,"method":"status.get"}"#, #"{"jsonrpc":"2.0","id":1,"method":7}"#,
      #"{"jsonrpc":"2.0","id":1,"method":{}}"#, "[[[]]]", "[1]", #"[{"jsonrpc":"2.0","id":1}]"#,
      Self.request(id: "null"), Self.request(id: "1.5"), Self.request(id: "{}"), Self.request(id: "[1]"),
      Self.request(id: "true"), Self.request(id: "9223372036854775808"), Self.request(id: "1e999"),
      Self.request(id: "-1e400"), Self.request(id: "\"\(String(repeating: "x", count: 257))\""),
    ])
  func noRequest(text: String) async throws {
    #expect(try await Self.codes(Array("\(text)\n".utf8)) == [-32600])
  }

  @Test(
    "any id that the protocol allows comes back unchanged",
    arguments: [
      "0", "-1", "9223372036854775807", "-9223372036854775808", "\"\"", "\"0\"", "\"\\u0000\"", "\"\\ud83d\\ude00\"",
      "\"\(String(repeating: "x", count: 256))\"",
    ])
  func ids(id: String) async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      try client.send(raw: Self.request(id: id) + "\n")
      let reply = try client.next(what: "reply")
      #expect(reply["id"] == (try JSONValue(parsing: Array(id.utf8))))
      #expect(reply["result"] != nil)
    }
  }

  @Test(
    "parameters out of range are -32602 and change nothing",
    arguments: [
      ("position.get", #"{"timeout":1e300}"#), ("position.get", #"{"timeout":1e999}"#),
      ("position.get", #"{"timeout":-1e-9}"#), ("position.get", #"{"maxAge":1e300}"#),
      ("position.get", #"{"maxAge":99999999999999999999999}"#), ("position.get", #"{"accuracy":0}"#),
      ("position.get", #"{"accuracy":-1}"#), ("position.get", #"{"accuracy":1e999}"#),
      ("position.get", #"{"accuracy":[]}"#), ("position.get", "[]"), ("position.get", "7"),
      ("position.subscribe", #"{"minInterval":1e300}"#), ("position.subscribe", #"{"maxInterval":1e-9}"#),
      ("position.subscribe", #"{"maxInterval":0}"#), ("position.subscribe", #"{"maxInterval":1e300}"#),
      ("position.subscribe", #"{"duration":0}"#), ("position.subscribe", #"{"duration":1e300}"#),
      ("position.subscribe", #"{"minDistance":-1}"#), ("position.subscribe", #"{"maxUpdates":0}"#),
      ("position.subscribe", #"{"maxUpdates":1e300}"#), ("position.subscribe", #"{"maxUpdates":0.5}"#),
      ("position.subscribe", #"{"onlyBetterThan":0}"#), ("position.subscribe", #"{"mode":"\u0000"}"#),
      ("sky.subscribe", #"{"minInterval":1e300}"#), ("subscription.cancel", #"{"subscription":1e30}"#),
      ("subscription.cancel", #"{"subscription":-1}"#), ("request.cancel", #"{"request":null}"#),
      ("request.cancel", #"{"request":1.5}"#), ("session.hello", #"{"name":7}"#),
    ])
  func parameters(method: String, params: String) async throws {
    #expect(try await Self.codes(Array("\(Self.request(method, params))\n".utf8)) == [-32602])
  }

  @Test(
    "parameters at their bounds are served without a trap",
    arguments: [
      ("position.subscribe", #"{"accuracy":1e-300,"minInterval":1e9,"maxInterval":1e9,"duration":1e9}"#),
      ("position.subscribe", #"{"accuracy":1.7e308,"minInterval":0,"maxInterval":0.1,"minDistance":1.7e308}"#),
      ("position.subscribe", #"{"onlyBetterThan":5e-324,"maxUpdates":9223372036854775807}"#),
      ("position.get", #"{"accuracy":1e-300,"acceptableAccuracy":1.7e308,"maxAge":1e9,"timeout":1e9}"#),
      ("position.get", #"{"timeout":1e-9}"#), ("sky.subscribe", #"{"minInterval":1e9}"#),
    ])
  func edges(method: String, params: String) async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      try client.send(raw: Self.request(id: "\"own\"", method, params) + "\n")
      _ = try client.call("request.list")
      let listed = try client.call("subscription.list")["subscriptions"]?.elements.count
      #expect(listed == (method == "position.get" ? 0 : 1))
      for latitude in [48, 48.00001, 48.00002] { server.fix(latitude: latitude) }
      _ = try client.call("status.get")
    }
  }

  @Test("a heartbeat is never faster than ten times a second, so that no client keeps the loop busy")
  func heartbeat() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      let result = try client.call("position.subscribe", ["maxInterval": 0.1, "duration": 0.5])
      #expect(result["subscription"] == 1)
      _ = try client.notification("subscription.ended")
      #expect(try client.everything(for: 0.01).count <= 6)
    }
  }

  @Test(
    "names and purposes may have their maximum length and no more",
    arguments: [
      ("name", 64, nil), ("name", 65, -32602), ("purpose", 256, nil), ("purpose", 257, -32602),
    ] as [(String, Int, Int?)])
  func names(key: String, length: Int, code: Int?) async throws {
    let text = #"{"\#(key)":"\#(String(repeating: "x", count: length))"}"#
    let codes = try await Self.codes(Array("\(Self.request("session.hello", text))\n".utf8))
    #expect(codes == (code.map { [$0] } ?? []))
  }

  @Test("control characters in a name stay inside their string")
  func controlCharacters() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      let name = "\u{1B}[2J\r\n\u{0}\u{7F}\u{85}\u{2028}\u{202E}"
      let principal = try client.call("session.hello", ["name": .string(name), "purpose": "\n{}\n"])["principal"]
      #expect(principal?["name"] == .string(name))
      #expect(principal?["purpose"] == "\n{}\n")
    }
  }

  @Test(
    "a message that needs no answer gets none",
    arguments: [
      #"{"jsonrpc":"2.0","method":"status.get"}"#, #"{"jsonrpc":"2.0","method":"unheard.of"}"#,
      #"{"jsonrpc":"2.0","method":"position.update","params":{"subscription":1}}"#,
      #"{"jsonrpc":"2.0","id":1,"result":true}"#, #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#,
      #"{"jsonrpc":"2.0","id":1,"result":[[[[]]]],"error":7}"#, "   ", "\r", #"[{"jsonrpc":"2.0","id":1,"result":1}]"#,
      #"{"jsonrpc":"2.0","method":"$/cancelRequest"}"#, #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":[]}"#,
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}"#,
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"\#(String(repeating: "x", count: 10000))"}}"#,
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":null}}"#,
      #"[{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}},{"jsonrpc":"2.0","method":"x"}]"#,
    ])
  func unanswered(text: String) async throws {
    #expect(try await Self.codes(Array("\(text)\n".utf8)).isEmpty)
  }

  @Test("of two members with one name one counts, and there is one answer")
  func duplicateKeys() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      for text in [
        #"{"jsonrpc":"2.0","id":1,"id":2,"method":"request.list"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"request.list","method":"status.get"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"position.last","params":{},"params":{"x":1}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"session.hello","params":{"name":"a","name":7}}"#,
      ] {
        try client.send(raw: text + "\n")
        _ = try client.next(what: "answer")
        #expect(try client.everything(for: 0.02).isEmpty)
      }
    }
  }
}

extension JSONValue {
  /// The elements of an array; for any other value, the value itself.
  var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [self] }
    return elements
  }
}
