import Broker
import EventLoop
import Glibc
import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import Server

/// Places by user: whatever numbers a user's programs have, and whoever has the most.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct PlacesTests {
  private static func folder(_ text: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let number = unsafe open(folder.file("subuid"), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let file = try FileDescriptor(adopting: number)
    guard case .wrote(text.utf8.count) = try file.write(Array(text.utf8)[...]) else { throw TimedOut("no room") }
    return folder
  }

  /// What the kernel says of clients with ever other numbers of one range.
  private static let peers = LiveServer.Principals { number in
    let uid = 165_535 + UInt32(number)
    var peer = Principal(uid: uid, gid: uid, pid: Int32(number))
    peer.accountGroups = nil
    return peer
  }

  @Test func `a user's programs have one user's places, whatever subordinate numbers they have`() async throws {
    try await onOwnThread {
      let folder = try Self.folder("ada:165536:65536\n")
      var limits = ServerLimits()
      limits.maxClientsPerUser = 4
      let server = try LiveServer(
        limits: limits, peers: Self.peers, subordinates: folder.file("subuid"),
        accounts: .init { question in
          guard case .client(_, owners: ["ada"]) = question else { return .absent }
          return .found(Account(number: 1000, name: "ada", groups: [1000, 50]))
        })
      var clients = try (0..<4).map { _ in try server.client() }
      for (place, client) in clients.enumerated() {
        let principal = try client.call("session.hello")["principal"]
        #expect(principal?["uid"] == 1000 && principal?["user"] == "ada")
        #expect(principal?["subordinate"] == .integer(165_536 + place))
      }
      for _ in 0..<3 {
        let messages = try server.client().untilClosed()
        #expect(messages.map { $0["error"]?["data"] } == [["limit": "max-clients-per-user", "value": 4]])
      }
      clients.removeLast()
      while try clients[0].call("status.get")["clients"] == 4 {}
      _ = try server.client().call("request.list")
    }
  }

  @Test func `if the owner of a range cannot be looked up, its numbers are one user, who is given nothing`()
    async throws
  {
    try await onOwnThread {
      let folder = try Self.folder("ada:165536:65536\n")
      var limits = ServerLimits()
      limits.maxClientsPerUser = 2
      let server = try LiveServer(
        limits: limits, peers: Self.peers, subordinates: folder.file("subuid"),
        accounts: .init { _ in .unknown(SystemError(code: 5, call: "look up")) })
      let clients = try (0..<2).map { _ in try server.client() }
      for (place, client) in clients.enumerated() {
        let hello = try client.call("session.hello")
        #expect(hello["principal"]?["uid"] == 165_536 && hello["principal"]?["user"] == nil)
        #expect(hello["principal"]?["subordinate"] == .integer(165_536 + place))
        #expect(hello["authorization"]?["state"] == "restricted")
      }
      let messages = try server.client().untilClosed()
      #expect(messages.map { $0["error"]?["data"]?["limit"] } == ["max-clients-per-user"])
    }
  }

  @Test func `who is turned away because its groups cannot be looked up gives its place back`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxClientsPerUser = 2
      // The kernel knows no groups of a client over TCP.
      let peers = LiveServer.Principals { _ in
        var peer = Principal(uid: 1001, unit: .unknown)
        peer.accountGroups = nil
        return peer
      }
      let server = try LiveServer(
        limits: limits, peers: peers, accounts: .init { _ in .unknown(SystemError(code: 5, call: "look up")) })
      for _ in 0..<4 { #expect(try server.client().untilClosed().isEmpty) }
    }
  }

  /// Who comes as which client, by the first letter.
  private static func comers(_ letters: String) -> LiveServer.Principals {
    let names = letters.map { ["a": "ada", "b": "ben", "e": "eve"][$0] ?? "root" }
    let numbers: [String: UInt32] = ["ada": 1001, "ben": 1002, "eve": 1003, "root": 0]
    return LiveServer.Principals { number in
      let name = names[number - 1]
      return Principal(uid: numbers[name] ?? 0, user: name)
    }
  }

  private static func reason(_ client: LineClient) throws -> [JSONValue?] {
    try client.untilClosed().map { $0["params"]?["reason"] }
  }

  @Test(
    "if all places are taken, one of the user who has the most makes room, active or not, until places are even",
    arguments: [AccessPolicy.Fallback.allow, .ask])
  func largest(fallback: AccessPolicy.Fallback) async throws {
    try await onOwnThread {
      var settings = BrokerSettings()
      settings.access.fallback = fallback
      var limits = ServerLimits()
      limits.maxClients = 6
      let server = try LiveServer(limits: limits, broker: settings, principals: Self.comers("aaaabbeeeea"))
      let adas = try (0..<4).map { _ in try server.client() }
      let bens = try (0..<2).map { _ in try server.client() }
      for client in adas + bens { _ = try client.call("request.list") }
      let first = try server.client()
      _ = try first.call("request.list")
      #expect(try Self.reason(adas[3]) == ["makingRoom"])
      for client in adas[..<3] + bens { _ = try client.call("request.list") }
      let second = try server.client()
      _ = try second.call("request.list")
      #expect(try Self.reason(adas[2]) == ["makingRoom"])
      // Each has two now.
      for _ in 0..<3 {
        let messages = try server.client().untilClosed()
        #expect(messages.map { $0["error"]?["data"]?["limit"] } == ["max-clients"])
      }
      for client in adas[..<2] + bens + [first, second] { _ = try client.call("request.list") }
    }
  }

  @Test func `root, administrators and agents make no room, however many places they have`() async throws {
    try await onOwnThread {
      var settings = BrokerSettings()
      settings.access.rules = ["ada", "ben"].map { user in
        var rule = AccessRule(name: user)
        (rule.user, rule.isAdministrator, rule.agent) = (user, user == "ada", user == "ben" ? .own : .none)
        return rule
      }
      var limits = ServerLimits()
      limits.maxClients = 6
      let server = try LiveServer(limits: limits, broker: settings, principals: Self.comers("rraabbe"))
      let clients = try (0..<6).map { _ in try server.client() }
      for client in clients { _ = try client.call("request.list") }
      let messages = try server.client().untilClosed()
      #expect(messages.map { $0["error"]?["data"]?["limit"] } == ["max-clients"])
      for client in clients { _ = try client.call("request.list") }
    }
  }
}
