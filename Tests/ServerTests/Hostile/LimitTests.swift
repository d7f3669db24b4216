import Broker
import Glibc
import JSONRPC
import Server
import TestSupport
import Testing

/// What clients may take, to the last one that is served and the first that is refused.
@Suite(.timeLimit(.minutes(2))) struct LimitTests {
  /// The clients and the server are one process here: room for both ends of every connection.
  private static func raiseOpenFiles() throws {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else { throw TimedOut("no limit can be read") }
    limit.rlim_cur = min(limit.rlim_max, 8192)
    guard limit.rlim_cur >= 4096, unsafe setrlimit(resource, &limit) == 0 else {
      throw TimedOut("4096 open files are needed")
    }
  }

  @Test(
    "the last client that fits is served, the next gets one -32007 and is closed, and a place that is free is given",
    arguments: [("max-clients-per-user", 256), ("max-clients", 1024)])
  func clients(limit: String, value: Int) async throws {
    try await onOwnThread {
      try Self.raiseOpenFiles()
      var limits = ServerLimits()
      #expect(limits.maxClients == 1024 && limits.maxClientsPerUser == 256)
      if limit == "max-clients" { limits.maxClientsPerUser = 2000 }
      let server = try LiveServer(limits: limits)
      var clients = try (0..<value).map { _ in try server.client() }
      for client in clients { _ = try client.call("request.list") }
      for _ in 0..<3 {
        let messages = try server.client().untilClosed()
        #expect(messages.map { $0["error"]?["code"] } == [-32007])
        #expect(messages.first?["error"]?["data"] == ["limit": .string(limit), "value": .integer(value)])
      }
      #expect(try clients[0].call("status.get")["clients"] == .integer(value))
      clients.removeLast()
      while try clients[0].call("status.get")["clients"] == .integer(value) {}
      _ = try server.client().call("request.list")
    }
  }

  @Test func `256 requests wait, the next is -32007, and one that ends makes room`() async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let (client, other) = (try server.client(), try server.client())
      let ids = try (0..<256).map { _ in try client.request("position.get") }
      for _ in 0..<3 {
        let error = try client.reply(to: try client.request("position.get"))["error"]
        #expect(error?["code"] == -32007)
        #expect(error?["data"] == ["limit": "max-requests-per-client", "value": 256])
      }
      _ = try other.request("position.get")
      #expect(try other.call("status.get")["requests"] == 257)
      #expect(try client.call("request.cancel", ["request": .integer(ids[7])])["outcome"] == "cancelled")
      let next = try client.request("position.get")
      server.fix(latitude: 48)
      for id in ids where id != ids[7] { #expect(try client.reply(to: id)["result"]?["status"] == "success") }
      #expect(try client.reply(to: next)["result"] != nil)
    }
  }

  @Test(
    "256 subscriptions live, the next is -32007, and one that ends makes room",
    arguments: [
      "position.subscribe", "sky.subscribe", "status.subscribe",
    ])
  func subscriptions(method: String) async throws {
    try await onOwnThread {
      let server = try LiveServer()
      let (client, other) = (try server.client(), try server.client())
      for _ in 0..<256 { _ = try client.call("position.subscribe", ["mode": "passive", "minInterval": 0]) }
      let error = try client.reply(to: try client.request(method))["error"]
      #expect(error?["code"] == -32007)
      #expect(error?["data"] == ["limit": "max-subscriptions-per-client", "value": 256])
      _ = try other.call(method)
      _ = try client.call("subscription.cancel", ["subscription": 100])
      #expect(try client.call(method)["subscription"] == 257)
      #expect(try client.call("subscription.list")["subscriptions"]?.elements.count == 256)
    }
  }

  @Test func `a request waits no longer than the daemon allows`() async throws {
    try await onOwnThread {
      var settings = BrokerSettings.open
      settings.maxRequestTime = .milliseconds(50)
      let server = try LiveServer(broker: settings)
      let client = try server.client()
      for timeout in [0, 1e9] {
        #expect(try client.call("position.get", ["timeout": .number(timeout)])["status"] == "timedOut")
      }
    }
  }
}
