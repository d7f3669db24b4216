import JSONRPC
import TestSupport
import Testing

/// Clients of two real users with the real daemon: neither sees or changes what belongs to the other.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
struct OtherUsersTests {
  /// `data` and `message` of an error name the requested thing, and nothing else.
  private static func isNotFound(_ error: JSONValue, _ what: String) -> Bool {
    error["code"] == -32008 && error["message"] == .string("Not found: \(what)") && error["data"] == nil
  }

  @Test func `the daemon knows each user by the kernel's credentials, whatever a client says`() async throws {
    try await onOwnThread {
      let users = try TwoUserFixture()
      for person in [users.ada, users.ben] {
        let principal = try person.call("session.hello", ["name": "ada", "purpose": "being ada"])["principal"]
        #expect(principal?["uid"] == .integer(Int(person.user.uid)))
        #expect(principal?["user"] == person.user.name.map { .string($0) })
        #expect(principal?["groups"] == [.integer(Int(person.user.gid))])
      }
    }
  }

  @Test func `another user's requests are not listed, not completed and not cancelled`() async throws {
    try await onOwnThread {
      let users = try TwoUserFixture()
      try users.ada.client.send(
        raw: #"{"jsonrpc":"2.0","id":"hers","method":"position.get","params":{"accuracy":0.001,"timeout":600}}"# + "\n")
      #expect(try users.ada.call("request.list")["requests"]?.elements.count == 1)
      #expect(try users.ben.call("request.list")["requests"] == [])
      for method in ["request.complete", "request.cancel"] {
        #expect(try users.ben.call(method, ["request": "hers"])["outcome"] == "unknown")
      }
      try users.ben.client.send(raw: #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"hers"}}"# + "\n")
      #expect(try users.ben.call("request.list")["requests"] == [])

      // Nor by another connection of the same user.
      let second = try users.another(users.ada)
      #expect(try second.call("request.cancel", ["request": "hers"])["outcome"] == "unknown")
      #expect(try users.ada.call("request.list")["requests"]?.elements.first?["request"] == "hers")
      #expect(try users.ada.call("request.cancel", ["request": "hers"])["outcome"] == "cancelled")
    }
  }

  @Test func `another user's subscriptions are not listed, not changed and not cancelled`() async throws {
    try await onOwnThread {
      let users = try TwoUserFixture()
      #expect(try users.ada.call("position.subscribe")["subscription"] == 1)
      let deferred = try users.ada.call("position.subscribe", ["mode": "deferred", "deferredTimeout": 3600])
      #expect(deferred["subscription"] == 2)
      let before = try users.ada.call("subscription.list")["subscriptions"]?.elements.map { $0["parameters"] }
      #expect(try users.ben.call("subscription.list")["subscriptions"] == [])
      for number in [1, 2] {
        for word in ["cancel", "pause", "resume", "acquire", "flush"] {
          let error = try users.ben.refused("subscription.\(word)", ["subscription": .integer(number)])
          #expect(Self.isNotFound(error, "subscription \(number)"), "\(word): \(error)")
        }
        let error = try users.ben.refused(
          "subscription.update", ["subscription": .integer(number), "minInterval": 3600])
        #expect(Self.isNotFound(error, "subscription \(number)"), "\(error)")
      }

      // His own subscription with that number is a different one.
      #expect(try users.ben.call("position.subscribe", ["mode": "passive"])["subscription"] == 1)
      #expect(try users.ben.call("subscription.pause", ["subscription": 1])["state"] == "paused")
      #expect(try users.ben.call("subscription.cancel", ["subscription": 1])["state"] == "ended")
      let after = try users.ada.call("subscription.list")["subscriptions"]?.elements
      #expect(after?.map { $0["parameters"] } == before)
      #expect(after?.contains { $0["state"] == "paused" || $0["state"] == "ended" } == false, "\(after ?? [])")
      let update = try users.ada.client.next(what: "fix") { $0["params"]?["fix"] != nil }
      #expect(update["params"]?["subscription"] == 1)
      #expect(try users.ada.call("subscription.flush", ["subscription": 2])["subscription"] == 2)
    }
  }

  @Test func `another user's regions are not listed, not shown and not removed`() async throws {
    try await onOwnThread {
      let users = try TwoUserFixture()
      let hers: JSONValue = ["latitude": 48.137, "longitude": 11.575, "radius": 5000]
      let his: JSONValue = ["latitude": 10, "longitude": 20, "radius": 150]
      _ = try users.ada.call("region.add", ["id": "home", "circle": hers])
      #expect(try users.ben.call("region.list")["regions"] == [])
      for method in ["region.state", "region.remove"] {
        let error = try users.ben.refused(method, ["id": "home"])
        #expect(Self.isNotFound(error, "region home"), "\(method): \(error)")
      }
      _ = try users.ben.call("region.add", ["id": "home", "circle": his])
      #expect(try users.ada.call("region.list")["regions"]?.elements.map { $0["circle"] } == [hers])
      #expect(try users.ben.call("region.list")["regions"]?.elements.map { $0["circle"] } == [his])
      _ = try users.ben.call("region.remove", ["id": "home"])
      #expect(try users.ada.call("region.list")["regions"]?.elements.count == 1)
    }
  }

  @Test func `another user's durable name is not found, and one with the same name is a different one`() async throws {
    try await onOwnThread {
      let users = try TwoUserFixture()
      try Self.register(users.ada, timeout: 0.5)
      _ = try users.ada.call("durable.attach", ["name": "tracker"])
      _ = try users.ada.client.next(what: "event") { $0["params"]?["eventId"] == 2 }

      #expect(try users.ben.call("durable.list")["names"] == [])
      let durable: JSONValue = ["name": "tracker"]
      let attempts: [(String, [String: JSONValue])] = [
        ("durable.attach", ["name": "tracker"]), ("durable.attach", ["name": "tracker", "sinceEvent": 1]),
        ("durable.acknowledge", ["name": "tracker", "event": 1]), ("durable.remove", ["name": "tracker"]),
        ("region.list", ["durable": durable]), ("region.state", ["id": "home", "durable": durable]),
        ("region.remove", ["id": "home", "durable": durable]),
      ]
      for (method, params) in attempts {
        let error = try users.ben.refused(method, params)
        #expect(error["code"] == -32008 && error["data"] == nil, "\(method) \(params): \(error)")
      }
      for word in ["pause", "resume", "acquire", "flush"] {
        let error = try users.ben.refused("subscription.\(word)", ["durable": durable])
        #expect(error["code"] == -32008 && error["data"] == nil, "\(word): \(error)")
      }

      // His own name begins empty, takes nothing from hers, and does not detach her.
      try Self.register(users.ben, timeout: 3600)
      let attached = try users.ben.call("durable.attach", ["name": "tracker"])
      #expect(attached["lastEvent"] == 0 && attached["waiting"] == 0, "\(attached)")
      #expect(try users.ben.call("durable.list")["names"]?.elements.count == 1)
      #expect(try users.ben.refused("durable.acknowledge", ["name": "tracker", "event": 1])["code"] == -32602)
      _ = try users.ben.call("region.remove", ["id": "home", "durable": durable])
      #expect(try users.ben.call("durable.remove", ["name": "tracker"])["waiting"] == 0)

      let event = try users.ada.client.next(what: "event") { $0["params"]?["eventId"] == 3 }
      #expect(event["params"]?["durable"] == "tracker")
      #expect(throws: TimedOut.self) {
        try users.ada.client.next(within: 0.01, what: "end") { $0["method"] == "subscription.ended" }
      }
      let later = try users.another(users.ada)
      let still = try later.call("durable.attach", ["name": "tracker"])
      #expect(still["regions"]?.elements.map { $0["id"] } == ["home"], "\(still)")
      let first = try later.client.next(what: "event") { $0["params"]?["eventId"] != nil }
      #expect(first["params"]?["eventId"] == 1)
    }
  }

  @Test func `effects of one user's requests do not reach another user`() async throws {
    try await onOwnThread {
      let users = try TwoUserFixture()
      _ = try users.ben.call("status.subscribe")
      _ = try users.ada.call("session.hello", ["name": "adas-map", "purpose": "adas-errand"])
      _ = try users.ada.call("position.subscribe", ["accuracy": 7, "minInterval": 1])
      _ = try users.ada.client.next(what: "fix") { $0["params"]?["fix"] != nil }
      // Ben is notified that the receiver is needed, and of nothing but the status.
      let status = try users.ben.client.next(what: "status") {
        $0["params"]?["demand"]?["accuracy"] == 7
      }
      #expect(status["method"] == "status.update")
      let demand = try #require(status["params"]?["demand"])
      #expect(demand["clients"]?.elements.isEmpty ?? true, "\(demand)")
      #expect(demand["omitted"] == 1, "\(demand)")
      #expect(throws: TimedOut.self) {
        try users.ben.client.next(within: 0.01, what: "other") { $0["method"] != "status.update" }
      }
    }
  }

  /// A region, and a subscription whose batches wait, under a name that both of them use.
  private static func register(_ person: TwoUserFixture.Person, timeout: Double) throws {
    _ = try person.call(
      "position.subscribe",
      ["mode": "deferred", "deferredTimeout": .number(timeout), "durable": ["name": "tracker"]])
    _ = try person.call(
      "region.add",
      [
        "id": "home", "circle": ["latitude": 48.137, "longitude": 11.575, "radius": 150],
        "durable": ["name": "tracker"],
      ])
  }
}
