import JSONRPC
import TestSupport
import Testing

/// Batches, ids and cancellations of a hostile or confused client.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct HostileBatchTests {
  private static func request(_ id: String, _ method: String, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
  }

  private static func cancel(_ id: String) -> String {
    #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"#
  }

  /// Sends a batch and returns its reply.
  private static func batch(_ messages: [String], on client: LineClient) throws -> JSONValue {
    try client.send(raw: "[\(messages.joined(separator: ","))]\n")
    return try client.next(what: "reply to the batch")
  }

  @Test func `a batch of 256 is served whole, and one of 257 is -32007 without any effect`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      let replies = try Self.batch((1...256).map { Self.request("\($0)", "request.list") }, on: client).elements
      #expect(replies.count == 256 && replies.allSatisfy { $0["result"] != nil })
      #expect(Set(replies.compactMap { $0["id"] }).count == 256)
      let refusal = try Self.batch((1...257).map { Self.request("\($0)", "request.list") }, on: client)
      #expect(refusal["error"]?["code"] == -32007)
      #expect(refusal["error"]?["data"] == ["limit": "max-batch", "value": 256])
    }
  }

  @Test func `a batch may request more than fits into its answer`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      let replies = try Self.batch((1...256).map { Self.request("\($0)", "rpc.discover") }, on: client).elements
      #expect(replies.count == 256 && replies.contains { $0["result"] != nil })
      let refused = replies.filter { $0["error"] != nil }
      #expect(!refused.isEmpty)
      #expect(refused.allSatisfy { $0["error"]?["data"]?["limit"] == "batch-reply" })
    }
  }

  @Test(
    "a request that may wait is -32600 in a batch, and the rest of the batch is served",
    arguments: [
      "position.get", "position.subscribe", "sky.subscribe", "status.subscribe",
    ])
  func disallowed(method: String) async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      let replies = try Self.batch(
        [Self.request("1", method), Self.request("2", "request.list"), "[]", Self.request("3", "unheard.of")],
        on: client
      ).elements
      let codes = Dictionary(replies.map { ($0["id"] ?? .null, $0["error"]?["code"]) }) { first, _ in first }
      #expect(codes == [1: -32600, 2: nil, .null: -32600, 3: -32601])
      #expect(try client.call("subscription.list")["subscriptions"] == [])
      #expect(!server.isReceiverOn)
    }
  }

  @Test func `a cancellation in a batch ends an earlier request, and both are answered`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      try client.send(raw: Self.request("\"get\"", "position.get") + "\n")
      try client.send(
        raw:
          "[\(Self.cancel("\"get\"")),\(Self.cancel("2")),\(Self.request("2", "request.cancel", #"{"request":2}"#))]\n")
      let messages = [try client.next(what: "reply"), try client.next(what: "reply")]
      let replies = messages.flatMap(\.elements)
      #expect(replies.first { $0["id"] == "get" }?["error"]?["code"] == -32800)
      #expect(replies.first { $0["id"] == 2 }?["result"]?["outcome"] == "unknown")
      #expect(try client.everything(for: 0.02).isEmpty)
    }
  }

  @Test func `nobody completes or cancels another's request, a finished one, or an unknown one`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let (owner, thief) = (try server.client(), try server.client())
      try owner.send(raw: Self.request("\"mine\"", "position.get", #"{"accuracy":1}"#) + "\n")
      _ = try owner.call("position.subscribe")
      for method in ["request.complete", "request.cancel"] {
        for id in ["mine", 1, 2, 99] as [JSONValue] {
          #expect(try thief.call(method, ["request": id])["outcome"] == "unknown")
        }
        // Its own subscription is no request.
        #expect(try owner.call(method, ["request": 1])["outcome"] == "unknown")
      }
      #expect(throws: TimedOut.self) { try thief.call("subscription.cancel", ["subscription": 1]) }
      try thief.send(raw: Self.cancel("\"mine\"") + "\n")
      #expect(try thief.call("request.list")["requests"] == [])
      #expect(try owner.call("request.list")["requests"]?.elements.count == 1)
      #expect(try owner.call("request.cancel", ["request": "mine"])["outcome"] == "cancelled")
      #expect(try owner.call("request.cancel", ["request": "mine"])["outcome"] == "unknown")
    }
  }

  @Test func `an id in use is refused to a second request, and free again after the first`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      let text = Self.request("\"x\"", "position.get") + "\n"
      try client.send(raw: text + text)
      #expect(try client.next(what: "refusal")["error"]?["code"] == -32600)
      try client.send(raw: Self.cancel("\"x\"") + "\n")
      #expect(try client.next(what: "cancellation")["error"]?["code"] == -32800)
      try client.send(raw: text)
      #expect(try client.call("request.list")["requests"]?.elements.count == 1)
    }
  }
}
