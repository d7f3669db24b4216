import Glibc
import Positioning
import TestSupport
import Testing

@testable import EventLoop

/// The numbers that /etc/subuid gives to users, and who a client with such a number is.
@Suite("Subordinate numbers") struct SubordinateNumbersTests {
  private typealias Claim = SubordinateNumbers.Claim

  private static let text = """
    ada:165536:65536
    # no range
    ben:231072:65536
    ada:1000000:10

    1002:2000000:1
    eve:240000:5
    no:numbers:here
    few:5
    many:1:2:3
    none:3000000:0
    -1:3000001:-1
    end:4294967000:4294967295
    """

  @Test(
    "A number belongs to the owners of the ranges that have it, and all ranges of an owner count as one",
    arguments: [
      (165_535, nil), (165_536, Claim(owners: ["ada"], number: 165_536)),
      (231_071, Claim(owners: ["ada"], number: 165_536)), (231_072, Claim(owners: ["ben"], number: 231_072)),
      (296_607, Claim(owners: ["ben"], number: 231_072)), (296_608, nil),
      (1_000_009, Claim(owners: ["ada"], number: 165_536)), (1_000_010, nil),
      (2_000_000, Claim(owners: ["1002"], number: 2_000_000)), (3_000_000, nil), (3_000_001, nil),
      (240_001, Claim(owners: ["ben", "eve"], number: 231_072)), (1, nil), (0, nil),
      (4_294_967_295, Claim(owners: ["end"], number: 4_294_967_000)),
    ] as [(UInt32, SubordinateNumbers.Claim?)])
  func owner(uid: UInt32, claim: SubordinateNumbers.Claim?) {
    #expect(SubordinateNumbers(Self.text.utf8).claim(of: uid) == claim)
  }

  @Test("Root's number is nobody's, and a file that cannot be read may give away every other")
  func unreadable() {
    #expect(SubordinateNumbers("ada:0:4294967295".utf8).claim(of: 0) == nil)
    #expect(SubordinateNumbers("ada:0:4294967295".utf8).claim(of: 1) == Claim(owners: ["ada"], number: 1))
    #expect(SubordinateNumbers.unreadable.claim(of: 0) == nil)
    #expect(SubordinateNumbers.unreadable.claim(of: 1000) == Claim(owners: [], number: .max))
  }

  @Test("A change of the file counts at once, and so does its end")
  func changes() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("subuid")
    var file = SubordinateFile(path: path)
    #expect(file.current.claim(of: 165_536) == nil)
    try Self.write("ada:165536:10\n", to: path)
    #expect(file.current.claim(of: 165_536)?.owners == ["ada"])
    #expect(file.current.claim(of: 165_536)?.owners == ["ada"])
    // As useradd(8) does it.
    try Self.write("eve:165536:10\n", to: "\(path)+")
    #expect(unsafe rename("\(path)+", path) == 0)
    #expect(file.current.claim(of: 165_536)?.owners == ["eve"])
    #expect(unsafe unlink(path) == 0)
    #expect(file.current.claim(of: 165_536) == nil)
    #expect(unsafe mkdir(path, 0o700) == 0)
    #expect(file.current == .unreadable)
  }

  private static func write(_ text: String, to path: String) throws {
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let file = try FileDescriptor(adopting: number)
    guard case .wrote(text.utf8.count) = try file.write(Array(text.utf8)[...]) else {
      throw TimedOut("\(path) is full")
    }
  }

  // MARK: Who it is

  private static let account = Account(number: 1000, name: "ada", groups: [1000, 50])
  private static let claim = SubordinateNumbers.Claim(owners: ["ada"], number: 165_536)
  private static let late = AccountLookup<Account>.unknown(SystemError(code: ETIMEDOUT, call: "look up"))

  private static func peer(_ uid: UInt32) -> Principal {
    var peer = Principal(uid: uid, gid: uid, pid: 7, groups: [60], unit: .named("a.service"))
    peer.accountGroups = nil
    return peer
  }

  @Test("A client with a subordinate number is its owner's, with its own groups and the owner's")
  func subordinate() throws {
    let client = try #require(Principal(Self.peer(170_000), Self.claim, .found(Self.account)))
    #expect(client.uid == 1000 && client.user == "ada" && client.subordinate == 170_000)
    #expect(client.groups == [170_000, 60] && client.accountGroups == [1000, 50])
    #expect(client.pid == 7 && client.unit == .named("a.service"))
  }

  @Test("A client whose number has a user is that user's, whoever owns the range")
  func user() throws {
    for claim in [nil, Self.claim] {
      let client = try #require(Principal(Self.peer(1000), claim, .found(Self.account)))
      #expect(client.uid == 1000 && client.user == "ada" && client.subordinate == nil)
      #expect(client.accountGroups == [1000, 50])
    }
  }

  @Test("A range of root's, or of nobody, is one user without a name, and never root")
  func nobody() throws {
    let root = Account(number: 0, name: "root", groups: [0])
    for lookup in [AccountLookup.found(root), .absent] {
      for number in [170_000, 170_001] as [UInt32] {
        let client = try #require(Principal(Self.peer(number), Self.claim, lookup))
        #expect(client.uid == 165_536 && client.user == nil && client.subordinate == number)
        #expect(client.accountGroups == [])
      }
    }
    let itself = try #require(Principal(Self.peer(0), nil, .found(root)))
    #expect(itself.uid == 0 && itself.user == "root" && itself.subordinate == nil)
  }

  @Test("If the owner cannot be looked up, the client has no name and its groups are unknown")
  func unknown() throws {
    let client = try #require(Principal(Self.peer(170_000), Self.claim, Self.late))
    #expect(client.uid == 165_536 && client.user == nil && client.subordinate == 170_000)
    #expect(client.accountGroups == nil)
    let unread = try #require(
      Principal(Self.peer(170_000), SubordinateNumbers.unreadable.claim(of: 170_000), .absent))
    #expect(unread.user == nil && unread.accountGroups == nil && unread.subordinate == 170_000)
    // Outside of every range it is a number of its own.
    let own = try #require(Principal(Self.peer(1000), nil, Self.late))
    #expect(own.uid == 1000 && own.user == nil && own.subordinate == nil && own.accountGroups == nil)
  }

  @Test("Over TCP the groups are the owner's, and without them the client is not served")
  func overTCP() throws {
    var peer = Principal(uid: 170_000, unit: .unknown)
    peer.accountGroups = nil
    let client = try #require(Principal(peer, Self.claim, .found(Self.account)))
    #expect(client.uid == 1000 && client.groups == [1000, 50] && client.gid == 1000 && client.subordinate == 170_000)
    #expect(client.accountGroups == [1000, 50] && client.unit == .unknown)
    #expect(Principal(peer, Self.claim, Self.late) == nil)
  }
}
