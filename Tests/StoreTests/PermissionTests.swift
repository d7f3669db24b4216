import Broker
import Positioning
import TestSupport
import Testing

@testable import Store

/// The stored permission decisions, and those that are not returned.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct PermissionTests {
  private static let yes = Decision(user: "anna", level: .always, precision: .reduced, at: at(5000.25))
  private static let fuzzer = LocationFuzzer.Snapshot(east: 100, north: -200, drifted: at(1))

  @Test(
    "Data of a user number that systemd assigns dynamically is not returned, whatever its name",
    arguments: [61184, 65519])
  func lentUsers(uid: UInt32) throws {
    let fixture = try StoreFixture()
    let decision = { (uid: UInt32) in Decision(user: "user\(uid)", level: .whenInUse, at: at(1)) }
    try fixture.open().tables.commit([uid - 1, uid, uid + 1].map { .putDecision($0, decision($0)) })
    let kept = uid == 61184 ? [uid - 1] : [uid + 1]
    #expect(try Array(fixture.state().decisions.keys) == kept)
    #expect(fixture.said("user \(uid) is shared by services, one after the other: its stored decision is"))
  }

  @Test("The master switch is on by default")
  func enabled() throws {
    let fixture = try StoreFixture()
    #expect(try fixture.state().isEnabled)
    try fixture.open().tables.commit([.putEnabled(false)])
    #expect(try !fixture.state().isEnabled)
    try fixture.open().tables.commit([.putEnabled(true)])
    #expect(try fixture.state().isEnabled)
  }

  @Test("A name has no feed until one is set, keeps it when it is registered again, and a new one has none")
  func feeds() throws {
    let fixture = try StoreFixture()
    let feed = FixFeedKey(precision: .reduced, minInterval: .seconds(900))
    try fixture.open().tables.commit([.putName(anna, user: "user1000", wake: nil)])
    #expect(try fixture.state().names.map(\.feed) == [nil])
    try fixture.open().tables.commit([.setFeed(anna, feed), .putName(anna, user: "user1000", wake: "x")])
    #expect(try fixture.state().names.map(\.feed) == [feed])
    try fixture.open().tables.commit([.setFeed(anna, nil)])
    #expect(try fixture.state().names.map(\.feed) == [nil])
    try fixture.open().tables.commit([
      .setFeed(anna, feed), .removeName(anna), .putName(anna, user: "user1000", wake: nil),
    ])
    #expect(try fixture.state().names.map(\.feed) == [nil])
  }

  @Test(
    "An unreadable decision is set aside, logged once, and affects nothing else",
    arguments: [
      ("decisions", "body", "[", "decision"), ("decisions", "body", #"{"at":1,"precision":"fine"}"#, "decision"),
      ("decisions", "body", #"{"at":1,"precision":"precise","level":"often"}"#, "decision"),
      ("disguise", "body", #"{"east":1,"drifted":0}"#, "offset of reduced positions"),
      ("disguise", "body", #"{"east":1e300,"north":1,"drifted":0}"#, "offset of reduced positions"),
      ("disguise", "body", #"{"east":"nan","north":1,"drifted":0}"#, "offset of reduced positions"),
      ("names", "view", "rough", "feed of a durable name"),
    ])
  func unreadable(table: String, column: String, text: String, kind: String) throws {
    let fixture = try StoreFixture()
    let feed = FixFeedKey(precision: .reduced)
    try fixture.open().tables.commit([
      .putName(anna, user: "user1000", wake: nil), .setFeed(anna, feed), .putFuzzer(Self.fuzzer),
      .putDecision(1000, Decision(user: "user1000", level: nil, at: at(1))),
    ])
    try fixture.open().tables.database.run("UPDATE \(table) SET \(column) = ?", text)
    for _ in 0..<2 {
      let state = try fixture.state()
      // Its content is unknown: it may have been a denial.
      #expect(state.decisions.values.map(\.level) == [nil])
      // The file beside it still has it.
      #expect(state.fuzzer == Self.fuzzer)
      #expect(state.names.map(\.feed) == [table == "names" ? nil : feed])
      #expect(fixture.messages.count == 1 && fixture.said("the first: \(kind), "))
    }
    let database = try fixture.open().tables.database
    #expect(try database.texts("SELECT kind FROM unreadable WHERE body = ?", text) == [kind])
  }

  @Test("A decision for a number without a user is removed")
  func numberOfNobody() throws {
    let fixture = try StoreFixture()
    try fixture.open().tables.commit([.putDecision(1000, Decision(user: "user1000", level: .always, at: at(1)))])
    try fixture.open().tables.database.run("UPDATE decisions SET uid = -1")
    #expect(try fixture.state().decisions.isEmpty)
    #expect(fixture.said("the first: decision, a number that no user has"))
  }

  @Test(
    "A feed is stored as readable text",
    arguments: [
      ("precise", .everything), ("reduced", FixFeedKey(precision: .reduced)),
      ("precise 60", FixFeedKey(precision: .precise, minInterval: .seconds(60))),
      ("reduced 0.25", FixFeedKey(precision: .reduced, minInterval: .milliseconds(250))),
      (
        "precise 1.000000000000000001",
        FixFeedKey(precision: .precise, minInterval: Duration(secondsComponent: 1, attosecondsComponent: 1))
      ),
    ] as [(String, FixFeedKey)])
  func words(words: String, feed: FixFeedKey) {
    #expect(feed.words == words)
    #expect(FixFeedKey(words: words) == feed)
  }

  @Test(
    "Other texts are no feed",
    arguments: [
      "", " ", "Precise", "precise ", "precise 0", "precise -1", "precise +1", "precise 1 2", "precise 1.",
      "precise .5",
      "precise 1.2.3", "precise 1e3", "precise 1.0000000000000000001", "precise 99999999999999999999", "reduced x",
    ])
  func otherWords(words: String) {
    #expect(FixFeedKey(words: words) == nil)
  }
}
