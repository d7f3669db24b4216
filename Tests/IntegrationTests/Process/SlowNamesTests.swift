import EventLoop
import Glibc
import JSONRPC
import ReceiverSimulator
import TestSupport
import Testing

/// The real daemon beside a directory server that does not answer for a while, or answers too early.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct SlowNamesTests {
  @Test("the daemon starts, serves, reloads and decides while user lookups are slow, and uses late answers")
  func slow() async throws {
    try await withLoop { loop in
      let directory = try Preload("slow-names.c", "SLOW_NAMES")
      try directory.hold()
      let fixture = try DaemonFixture(on: loop)
      let rules = ["rule far.group=root", "rule far.grant=always"]
      try fixture.configure(rules)
      let daemon = try fixture.startServing(environment: directory.environment)
      #expect(daemon.output.contains("cannot look up group root"), "\(daemon.output)")

      // A client is served without a name, and nobody else waits with it.
      let client = try fixture.client()
      let isNameless = try client.call("session.hello")["principal"]
      #expect(isNameless?["uid"] == .integer(Int(getuid())) && isNameless?["user"] == nil, "\(daemon.output)")

      // The configuration is reloaded, and a decision is made: connected clients are served meanwhile.
      try fixture.configure(rules + ["fix.max-speed=400"])
      daemon.send(SIGHUP)
      let grant = try client.request("admin.grant", ["user": "root", "level": "always"])
      _ = try client.call("status.get")
      if getuid() == 0 {
        #expect(try client.reply(to: grant)["error"]?["code"] == -32603)
      }
      try daemon.waitToSay("max-speed in [fix]: 500 -> 400")
      _ = try client.call("status.get")

      // The late answer counts for connected clients.
      try directory.release()
      let name = try #require(AccountLookup.userName(of: getuid()).found)
      var user: JSONValue?
      while user == nil {
        user = try client.call("session.hello")["principal"]?["user"]
      }
      #expect(user == .string(name))
      daemon.send(SIGTERM)
      #expect(try daemon.waitForExit() == 0)
    }
  }

  @Test(
    "keeps the data of users whom the system does not know, or cannot look up, when the daemon starts",
    arguments: ["absent", "unreachable"])
  func early(failure: String) async throws {
    try await withLoop { loop in
      let directory = try Preload("slow-names.c", "SLOW_NAMES")
      let fixture = try DaemonFixture(on: loop)
      let first = try fixture.startServing()
      _ = try fixture.client().call(
        "region.add",
        [
          "id": "home", "circle": ["latitude": 48.137, "longitude": 11.575, "radius": 150],
          "durable": ["name": "tracker"],
        ])
      if getuid() == 0 { _ = try fixture.client().call("admin.grant", ["user": "root", "level": "always"]) }
      let kept = try fixture.client().call("durable.list")["names"]
      let name = try fixture.client().call("session.hello")["principal"]?["user"]
      first.send(SIGKILL)
      _ = try first.waitForExit()

      try directory.answer(failure)
      let early = try fixture.startServing(environment: directory.environment)
      let client = try fixture.client()
      #expect(try client.call("session.hello")["principal"]?["user"] == nil, "\(early.output)")
      #expect(try client.call("durable.list")["names"] == [])

      // The system knows the user again, and connected clients have everything again.
      try directory.answer("")
      early.send(SIGHUP)
      var names: JSONValue? = []
      while names == [] {
        names = try client.call("durable.list")["names"]
      }
      #expect(names == kept)
      #expect(try client.call("session.hello")["principal"]?["user"] == name)
      if getuid() == 0 {
        let grants = try client.call("admin.grants")["grants"]?.elements ?? []
        #expect(grants.map { $0["level"] } == ["always"], "\(grants)")
      }
      early.send(SIGKILL)
      _ = try early.waitForExit()

      let last = try fixture.startServing()
      #expect(try fixture.client().call("durable.list")["names"] == kept, "\(last.output)")
    }
  }
}

extension AccountLookup {
  fileprivate var found: Value? { if case .found(let value) = self { value } else { nil } }
}
