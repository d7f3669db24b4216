import Broker
import EventLoop
import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import Server

/// Clients that ask for other users, as a rule lets them.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct RelayTests {
  private static let bridge = Principal(uid: 900, gid: 900, pid: 77, user: "bridge", unit: .named("bridge.service"))

  /// A server on which the user `bridge` is a relay that itself may know nothing, and the group 50 may know.
  private static func server(
    limits: ServerLimits = ServerLimits(), rules: [AccessRule] = [], isRelay: Bool = true
  ) throws -> LiveServer {
    var settings = BrokerSettings.open
    settings.access.fallback = .deny
    var relay = AccessRule(name: "relay")
    (relay.user, relay.grant, relay.isRelay) = ("bridge", .deny, isRelay)
    var members = AccessRule(name: "members")
    members.groupName = "members"
    (members.group, members.grant) = (.number(50), .always)
    settings.access.rules = [relay] + rules + [members]
    return try LiveServer(
      limits: limits, broker: settings, principal: Self.bridge,
      accounts: .init { question in
        switch question {
        case .client(0, _): .found(Account(number: 0, name: "root", groups: [0]))
        case .client(1000, _): .found(Account(number: 1000, name: "ada", groups: [1000, 50]))
        case .client(1001, _): .found(Account(number: 1001, name: "bob", groups: [1001]))
        case .client(1002, _): .unknown(SystemError(code: 5, call: "look up"))
        default: .absent
        }
      })
  }

  @Test func `it has what the user may know, and the user's groups, while it is connected`() async throws {
    try await onOwnThread {
      let server = try Self.server()
      for (uid, name, groups, state) in [(1000, "ada", [1000, 50], "whenInUse"), (1001, "bob", [1001], "restricted")] {
        let hello = try server.client().call("session.hello", ["name": "map", "onBehalfOf": .integer(uid)])
        let principal = hello["principal"]
        #expect(principal?["uid"] == .integer(uid) && principal?["user"] == .string(name))
        #expect(principal?["groups"] == .array(groups.map { .integer($0) }))
        #expect(principal?["relay"] == 900 && principal?["pid"] == 77 && principal?["name"] == "map")
        // Which unit the program belongs to is unknown.
        #expect(principal?["unit"] == nil)
        #expect(hello["authorization"]?["state"] == .string(state), "\(hello)")
      }
    }
  }

  @Test func `a rule that denies a unit denies it, because the program's unit is unknown`() async throws {
    try await onOwnThread {
      var denial = AccessRule(name: "weather")
      (denial.unit, denial.grant) = ("weather.service", .deny)
      let server = try Self.server(rules: [denial])
      let hello = try server.client().call("session.hello", ["onBehalfOf": 1000])
      #expect(hello["authorization"]?["state"] == "restricted")
    }
  }

  @Test func `root's power does not come through it`() async throws {
    try await onOwnThread {
      let server = try Self.server()
      let client = try server.client()
      #expect(try client.call("session.hello", ["onBehalfOf": 0])["authorization"]?["state"] == "whenInUse")
      let refused: [(String, [String: JSONValue], Int)] = [
        ("admin.clients", [:], -32002), ("agent.register", [:], -32002), ("durable.attach", ["name": "x"], -32001),
      ]
      for (method, params, code) in refused {
        let reply = try client.reply(to: try client.request(method, params))
        #expect(reply["error"]?["code"] == .integer(code), "\(reply)")
      }
    }
  }

  @Test func `a client without the rule stays who it is`() async throws {
    try await onOwnThread {
      let server = try Self.server(isRelay: false)
      let client = try server.client()
      let reply = try client.reply(to: try client.request("session.hello", ["onBehalfOf": 1000]))
      #expect(reply["error"]?["code"] == -32002)
      #expect(try client.call("session.hello")["principal"]?["uid"] == 900)
    }
  }

  @Test func `the user is fixed by the first request, and nothing is read before it is known`() async throws {
    try await onOwnThread {
      let server = try Self.server()
      let client = try server.client()
      // Sent together: the second is ada's.
      try client.send(
        raw: #"{"jsonrpc":"2.0","id":1,"method":"session.hello","params":{"onBehalfOf":1000}}"# + "\n"
          + #"{"jsonrpc":"2.0","id":2,"method":"authorization.get"}"# + "\n")
      #expect(try client.next(what: "greeting") { $0["id"] == 1 }["result"]?["principal"]?["uid"] == 1000)
      #expect(try client.next(what: "answer") { $0["id"] == 2 }["result"]?["state"] == "whenInUse")
      let late = try server.client()
      _ = try late.call("status.get")
      let reply = try late.reply(to: try late.request("session.hello", ["onBehalfOf": 1000]))
      #expect(reply["error"]?["data"]?["path"] == "onBehalfOf", "\(reply)")
    }
  }

  @Test func `for a user who cannot be looked up it cannot speak`() async throws {
    try await onOwnThread {
      let server = try Self.server()
      for (uid, code) in [(4711, -32602), (1002, -32603)] {
        let client = try server.client()
        let reply = try client.reply(to: try client.request("session.hello", ["onBehalfOf": .integer(uid)]))
        #expect(reply["error"]?["code"] == .integer(code), "\(reply)")
        #expect(try client.call("session.hello")["principal"]?["uid"] == 900)
      }
    }
  }

  @Test func `its connections are places of the user`() async throws {
    try await onOwnThread {
      var limits = ServerLimits()
      limits.maxClientsPerUser = 2
      let server = try Self.server(limits: limits)
      var clients: [LineClient] = []
      for _ in 0..<2 {
        clients.append(try server.client())
        _ = try clients.last?.call("session.hello", ["onBehalfOf": 1000])
      }
      let third = try server.client()
      let reply = try third.reply(to: try third.request("session.hello", ["onBehalfOf": 1000]))
      #expect(reply["error"]?["data"]?["limit"] == "max-clients-per-user", "\(reply)")
      // Another user's place is another one, and so is the relay's own.
      let other = try server.client()
      #expect(try other.call("session.hello", ["onBehalfOf": 1001])["principal"]?["uid"] == 1001)
    }
  }
}
