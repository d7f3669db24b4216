import Glibc
import Testing

@testable import EventLoop

@Suite("Users and groups in the system's database")
struct AccountLookupTests {
  @Test("root has a name; a name without a user is not found")
  func known() {
    #expect(AccountLookup.user(named: "root") == .found(0))
    #expect(AccountLookup.group(named: "root") == .found(0))
    #expect(AccountLookup.user(named: "no such user") == .absent)
    #expect(AccountLookup.group(named: "no such group") == .absent)
    #expect(AccountLookup.user(4_123_456_789) == .absent)
    #expect(AccountLookup.userName(of: 0) == .found("root"))
    #expect(AccountLookup.userName(of: 4_123_456_789) == .absent)
  }

  @Test("A name is compared to its end", arguments: ["", "Root", "root\u{0}", "root\u{0}x"])
  func exact(name: String) {
    #expect(AccountLookup.user(named: name) == .absent)
    #expect(AccountLookup.group(named: name) == .absent)
  }

  @Test("A user's groups begin with its primary one")
  func groups() {
    guard case .found(let root) = AccountLookup.user(0) else {
      Issue.record("root is not known")
      return
    }
    #expect(root.name == "root")
    #expect(root.groups.first == 0)
    #expect(Set(root.groups).count == root.groups.count)
  }

  @Test(
    "A number without a user is that of its owner, who is named or numbered",
    arguments: [
      (["root"], true), (["0"], true), (["no such user", "0", "root"], true), (["no such user"], false), ([], false),
    ])
  func owner(owners: [String], isRoots: Bool) {
    let lookup = AccountLookup.client(4_123_456_789, owners: owners)
    #expect(lookup.map(\.name) == (isRoots ? .found("root") : .absent))
    // A user of its own comes first.
    #expect(AccountLookup.client(0, owners: owners).map(\.number) == .found(0))
  }

  @Test("A number of two owners belongs to nobody who is known")
  func owners() {
    // Every system has both.
    let lookup = AccountLookup.client(4_123_456_789, owners: ["root", "daemon"])
    #expect(lookup == .unknown(SystemError(code: ENOTUNIQ, call: "look up the owner of user 4123456789")))
  }

  @Test("A long answer gets a larger buffer")
  func room() {
    var rooms: [Int] = []
    let lookup = unsafe AccountLookup<Int>("look", into: passwd()) { _, room, _ in
      rooms.append(room.count)
      return rooms.count < 3 ? ERANGE : 0
    } value: { _ in
      1
    }
    #expect(lookup == .absent)
    #expect(rooms == [4096, 16384, 65536])
  }

  @Test("A failing system is distinguished from one that answers no", arguments: [ENOENT, EIO, ERANGE, EMFILE])
  func fails(code: Int32) {
    let lookup = unsafe AccountLookup<Int>("look", into: passwd()) { _, _, _ in
      code
    } value: { _ in
      1
    }
    #expect(lookup == .unknown(SystemError(code: code, call: "look")))
  }
}
