import Broker
import JSONRPC
import Positioning
import Server
import TestSupport
import Testing

/// Several clients send thousands of messages in a random order, valid and invalid, during fixes.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct RandomClientTests {
  @Test(
    "each request has one answer, which precedes its consequences; and the server continues", arguments: [1, 2, 3, 4])
  func random(seed: UInt64) async throws {
    try await onOwnThread {
      var random = SeededRandom(seed: seed)
      let server = try LiveServer()
      var speakers = try (0..<4).map { _ in Speaker(client: try server.client()) }
      for round in 0..<1500 {
        let place = Int.random(in: 0..<speakers.count, using: &random)
        try speakers[place].say(using: &random)
        if round % 7 == 0 { server.fix(latitude: 48 + Double(round) / 1e6) }
        if round % 25 == 0 { try speakers[place].listen() }
        if Int.random(in: 0..<60, using: &random) == 0 {
          // It leaves with open requests, and another connects.
          speakers[place] = Speaker(client: try server.client())
        }
      }
      for place in speakers.indices { try speakers[place].finish() }
      let status = try server.client().call("status.get")
      #expect(status["clients"] == 5)
      #expect(server.outboundBytes <= 4 * ServerLimits().maxOutbound)
      speakers = []
      let last = try server.client()
      while try last.call("status.get")["clients"] != 1 {}
      #expect(try last.call("status.get")["subscriptions"] == 0)
      #expect(server.outboundBytes == 0)
    }
  }
}

/// A client that sends random messages and checks what it receives.
private struct Speaker {
  private static let methods = [
    "position.get", "position.last", "position.subscribe", "sky.get", "sky.subscribe", "time.get", "status.get",
    "status.subscribe", "subscription.update", "subscription.cancel", "subscription.list", "request.list",
    "request.complete",
    "request.cancel", "session.hello", "unheard.of", "",
  ]
  private static let values = [
    "0", "1", "2", "-1", "0.5", "1e9", "1e300", "1e999", "null", "true", "\"house\"", "\"passive\"", "\"any\"", "\"\"",
    "[]", "{}", "\"\\u0000\"",
  ]
  private static let names = [
    "accuracy", "timeout", "maxAge", "minInterval", "maxInterval", "mode", "replay", "maxUpdates", "duration",
    "subscription", "request", "name", "minDistance", "onlyBetterThan", "nothing",
  ]

  let client: LineClient
  private var nextID = 1
  /// Requests without an answer so far.
  private var open: Set<Int> = []
  private var subscriptions: Set<Int> = []

  init(client: LineClient) { self.client = client }

  mutating func say(using random: inout SeededRandom) throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      try self.client.send(raw: "[\((0..<3).map { _ in self.request(using: &random) }.joined(separator: ","))]\n")
    case 1:
      let id = Int.random(in: 1...self.nextID, using: &random)
      try self.client.send(raw: #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"# + "\n")
    case 2:
      // It is no request, so its answer has no id.
      let bytes = (0..<20).map { _ in UInt8.random(in: 11...255, using: &random) }
      try self.client.send(bytes: [0x7D] + bytes + [10])
    case _: try self.client.send(raw: "\(self.request(using: &random))\n")
    }
  }

  private mutating func request(using random: inout SeededRandom) -> String {
    let id = self.nextID
    self.nextID += 1
    self.open.insert(id)
    let method = Self.methods[Int.random(in: 0..<Self.methods.count, using: &random)]
    let params = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
      let name = Self.names[Int.random(in: 0..<Self.names.count, using: &random)]
      return "\"\(name)\":\(Self.values[Int.random(in: 0..<Self.values.count, using: &random)])"
    }
    return #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(params.joined(separator: ","))}}"#
  }

  /// Reads what has arrived. Every line is JSON, or the client throws.
  mutating func listen() throws {
    for message in try self.client.everything(for: 0.002) { self.hear(message) }
  }

  private mutating func hear(_ message: JSONValue) {
    for part in message.elements {
      if case .string(let method)? = part["method"] {
        guard case .integer(let number)? = part["params"]?["subscription"] else { continue }
        #expect(self.subscriptions.contains(number), "\(method) of \(number), which is not there yet or any more")
        if method == "subscription.ended" { self.subscriptions.remove(number) }
      } else if case .integer(let id)? = part["id"] {
        #expect(self.open.remove(id) != nil, "a second answer to \(id): \(part)")
        guard case .integer(let number)? = part["result"]?["subscription"] else { continue }
        if part["result"]?["state"] == "ended" {
          self.subscriptions.remove(number)
        } else {
          self.subscriptions.insert(number)
        }
      } else {
        #expect(part["id"] == .null && part["error"] != nil, "\(part)")
      }
    }
  }

  /// Ends what still waits, and reads every answer.
  mutating func finish() throws {
    for id in self.open {
      try self.client.send(raw: #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"# + "\n")
    }
    let deadline = monotonicSeconds() + TestDeadline.seconds
    while !self.open.isEmpty, monotonicSeconds() < deadline {
      for message in try self.client.everything(for: 0.01) { self.hear(message) }
    }
    #expect(self.open.isEmpty, "no answer to \(self.open.sorted().prefix(10))")
  }
}
