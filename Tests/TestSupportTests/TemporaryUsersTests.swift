import EventLoop
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: OtherUser.canBeAnybody, "\(OtherUser.reason)"))
struct TemporaryUsersTests {
  @Test func `users and groups can be looked up by name until they are removed`() async throws {
    try await onOwnThread {
      var users: TemporaryUsers? = try TemporaryUsers()
      let group = try #require(try users?.addGroup())
      let ada = try #require(try users?.addUser(groups: [group.gid]))
      let ben = try #require(try users?.addUser())
      let (adasName, bensName) = (try #require(ada.name), try #require(ben.name))
      #expect(ada.uid != ben.uid && adasName != bensName)
      #expect(
        AccountLookup.userName(of: ada.uid) == .found(adasName)
          && AccountLookup.userName(of: ben.uid) == .found(bensName))
      #expect(Self.number(of: group.name) == group.gid)
      #expect(ada.groups == [group.gid] && ben.groups.isEmpty)
      #expect(Self.groups(of: ada) == [ada.gid, group.gid] && Self.groups(of: ben) == [ben.gid])
      users = nil
      // Another test may have got the number meanwhile.
      #expect(AccountLookup.userName(of: ada.uid) != .found(adasName))
      #expect(AccountLookup.userName(of: ben.uid) != .found(bensName))
      #expect(Self.number(of: group.name) == nil && Self.number(of: adasName) == nil)
    }
  }

  @Test func `a number can lose its user, and get another`() async throws {
    try await onOwnThread {
      let users = try TemporaryUsers()
      let ada = try users.addUser()
      let renamed = try users.rename(ada)
      #expect(renamed.uid == ada.uid && renamed.name != ada.name)
      let name = try #require(renamed.name)
      #expect(AccountLookup.userName(of: ada.uid) == .found(name))
      try users.remove(renamed)
      #expect(AccountLookup.userName(of: ada.uid) == .absent)
      let heir = try users.addUser(uid: ada.uid)
      let heirsName = try #require(heir.name)
      #expect(heir.uid == ada.uid && heirsName != name && AccountLookup.userName(of: ada.uid) == .found(heirsName))
      #expect(throws: TimedOut.self) { try users.remove(ada) }
    }
  }

  @Test func `leftovers of a killed test are removed by the next one`() async throws {
    try await withLoop { loop in
      // No process can have this number.
      let name = "positest-4194999-1"
      var exit: ChildExit?
      let useradd = try Subprocess(Command("/usr/sbin/useradd", ["--user-group", name]), on: loop) { exit = $0 }
      try loop.drive(until: "useradd's end") { exit != nil }
      withExtendedLifetime(useradd) {}
      // It existed. Another test that begins just now may have removed it already.
      #expect(exit == .exited(0))
      _ = try TemporaryUsers()
      #expect(unsafe getpwnam(name) == nil)
      #expect(Self.number(of: name) == nil)
    }
  }

  private static func number(of group: String) -> UInt32? {
    guard let entry = unsafe getgrnam(group) else { return nil }
    return unsafe entry.pointee.gr_gid
  }

  private static func groups(of user: OtherUser) -> Set<UInt32> {
    var groups = [gid_t](repeating: 0, count: 32)
    var count = Int32(groups.count)
    guard unsafe getgrouplist(user.name ?? "", user.gid, &groups, &count) >= 0 else { return [] }
    return Set(groups.prefix(Int(count)))
  }
}
