import Broker
import EventLoop
import Glibc
import Positioning
import TestSupport
import Testing

@testable import Store

/// The database's file, and other files.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct FileTests {
  /// Fills a store with more than a page.
  private static func fill(_ fixture: StoreFixture) throws {
    let visit = Visit(id: 1, latitude: 1, longitude: 2, horizontalAccuracy: 3)
    let events = (1...200).map { number in
      StoreChange.putEvent(anna, DurableEvent(id: UInt64(number), at: at(1), content: .visit(visit)))
    }
    try fixture.open().tables.commit([.putName(anna, user: "user1000", wake: nil)] + events)
  }

  private static func mode(_ path: String) -> UInt32 {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return 0 }
    return status.st_mode & 0o777
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = try FileDescriptor(adopting: unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600))
    guard case .wrote(bytes.count) = try descriptor.write(bytes[...]) else { throw TimedOut("\(path) is not written") }
  }

  @Test("The folder and the files are accessible to the user alone, whatever the process's umask")
  func permissions() throws {
    let fixture = try StoreFixture()
    let path = fixture.folder.file("new/positiond.db")
    let before = umask(0)
    defer { umask(before) }
    let file = StoreFile(path: path) { _, message in Issue.record("\(message)") }
    let (tables, _) = try StoreQueue.read(file, .current, clock: fixture.clock, now: at(1))
    try tables.commit([.putName(anna, user: nil, wake: nil)])
    #expect(Self.mode(fixture.folder.file("new")) == 0o700)
    let names = try filesIn(fixture.folder.file("new"))
    #expect(names.contains("positiond.db-wal"))
    for name in names { #expect(Self.mode(fixture.folder.file("new/\(name)")) == 0o600, "\(name)") }
  }

  @Test("A folder or a file that others can read is logged, with the remedy")
  func openToOthers() throws {
    let fixture = try StoreFixture()
    try Self.fill(fixture)
    unsafe chmod(fixture.path, 0o644)
    unsafe chmod(fixture.folder.path, 0o755)
    _ = try fixture.open()
    #expect(
      fixture.said("\(fixture.path) is accessible to other users (0644) and holds positions: chmod 600 \(fixture.path)")
    )
    #expect(fixture.said("chmod 700 \(fixture.folder.path)"))
  }

  @Test("A file of another user is logged", .enabled(if: geteuid() == 0))
  func foreignOwner() throws {
    let fixture = try StoreFixture()
    try Self.fill(fixture)
    unsafe chown(fixture.path, 4242, 4242)
    _ = try fixture.open()
    #expect(fixture.said("\(fixture.path) belongs to user 4242, not to user 0, who runs positiond"))
  }

  @Test(
    "A file that is no database is set aside, and a new one is created",
    arguments: [
      ("garbage", "file is not a database"), ("a page of zeros", "database"), ("truncated", "malformed"),
      ("overwritten", ""), ("header alone", ""),
    ])
  func garbage(kind: String, reason: String) throws {
    let fixture = try StoreFixture()
    try Self.fill(fixture)
    var bytes = try readBytes(fixture.path)
    switch kind {
    case "garbage": bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) }
    case "a page of zeros": bytes = [UInt8](repeating: 0, count: 4096)
    case "truncated": bytes = Array(bytes.prefix(bytes.count / 2))
    case "overwritten": for index in 4096..<bytes.count { bytes[index] = 0xAA }
    case _: bytes = Array(bytes.prefix(100))
    }
    try Self.write(bytes, to: fixture.path)
    do {
      let (tables, state) = try fixture.open()
      #expect(state == StoredState())
      try tables.commit([.putName(anna, user: "user1000", wake: "after")])
    }
    let aside = try fixture.names()
    #expect(aside.count == 1, "\(aside)")
    let name = try #require(aside.first)
    #expect(name.wholeMatch(of: /positiond\.db\.set-aside-[0-9]{8}T[0-9]{6}Z/) != nil, "\(name)")
    #expect(try readBytes(fixture.folder.file(name)) == bytes)
    #expect(fixture.said(reason) && fixture.said(name))
    #expect(fixture.messages.count == 1, "\(fixture.messages)")
    #expect(try fixture.state().names.first?.wake == "after")
  }

  @Test("An empty file is an empty database")
  func empty() throws {
    let fixture = try StoreFixture()
    try Self.write([], to: fixture.path)
    #expect(try fixture.state() == StoredState())
    #expect(fixture.messages.isEmpty)
  }

  @Test("An undamaged database without a table is set aside")
  func lacking() throws {
    let fixture = try StoreFixture()
    try Self.fill(fixture)
    try fixture.open().tables.database.run("DROP TABLE positions")
    #expect(try fixture.state() == StoredState())
    #expect(fixture.said("no such table: positions"))
    #expect(try fixture.names().count == 1)
    try Self.fill(fixture)
    #expect(try fixture.state().names.count == 1)
  }

  @Test("A database of a later version is left as it is, and the error names both versions")
  func laterVersion() throws {
    let fixture = try StoreFixture()
    try Self.fill(fixture)
    let own = Schema.current.steps.count
    try fixture.open().tables.database.run("PRAGMA user_version = \(own + 1)")
    let before = try readBytes(fixture.path)
    let error = #expect(throws: StoreError.self) { try fixture.open() }
    #expect(error?.kind == .transient)
    #expect(
      error?.message == "it is of version \(own + 1), made by a later positiond; this one knows version \(own):"
        + " install the later one again, or move the file away")
    #expect(try readBytes(fixture.path) == before)
    #expect(try fixture.names().isEmpty)
  }

  @Test("Two databases that are set aside in one second are both kept")
  func twice() throws {
    let fixture = try StoreFixture()
    for _ in 0..<3 {
      try Self.write(Array("this is not a database, but it is long enough".utf8), to: fixture.path)
      _ = try fixture.open()
    }
    #expect(try fixture.names().filter { !$0.hasSuffix("-wal") }.count == 3)
  }

  @Test("A database of another program is left alone")
  func foreign() throws {
    let fixture = try StoreFixture()
    try Self.write([], to: fixture.path)
    try Database(path: fixture.path).script("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
    let error = #expect(throws: StoreError.self) { try fixture.open() }
    #expect(error?.description.contains("it is a database of another program") == true)
    #expect(try Database(path: fixture.path).integer("SELECT x FROM theirs") == 1)
    #expect(try fixture.names().isEmpty)
  }

  @Test("A database that another process has open is left alone, and opens with what that has stored once it is closed")
  func locked() throws {
    let fixture = try StoreFixture()
    var first: StoreTables? = try fixture.open().tables
    let error = #expect(throws: StoreError.self) { try fixture.open() }
    #expect(error?.description == "\(fixture.path): another process has it open")
    // It may pass, so it is tried again.
    #expect(error?.kind == .transient)
    try first?.commit([.putName(anna, user: "user1000", wake: nil)])
    first = nil
    #expect(try fixture.state().names.map(\.id) == [anna])
    #expect(try fixture.names().isEmpty)
  }

  @Test("A link is not followed, and a folder is no file")
  func notAFile() throws {
    let fixture = try StoreFixture()
    try #require(unsafe symlink("/dev/null", fixture.path) == 0)
    #expect(throws: StoreError.self) { try fixture.open() }
    unsafe unlink(fixture.path)
    unsafe mkdir(fixture.path, 0o700)
    #expect(throws: StoreError.self) { try fixture.open() }
    let nowhere = StoreFile(path: "/nowhere/at/all/positiond.db") { _, _ in }
    let error = #expect(throws: StoreError.self) {
      try StoreQueue.read(nowhere, .current, clock: fixture.clock, now: at(1))
    }
    #expect(error?.description == "make the folder /nowhere/at/all: No such file or directory")
  }
}

/// All that is in a file.
func readBytes(_ path: String) throws -> [UInt8] {
  let descriptor = try FileDescriptor(adopting: unsafe open(path, O_RDONLY))
  var bytes: [UInt8] = []
  while case .bytes = try descriptor.read(into: &bytes, upTo: 65_536) {}
  return bytes
}
