import Broker
import EventLoop
import Glibc
import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import Server

/// User lookups in a system that may hang: only the client whom the lookup is about waits.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct NamesTests {
  private static func named(_ number: UInt32, _ name: String) -> AccountLookup<Account> {
    .found(Account(number: number, name: name))
  }

  @Test func `a client has the system's user name, and none if the system cannot answer in time`() async throws {
    try await onOwnThread {
      let hang = Latch()
      defer { hang.open() }
      let server = try LiveServer(
        accounts: .init { question in
          guard question == .client(getuid(), owners: []) else { return .absent }
          hang.wait()
          return Self.named(getuid(), "ada")
        })
      // The lookup does not answer: the client is served all the same, in the end without a name.
      let principal = try server.client().call("session.hello")["principal"]
      #expect(principal?["uid"] == .integer(Int(getuid())))
      #expect(principal?["user"] == nil)
    }
  }

  @Test func `the user of a decision is looked up while others are served`() async throws {
    try await onOwnThread {
      let hang = Latch()
      let server = try LiveServer(
        principal: Principal(uid: 0),
        accounts: .init { question in
          hang.wait()
          return question == .userNumber("bob") ? Self.named(1001, "bob") : .absent
        })
      let (administrator, other) = (try server.client(), try server.client())
      let revoke = try administrator.request("admin.revoke", ["user": "bob"])
      // The same client continues, and so do others.
      let nothing = "a user for whom a decision is stored" as JSONValue
      _ = try administrator.call("status.get")
      _ = try other.call("status.get")
      // Calls that name a user wait their turn, so that no decision overtakes another.
      let number = try administrator.request("admin.revoke", ["user": 1002])
      hang.open()
      #expect(try administrator.reply(to: revoke)["error"]?["data"]?["expected"] == nothing)
      #expect(try administrator.reply(to: number)["error"]?["data"]?["expected"] == nothing)
    }
  }

  @Test func `a client that may not decide causes no lookup`() async throws {
    try await onOwnThread {
      let server = try LiveServer(
        principal: Principal(uid: 1001, user: "bob"), accounts: .init { _ in fatalError("the system was asked") })
      let client = try server.client()
      for (method, more) in [("admin.grant", ["level": "always"]), ("admin.revoke", [:])]
        as [(String, [String: JSONValue])]
      {
        let params = more.merging(["user": "ada"]) { $1 }
        let error = try client.reply(to: try client.request(method, params))["error"]
        #expect(error?["code"] == -32002, "\(method)")
      }
    }
  }

  @Test func `a client that may not have regions has no polygon checked`() async throws {
    try await onOwnThread {
      var settings = BrokerSettings.open
      settings.access.fallback = .deny
      let server = try LiveServer(broker: settings, principal: Principal(uid: 1001, user: "bob"))
      let client = try server.client()
      // Its edges cross: if it were checked, that would be another error.
      let corners: [(Int, Int)] = [(1, 1), (2, 2), (2, 1), (1, 2)]
      let polygon = JSONValue.array(
        corners.map { [.integer($0.0), .integer($0.1)] })
      let error = try client.reply(to: try client.request("region.add", ["id": "a", "polygon": polygon]))["error"]
      #expect(error?["code"] == -32002, "\(String(describing: error))")
    }
  }
}
