import Broker
import Glibc
import JSONRPC
import Positioning
import Server
import Synchronization
import TestSupport
import Testing

private final class Calls: Sendable {
  let ids = Mutex<[CallID]>([])
  var count: Int { self.ids.withLock(\.count) }
}

/// The limits for clients, from the last one that is served to the first that is refused.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct LimitTests {
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
    "the last client that fits is served, the next gets one -32007 and is closed, and a free place is given away",
    arguments: [("max-clients-per-user", 256), ("max-clients", 1024)])
  func clients(limit: String, value: Int) async throws {
    try await onOwnThread {
      try Self.raiseOpenFiles()
      var limits = ServerLimits()
      #expect(limits.maxClients == 1024 && limits.maxClientsPerUser == 256)
      if limit == "max-clients" { limits.maxClientsPerUser = 2000 }
      let server = try LiveServer(limits: limits, principal: Principal(uid: 1001, user: "bob"))
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

  @Test func `if all places are taken, root and administrators have some of their own`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxClients = 2
      let server = try LiveServer(limits: limits, principals: .init { Principal(uid: $0 > 3 ? 0 : 1000 + UInt32($0)) })
      let users = try (0..<2).map { _ in try server.client() }
      for client in users { _ = try client.call("request.list") }
      #expect(try server.client().untilClosed().map { $0["error"]?["code"] } == [-32007])
      let administrators = try (0..<ServerLimits.keptPlaces).map { _ in try server.client() }
      for client in administrators { _ = try client.call("admin.clients") }
      #expect(try server.client().untilClosed().map { $0["error"]?["code"] } == [-32007])
      _ = try users[0].call("request.list")
    }
  }

  @Test func `an idle client without a grant makes room for one with a grant`() async throws {
    try await onOwnThread {
      var settings = BrokerSettings()
      settings.access.fallback = .deny
      var rule = AccessRule(name: "ada")
      rule.user = "ada"
      rule.grant = .always
      settings.access.rules = [rule]
      var limits = ServerLimits()
      limits.maxClients = 3
      let server = try LiveServer(
        limits: limits, broker: settings,
        principals: .init { Principal(uid: 1000 + UInt32($0), user: $0 == 4 || $0 == 6 ? "ada" : "bob") })
      let idle = try (0..<3).map { _ in try server.client() }
      for client in idle { _ = try client.call("request.list") }
      // The first was active last.
      _ = try idle[0].call("request.list")
      let ada = try server.client()
      _ = try ada.call("position.last")
      #expect(try idle[1].untilClosed().map { $0["params"]?["reason"] } == ["makingRoom"])
      // Another client without a grant finds none that was idle for so long.
      #expect(try server.client().untilClosed().map { $0["error"]?["code"] } == [-32007])
      _ = try server.client().call("position.last")
      #expect(try idle[2].untilClosed().map { $0["params"]?["reason"] } == ["makingRoom"])
      _ = try idle[0].call("request.list")
      _ = try ada.call("position.last")
    }
  }

  @Test func `unanswered calls are counted, and no more of the client's are read until one is answered`() async throws {
    try await onOwnThread {
      let called = Calls()
      let server = try LiveServer { event in
        guard case .called(let call, .lastFix) = event else { return nil }
        called.ids.withLock { $0.append(call) }
        return []
      }
      let (client, other) = (try server.client(), try server.client())
      let limit = BrokerSettings().maxRequestsPerClient + ServerLimits.unansweredBesides
      for _ in 0..<limit + 100 { try client.request("position.last") }
      try server.wait(until: { called.count >= limit }, what: "call for each that may be open")
      for _ in 0..<3 { _ = try other.call("request.list") }
      #expect(called.count == limit)
      // An answer makes room for one.
      server.perform(called.ids.withLock(\.first).map { [.answer($0, .failed(.shuttingDown))] } ?? [])
      try server.wait(until: { called.count > limit }, what: "call in the place of the one that was answered")
      for _ in 0..<3 { _ = try other.call("request.list") }
      #expect(called.count == limit + 1)
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
