import JSONRPC
import Server
import TestSupport
import Testing

/// Streams of bytes that are cut, too long or no frames at all.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct HostileFramingTests {
  private static let limit = 4096

  private static func server() throws -> LiveServer {
    var limits = ServerLimits()
    limits.maxFrame = self.limit
    return try LiveServer(limits: limits)
  }

  /// A request of exactly so many bytes.
  private static func request(bytes: Int) -> String {
    let text = #"{"jsonrpc":"2.0","id":1,"method":"status.get"}"#
    return String(repeating: " ", count: bytes - text.utf8.count) + text
  }

  @Test("a line of the limit is served, and one byte more is -32009 and the end", arguments: [0, 1], ["\n", "\r\n"])
  func line(excess: Int, end: String) async throws {
    try await onOwnThread {
      let server = try Self.server()
      let client = try server.client()
      try client.send(raw: Self.request(bytes: Self.limit + excess) + end)
      if excess == 0 {
        #expect(try client.next(what: "reply")["result"] != nil)
      } else {
        #expect(try client.untilClosed().map { $0["error"]?["code"] } == [-32009])
      }
    }
  }

  @Test("a frame with headers of the limit is served, and one byte more is -32009 and the end", arguments: [0, 1])
  func headers(excess: Int) async throws {
    try await onOwnThread {
      let server = try Self.server()
      let client = try server.client()
      let text = Self.request(bytes: Self.limit + excess)
      try client.send(raw: "Content-Length: \(text.utf8.count)\r\n\r\n\(excess == 0 ? text : "")")
      if excess == 0 {
        #expect(try client.nextFramed()["result"] != nil)
      } else {
        #expect(try client.nextFramed()["error"]?["code"] == -32009)
        #expect(try client.untilClosed().isEmpty)
      }
    }
  }

  @Test(
    "invalid headers are -32700 and the end",
    arguments: [
      "Content-Length: -5\r\n\r\n", "Content-Length: 0\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n",
      "Content-Length: 5x\r\n\r\n", "Content-Type: text\r\n\r\n", "C\n", "C:\r\n\r\n", "Content-Length 5\r\n\r\n",
      "C\u{0}: 1\r\n\r\n", "Content-Length: 0x10\r\n\r\n", "C: \(String(repeating: "x", count: 5000))\r\n",
      String(repeating: "C: x\r\n", count: 1000),
    ])
  func badHeaders(text: String) async throws {
    try await onOwnThread {
      let server = try Self.server()
      let client = try server.client()
      try client.send(raw: text)
      #expect(try client.nextFramed()["error"]?["code"] == -32700)
      #expect(try client.untilClosed().isEmpty)
      _ = try server.client().call("status.get")
    }
  }

  @Test("a request may come one byte at a time", arguments: [false, true])
  func byteByByte(hasHeaders: Bool) async throws {
    try await onOwnThread {
      let server = try Self.server()
      let (slow, quick) = (try server.client(), try server.client())
      let text = #"{"jsonrpc":"2.0","id":1,"method":"session.hello","params":{"name":"é"}}"#
      let bytes = Array((hasHeaders ? "Content-Length: \(text.utf8.count)\r\n\r\n\(text)" : "\(text)\n").utf8)
      for byte in bytes {
        try slow.send(bytes: [byte])
        _ = try quick.call("request.list")
      }
      let reply = hasHeaders ? try slow.nextFramed() : try slow.next(what: "reply")
      #expect(reply["result"]?["principal"]?["name"] == "é")
    }
  }

  @Test(
    "a text cut short by the client's end is no request",
    arguments: [
      ("{\"jsonrpc\":\"2.0\",\"id\":1", [-32700]), ("Content-Length: 100\r\n\r\n{}", []), ("Content-Le", []), ("", []),
      ("\n\n\r\n", []),
    ] as [(String, [Int])])
  func cutShort(text: String, codes: [Int]) async throws {
    try await onOwnThread {
      let server = try Self.server()
      let client = try server.client()
      try client.send(raw: text)
      client.finishSending()
      #expect(try client.untilClosed().map { $0["error"]?["code"] } == codes.map { .integer($0) })
    }
  }
}
