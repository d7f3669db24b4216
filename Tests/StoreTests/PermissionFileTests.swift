import Broker
import EventLoop
import Glibc
import Positioning
import TestSupport
import Testing

@testable import Store

/// The permission decisions if the database cannot be read.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct PermissionFileTests {
  private static let no = Decision(user: "user1000", level: nil, precision: .reduced, at: at(5000.25))
  private static let fuzzer = LocationFuzzer.Snapshot(east: 100, north: -200, drifted: at(1))
  private static let error = StoreError(.transient, "open", "it is broken")

  /// One that is off, has a denial, and a fuzzer.
  private static func fixture() throws -> StoreFixture {
    let fixture = try StoreFixture()
    try fixture.open().tables.commit([.putEnabled(false), .putDecision(1000, Self.no), .putFuzzer(Self.fuzzer)])
    return fixture
  }

  private static func permissions(_ fixture: StoreFixture, path: String? = nil) -> StoredState {
    StoreQueue.permissions(beside: path ?? fixture.path, because: Self.error, clock: fixture.clock, now: at(10_000))
  }

  private static func spoil(_ path: String) throws {
    let descriptor = try FileDescriptor(adopting: unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600))
    _ = try descriptor.write(Array("this is not what it was, whatever it was".utf8)[...])
  }

  @Test("If the database cannot be opened, the file beside it has the decisions")
  func unopened() throws {
    let fixture = try Self.fixture()
    let state = Self.permissions(fixture)
    #expect(!state.isEnabled && state.unread == nil)
    #expect(state.decisions == [1000: Self.no] && state.fuzzer == Self.fuzzer)
    try fixture.open().tables.commit([.putEnabled(true), .removeDecision(1000)])
    #expect(Self.permissions(fixture).isEnabled && Self.permissions(fixture).decisions.isEmpty)
  }

  @Test("Each decision that is stored is in the file beside the database, also one alone")
  func alone() throws {
    let fixture = try Self.fixture()
    let tables = try fixture.open().tables
    let yes = Decision(user: "user1001", level: .always, at: at(1))
    try tables.commit([.putDecision(1001, yes)])
    #expect(Self.permissions(fixture).decisions == [1000: Self.no, 1001: yes])
    try tables.commit([.removeDecision(1000)])
    #expect(Self.permissions(fixture).decisions == [1001: yes])
    try tables.commit([.putEnabled(true)])
    #expect(Self.permissions(fixture).isEnabled)
    let drifted = LocationFuzzer.Snapshot(east: 1, north: 2, drifted: at(3))
    try tables.commit([.putFuzzer(drifted)])
    #expect(Self.permissions(fixture).fuzzer == drifted)
    // What the database does not take is in it as well.
    try PermissionFile(beside: fixture.path).add([.putDecision(1002, yes)], clock: fixture.clock)
    #expect(Self.permissions(fixture).decisions.keys.sorted() == [1001, 1002])
  }

  @Test("What is in force though the database did not take it is not undone by the next start")
  func ahead() throws {
    let fixture = try Self.fixture()
    try fixture.open().tables.commit([
      .putEnabled(true), .putDecision(1001, Decision(user: "user1001", level: .always, at: at(1))),
    ])
    let file = PermissionFile(beside: fixture.path)
    for _ in 0..<2 {
      try file.add(
        [
          .putEnabled(false), .removeDecision(1000),
          .putDecision(1001, Decision(user: "user1001", level: nil, precision: .reduced, at: at(6))),
        ], clock: fixture.clock)
    }
    for _ in 0..<2 {
      let state = try fixture.state()
      #expect(!state.isEnabled && state.decisions.keys.sorted() == [1001] && state.decisions[1001]?.level == nil)
    }
    #expect(fixture.messages.count == 1 && fixture.said("what was decided while nothing could be stored"))
    // The database has it now: later decisions count.
    try fixture.open().tables.commit([.putEnabled(true)])
    #expect(try fixture.state().isEnabled && Self.permissions(fixture).isEnabled)
  }

  @Test("A queue whose database takes nothing writes what is decided beside it before it closes")
  func aheadByQueue() async throws {
    try await withLoop { loop in
      let fixture = try Self.fixture()
      try fixture.open().tables.commit([.putEnabled(true)])
      let tables = try fixture.open().tables
      try tables.database.script(
        "CREATE TRIGGER stop BEFORE INSERT ON master_switch BEGIN SELECT RAISE(ABORT, 'no'); END")
      let queue = try StoreQueue(loop: loop, tables: tables) { _, _ in }
      queue.store([.putEnabled(false)], then: {}, refused: { _ in })
      queue.close()
      #expect(!Self.permissions(fixture).isEnabled)
    }
  }

  @Test("A daemon that is killed while its database takes nothing leaves beside it what was denied")
  func aheadOfKilled() async throws {
    try await withLoop { loop in
      let fixture = try Self.fixture()
      try fixture.open().tables.commit([.putEnabled(true)])
      do {
        let tables = try fixture.open().tables
        try tables.database.script(
          "CREATE TEMP TRIGGER stop BEFORE INSERT ON main.master_switch BEGIN SELECT RAISE(ABORT, 'no'); END")
        let queue = try StoreQueue(loop: loop, tables: tables) { _, _ in }
        queue.store([.putEnabled(false)], then: { Issue.record("it is stored") }, refused: { _ in })
        try loop.drive(until: "the copy") { !Self.permissions(fixture).isEnabled }
      }
      #expect(try !fixture.state().isEnabled)
    }
  }

  @Test("Without a readable file nothing is written beside, since it would pass for everything that was decided")
  func aheadOfNothing() throws {
    let fixture = try Self.fixture()
    unsafe unlink(fixture.path + ".permission")
    try PermissionFile(beside: fixture.path).add([.removeDecision(1)], clock: fixture.clock)
    #expect(try filesIn(fixture.folder.path).allSatisfy { !$0.hasSuffix(".permission") })
  }

  @Test("The file's members have the same names in every version")
  func text() throws {
    let fixture = try Self.fixture()
    let text = String(decoding: try readBytes(fixture.path + ".permission"), as: UTF8.self)
    let clock = #""boot":"boot 1","epoch":1000000000000000,"text":"#
    #expect(
      text == #"{"decisions":[{"body":{\#(clock)"{\"at\":5000250000000,\"precision\":\"reduced\"}"},"uid":1000,"#
        + #""user":"user1000"}],"disguise":{\#(clock)"{\"drifted\":1000000000,\"east\":100,\"north\":-200}"},"#
        + #""isOn":false,"version":1}"#)
  }

  @Test("A database that is set aside or removed takes no decision with it", arguments: [false, true])
  func setAside(isRemoved: Bool) throws {
    let fixture = try Self.fixture()
    if isRemoved { unsafe unlink(fixture.path) } else { try Self.spoil(fixture.path) }
    for _ in 0..<2 {
      let state = try fixture.state()
      #expect(!state.isEnabled && state.unread == nil)
      #expect(state.decisions == [1000: Self.no] && state.fuzzer == Self.fuzzer)
    }
  }

  @Test("If neither can be read positions are off, now and after the next start, and the log has the remedy")
  func neither() throws {
    let fixture = try Self.fixture()
    try Self.spoil(fixture.path)
    try Self.spoil(fixture.path + ".permission")
    let state = try fixture.state()
    #expect(!state.isEnabled && state.unread?.contains("file is not a database") == true)
    #expect(fixture.said("positions are off for everybody") && fixture.said("positionctl auth enable"))
    #expect(try !fixture.state().isEnabled)
    let unopened = try Self.fixture()
    try Self.spoil(unopened.path + ".permission")
    #expect(Self.permissions(unopened).unread != nil && !Self.permissions(unopened).isEnabled)
  }

  @Test("A database from before the file existed turns positions off when it is set aside")
  func without() throws {
    let fixture = try Self.fixture()
    unsafe unlink(fixture.path + ".permission")
    #expect(Self.permissions(fixture).unread == "open: it is broken")
    try Self.spoil(fixture.path)
    #expect(try fixture.state().unread != nil)
  }

  @Test("If nothing was ever stored nothing is lost; if that is unknown, decisions may be")
  func never() throws {
    let fixture = try StoreFixture()
    #expect(Self.permissions(fixture).isEnabled && Self.permissions(fixture).unread == nil)
    #expect(!Self.permissions(fixture, path: "/nowhere/positiond.db").isEnabled)
    #expect(try fixture.state() == StoredState())
    // From then on the file exists.
    #expect(try filesIn(fixture.folder.path).contains("positiond.db.permission"))
  }

  @Test("The file follows the database if they differ, and its own unreadable decision is a denial")
  func follows() throws {
    let fixture = try Self.fixture()
    try Self.spoil(fixture.path + ".permission")
    #expect(try fixture.state().unread == nil)
    #expect(Self.permissions(fixture).decisions == [1000: Self.no])
    let yes = Decision(user: "user1000", level: .always, at: at(1))
    try fixture.open().tables.commit([.putDecision(1000, yes)])
    let file = PermissionFile(beside: fixture.path)
    guard case .record(var record) = file.read() else {
      Issue.record("it cannot be read")
      return
    }
    record.decisions[0].body.text = "["
    try file.write(record)
    #expect(Self.permissions(fixture).decisions[1000]?.level == nil)
    #expect(Self.permissions(fixture).decisions[1000]?.user == "user1000")
  }

  @Test("A change that is in the database and not in the file is not stored, and is tried again")
  func unwritten() throws {
    let fixture = try Self.fixture()
    let tables = try fixture.open().tables
    unsafe mkdir(fixture.path + ".permission.new", 0o700)
    #expect(throws: StoreError.self) { try tables.commit([.putEnabled(true)]) }
    #expect(!Self.permissions(fixture).isEnabled)
    unsafe rmdir(fixture.path + ".permission.new")
    try tables.commit([.putEnabled(true)])
    #expect(Self.permissions(fixture).isEnabled)
  }

  @Test("If only the file failed, only the file is tried again, and then the waiting actions run")
  func uncopied() async throws {
    try await withLoop { loop in
      let fixture = try Self.fixture()
      let queue = try StoreQueue(loop: loop, tables: try fixture.open().tables) { _, _ in }
      var (done, errors) = ([Int](), [String?]())
      queue.onError = { errors.append($0) }
      func store(_ number: Int, _ changes: [StoreChange]) {
        queue.store(changes) {
          done.append(number)
        } refused: {
          Issue.record("refused: \($0)")
        }
      }
      store(1, [.putName(anna, user: "user1000", wake: nil), .putVisits(anna)])
      try loop.drive(until: "the name") { done == [1] }
      unsafe mkdir(fixture.path + ".permission.new", 0o700)
      // A second time there would be no name to change.
      store(2, [.removePosition(anna), .removeName(anna), .putEnabled(true)])
      try loop.drive(until: "the error") { !errors.isEmpty }
      store(3, [.putName(anna, user: "user1000", wake: nil)])
      #expect(done == [1] && !Self.permissions(fixture).isEnabled)
      unsafe rmdir(fixture.path + ".permission.new")
      try loop.drive(until: "all") { done == [1, 2, 3] }
      #expect(errors.count == 2 && errors.last == .some(nil) && Self.permissions(fixture).isEnabled)
      queue.close()
    }
  }

  @Test("While the copy cannot be written the tables store changes, so that they outlive the daemon")
  func tablesFirst() async throws {
    try await withLoop { loop in
      let fixture = try Self.fixture()
      do {
        let queue = try StoreQueue(loop: loop, tables: try fixture.open().tables) { _, _ in }
        var errors: [String?] = []
        queue.onError = { errors.append($0) }
        func store(_ change: StoreChange) {
          queue.store([change]) {
            Issue.record("\(change) lasts, though its copy does not")
          } refused: {
            Issue.record("refused: \($0)")
          }
        }
        unsafe mkdir(fixture.path + ".permission.new", 0o700)
        store(.putEnabled(true))
        try loop.drive(until: "the error") { !errors.isEmpty }
        store(.putName(anna, user: "user1000", wake: nil))
        queue.close()
      }
      unsafe rmdir(fixture.path + ".permission.new")
      #expect(try fixture.state().names.map(\.id) == [anna])
    }
  }

  @Test("That decisions are unknown is reported at each start until an administrator turns positions on")
  func remembered() throws {
    let fixture = try Self.fixture()
    try Self.spoil(fixture.path)
    try Self.spoil(fixture.path + ".permission")
    let unread = try #require(try fixture.state().unread)
    #expect(try fixture.state().unread == unread)
    #expect(fixture.messages.count { $0.text.contains("positions are off for everybody") } == 2)
    // Whichever of the two is lost then, the other has it.
    unsafe unlink(fixture.path + ".permission")
    #expect(try fixture.state().unread == unread)
    unsafe unlink(fixture.path)
    #expect(Self.permissions(fixture).unread == unread)
    #expect(try fixture.state().unread == unread && !fixture.state().isEnabled)
    try fixture.open().tables.commit([.putEnabled(true)])
    #expect(try fixture.state().unread == nil && fixture.state().isEnabled)
    try fixture.open().tables.commit([.putEnabled(false)])
    #expect(try fixture.state().unread == nil && !fixture.state().isEnabled)
  }
}
