import Broker
import JSONRPC
import Positioning
import Server
import TestSupport
import Testing

/// The socket from a client's side, with a receiver simulated by the test.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct ProtocolTests {
  @Test func `a request waits for a fix, and is answered with it`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      let id = try client.request("position.get", ["accuracy": "house"])
      _ = try client.call("status.get")
      #expect(server.isReceiverOn)
      server.fix(latitude: 48)
      let result = try client.reply(to: id)["result"]
      #expect(result?["status"] == "success")
      #expect(result?["satisfied"] == true)
      #expect(result?["fromCache"] == false)
      #expect(result?["fix"]?["latitude"] == 48)
      #expect(result?["fix"]?["horizontalAccuracy"] == 6.2)
    }
  }

  @Test func `a cached fix answers at once`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      let id = try client.request("position.get")
      _ = try client.call("status.get")
      server.fix(latitude: 48)
      _ = try client.reply(to: id)
      let again = try client.call("position.get", ["accuracy": "house"])
      #expect(again["fromCache"] == true)
    }
  }

  @Test func `a timeout is a result, with the availability`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let result = try server.client().call("position.get", ["timeout": 0.05])
      #expect(result["status"] == "timedOut")
      #expect(result["diagnostics"]?["availability"] == "searching")
      #expect(result["fix"] == nil)
    }
  }

  @Test func `a reply precedes the notifications of what it created`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      server.fix(latitude: 48)
      try client.request("position.subscribe", ["replay": "any", "mode": "passive"])
      let first = try client.next(what: "message")
      #expect(first["result"]?["subscription"] == 1)
      let second = try client.next(what: "message")
      #expect(second["params"]?["replay"] == true)
    }
  }

  @Test(
    "errors are exact",
    arguments: [
      (#"{"jsonrpc":"2.0","id":1,"method":"position.get","params":{"acuracy":"house"}}"#, -32602, "acuracy"),
      (#"{"jsonrpc":"2.0","id":1,"method":"position.get","params":{"accuracy":"hose"}}"#, -32602, "accuracy"),
      (#"{"jsonrpc":"2.0","id":1,"method":"position.get","params":{"timeout":-1}}"#, -32602, "timeout"),
      (#"{"jsonrpc":"2.0","id":1,"method":"position.fetch"}"#, -32601, "position.fetch"),
      (#"{"jsonrpc":"2.0","id":1,"method":"subscription.cancel","params":{"subscription":7}}"#, -32008, "7"),
      (#"{"jsonrpc":"1.0","id":1,"method":"position.get"}"#, -32600, "jsonrpc"),
      ("{", -32700, "offset"),
    ])
  func errors(text: String, code: Int, word: String) async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      try client.send(raw: text + "\n")
      let error = try client.next(what: "error")["error"]
      #expect(error?["code"] == .integer(code))
      #expect("\(String(describing: error))".contains(word), "\(String(describing: error))")
    }
  }

  @Test func `a cancelled request ends with its error, and nothing follows`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      let id = try client.request("position.get")
      try client.send(raw: #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"# + "\n")
      #expect(try client.reply(to: id)["error"]?["code"] == -32800)
      server.fix(latitude: 48)
      _ = try client.call("status.get")
      #expect(try client.everything(for: 0.05).isEmpty)
    }
  }

  @Test func `a request is completed with the best fix so far, and an unknown one is reported as unknown`() async throws
  {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      // However long the machine takes, the fix is young enough.
      let id = try client.request("position.get", ["accuracy": 1, "maxAge": 3600])
      // The fix arrives while the request waits.
      _ = try client.call("status.get")
      server.fix(latitude: 48)
      #expect(try client.call("request.complete", ["request": .integer(id)])["outcome"] == "completed")
      #expect(try client.reply(to: id)["result"]?["fix"]?["latitude"] == 48)
      #expect(try client.call("request.complete", ["request": 99])["outcome"] == "unknown")
    }
  }

  @Test func `a client that hangs up frees the receiver, after the linger`() async throws {
    try await onOwnThread {
      var settings = BrokerSettings.open
      settings.power.linger = .milliseconds(20)
      let server = try LiveServer(broker: settings)
      do {
        let client = try server.client()
        _ = try client.call("position.subscribe")
        _ = try client.call("status.get")
        #expect(server.isReceiverOn)
      }
      let watcher = try server.client()
      let deadline = monotonicSeconds() + TestDeadline.seconds
      while server.isReceiverOn, monotonicSeconds() < deadline { _ = try watcher.call("status.get") }
      #expect(!server.isReceiverOn)
    }
  }

  @Test func `after a half-close the pending request is answered, then the connection closes`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let client = try server.client()
      let id = try client.request("position.get")
      client.finishSending()
      let other = try server.client()
      while try other.call("status.get")["requests"] == 0 {}
      server.fix(latitude: 48)
      #expect(try client.reply(to: id)["result"]?["status"] == "success")
      #expect(try client.untilClosed().isEmpty)
    }
  }

  @Test func `a frame over the limit is answered with an error, then the connection closes`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxFrame = 4096
      let server = try LiveServer(limits: limits)
      let client = try server.client()
      try client.send(raw: String(repeating: " ", count: 5000))
      let messages = try client.untilClosed()
      #expect(messages.map { $0["error"]?["code"] } == [-32009])
    }
  }

  @Test func `clients over the limit get one error, and are closed`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxClientsPerUser = 2
      let server = try LiveServer(limits: limits)
      let (first, second) = (try server.client(), try server.client())
      _ = try first.call("status.get")
      _ = try second.call("status.get")
      let messages = try server.client().untilClosed()
      #expect(messages.map { $0["error"]?["code"] } == [-32007])
      #expect(messages.first?["error"]?["data"]?["limit"] == "max-clients-per-user")
      #expect(try first.call("status.get")["clients"] == 2)
    }
  }
}
