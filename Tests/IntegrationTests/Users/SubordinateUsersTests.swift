import JSONRPC
import TestSupport
import Testing

/// Programs of real users that have the numbers of the users' ranges in /etc/subuid, and groups of all kinds, with the
/// real daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
struct SubordinateUsersTests {
  private static func fixture(_ configuration: [String]) throws -> IntegrationFixture {
    var settings = IntegrationFixture.Settings()
    settings.configuration = configuration
    return try IntegrationFixture(settings)
  }

  private static func authorization(_ fixture: IntegrationFixture, _ user: OtherUser) throws -> JSONValue {
    try fixture.client(as: user).call("authorization.get")
  }

  /// A group, a member of it, and a user who is none.
  private static func memberAndOther() throws -> (
    users: TemporaryUsers, members: (name: String, gid: UInt32), ada: OtherUser, ben: OtherUser
  ) {
    let users = try TemporaryUsers()
    let members = try users.addGroup()
    return (users, members, try users.addUser(groups: [members.gid]), try users.addUser())
  }

  @Test func `a group that is denied is denied without it too, and with a subordinate number`() async throws {
    try await onOwnThread {
      let users = try TemporaryUsers()
      let guests = try users.addGroup()
      let ada = try users.addUser(groups: [guests.gid])
      let fixture = try Self.fixture([
        "authorization.default=allow", "rule guests.group=\(guests.name)", "rule guests.grant=deny",
      ])
      let number = try users.subordinates(of: ada).lowerBound + 7
      for user in [
        ada, OtherUser(uid: ada.uid, gid: ada.gid), OtherUser(uid: number),
        OtherUser(uid: number, groups: [guests.gid]),
      ] {
        let authorization = try Self.authorization(fixture, user)
        #expect(
          authorization["state"] == "restricted" && authorization["rule"] == "guests", "\(user): \(authorization)")
      }
      let ben = try users.addUser()
      #expect(try Self.authorization(fixture, ben)["state"] == "always")
    }
  }

  @Test func `a subordinate number has its owner's rules and decisions, and none of its own`() async throws {
    try await onOwnThread {
      let (users, members, ada, ben) = try Self.memberAndOther()
      let fixture = try Self.fixture([
        "authorization.default=allow", "rule ada.user=\(ada.name ?? "")", "rule ada.grant=always",
        "rule ada.precision=reduced", "rule members.group=\(members.name)", "rule members.grant=always",
      ])
      let adas = OtherUser(uid: try users.subordinates(of: ada).lowerBound, groups: [members.gid])
      let authorization = try Self.authorization(fixture, adas)
      #expect(authorization["precision"] == "reduced" && authorization["rule"] == "ada", "\(authorization)")
      let principal = try fixture.client(as: adas).call("session.hello")["principal"]
      #expect(principal?["uid"] == .integer(Int(ada.uid)) && principal?["user"] == ada.name.map { .string($0) })
      #expect(principal?["subordinate"] == .integer(Int(adas.uid)))

      let bens = OtherUser(uid: try users.subordinates(of: ben).upperBound)
      let client = try fixture.client(as: bens)
      #expect(try client.call("authorization.get")["state"] == "whenInUse")
      _ = try fixture.client().call("admin.grant", ["user": .string(ben.name ?? ""), "level": "deny"])
      #expect(try client.notification("authorization.changed")["state"] == "denied")
      #expect(try Self.authorization(fixture, bens)["state"] == "denied")
    }
  }

  @Test func `a user who gets a range while the daemon runs owns it at once, and until the user is removed`()
    async throws
  {
    try await onOwnThread {
      let fixture = try Self.fixture(["authorization.default=ask", "rule root.user=root", "rule root.agent=all"])
      let users = try TemporaryUsers()
      let ada = try users.addUser()
      let number = OtherUser(uid: try users.subordinates(of: ada).lowerBound + 1)
      let principal = try fixture.client(as: number).call("session.hello")["principal"]
      #expect(principal?["user"] == ada.name.map { .string($0) }, "\(String(describing: principal))")
      try users.remove(ada)
      var user: JSONValue? = ""
      // The answer of a moment ago counts for a second.
      while user != nil {
        user = try fixture.client(as: number).call("session.hello")["principal"]?["user"]
      }
    }
  }

  @Test func `many numbers of one user are one prompt, and one user to whom positions are given`() async throws {
    try await onOwnThread {
      let users = try UndecidedUserFixture()
      let range = try users.subordinates(of: users.ben)
      let agent = try users.agent()
      let clients = try (0..<8).map { try users.client(of: OtherUser(uid: range.lowerBound + $0)) }
      let requests = try clients.map { ($0, try $0.request("position.get", ["timeout": 600])) }
      let prompt = try agent.prompt()
      let asked = prompt["params"]?["principal"]
      #expect(asked?["user"] == users.ben.name.map { .string($0) } && asked?["subordinate"] != nil, "\(prompt)")
      let own = try users.client(of: users.ben)
      try own.request("position.get")
      #expect(throws: TimedOut.self) { try agent.prompt(within: 0.01) }
      try agent.answer(prompt, ["decision": "allow"])
      for (client, request) in requests { #expect(try client.reply(to: request)["result"]?["fix"] != nil) }
      let status = try users.fixture.client().call("status.get")
      let names = status["inUse"]?.elements.map { $0["user"] }
      #expect(names == [users.ben.name.map { .string($0) }], "\(status)")
    }
  }

  @Test func `a program with the setgid bit of a group lets only its members in`() async throws {
    try await onOwnThread {
      let (users, members, ada, ben) = try Self.memberAndOther()
      defer { withExtendedLifetime(users) {} }
      let fixture = try Self.fixture([
        "authorization.default=deny", "rule members.group=\(members.name)", "rule members.grant=always",
      ])
      // The bit changes the primary group alone.
      let (adas, bens) = (OtherUser(uid: ada.uid, gid: members.gid), OtherUser(uid: ben.uid, gid: members.gid))
      #expect(try Self.authorization(fixture, bens)["state"] == "restricted")
      #expect(try Self.authorization(fixture, adas)["state"] == "always")
      // Groups that a login or a unit gives are among the further ones.
      let given = OtherUser(uid: ben.uid, gid: members.gid, groups: [members.gid])
      #expect(try Self.authorization(fixture, given)["state"] == "always")
    }
  }
}
