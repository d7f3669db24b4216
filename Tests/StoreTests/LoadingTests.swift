import Broker
import Positioning
import TestSupport
import Testing

@testable import Store

/// Data that is not returned.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct LoadingTests {
  private static let region = StoredRegion(
    region: Region(id: "home", shape: .circle(center: Coordinate(latitude: 48.137, longitude: 11.575), radius: 3)),
    snapshot: RegionSnapshot(state: .inside))

  private static func polygon(_ corners: String) -> String {
    #"{"id":"home","notify":[],"initial":"none","polygon":\#(corners)}"#
  }

  /// Polygons as they are stored today: numbers of 8 bytes each.
  private static func packed(_ corners: String) -> String {
    #"{"id":"home","notify":[],"initial":"none","corners":"\#(corners)"}"#
  }

  private static func circle(_ members: String, _ options: String = "") -> String {
    #"{"id":"home","notify":[],"initial":"none","circle":{"latitude":\#(members)}\#(options)}"#
  }

  private static func event(_ id: UInt64) -> StoreChange {
    let visit = Visit(id: 1, latitude: 48.137, longitude: 11.575, horizontalAccuracy: 3)
    return .putEvent(anna, DurableEvent(id: id, at: at(1), content: .visit(visit)))
  }

  private static func fill(_ fixture: StoreFixture) throws {
    try fixture.open().tables.commit([
      .putName(anna, user: "user1000", wake: nil), .putRegion(anna, Self.region),
      .putPosition(anna, StoredPosition(parameters: SubscriptionParameters(mode: .significant))), Self.event(1),
      Self.event(2), Self.event(3), .putVisitMemory(VisitDetector.Snapshot()),
    ])
  }

  @Test(
    "An unreadable body is set aside, logged once, and affects nothing else",
    arguments: [
      ("regions", "body", "no JSON"), ("regions", "body", #"{"id":"home","notify":[],"initial":"none"}"#),
      ("regions", "standing", #"{"state":"between"}"#), ("positions", "body", #"{"updates":1}"#),
      ("positions", "body", #"{"updates":1,"parameters":{"mode":"telepathic"}}"#),
      // Of the right form, and impossible.
      ("regions", "body", Self.polygon("[0,0,0,120,0,-120]")), ("regions", "body", Self.polygon("[0,0,1,1]")),
      ("regions", "body", Self.polygon("[0,0,1,1,91,0]")), ("regions", "body", Self.polygon(#"["nan",0,1,1,2,0]"#)),
      ("regions", "body", Self.packed("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")),
      ("regions", "body", Self.packed("AAAAAAAAAAAA")),
      ("regions", "body", Self.packed("no base64")), ("regions", "body", Self.packed("")),
      // Three corners that are not on the globe: every number is a NaN.
      ("regions", "body", Self.packed(String(repeating: "/", count: 64))),
      ("regions", "body", Self.circle("1,\"longitude\":2,\"radius\":\"nan\"")),
      ("regions", "body", Self.circle("1,\"longitude\":2,\"radius\":0")),
      ("regions", "body", Self.circle("\"inf\",\"longitude\":2,\"radius\":9")),
      ("regions", "body", Self.circle("1,\"longitude\":2,\"radius\":9", #","latency":[9223372036854775807,0]"#)),
      ("positions", "body", #"{"updates":9223372036854775807,"parameters":{"mode":"significant"}}"#),
      (
        "positions", "body",
        #"{"updates":1,"parameters":{"mode":"significant","maxInterval":[9223372036854775807,0]}}"#
      ),
      (
        "positions", "body",
        #"{"updates":1,"parameters":{"mode":"deferred"},"lastDelivered":{"latitude":"nan","longitude":0,"arrival":1,"#
          + #""mode":"3d","status":"gnss"}}"#
      ),
    ] as [(String, String, String)])
  func unreadable(table: String, column: String, body: String) throws {
    let fixture = try StoreFixture()
    try Self.fill(fixture)
    try fixture.open().tables.database.run("UPDATE \(table) SET \(column) = ?", body)
    let name = try #require(try fixture.state().names.first)
    #expect(name.regions.isEmpty == (table == "regions"))
    #expect((name.position == nil) == (table == "positions"))
    #expect(name.events.count == 3 && name.dropped == 0)
    #expect(fixture.messages.count == 1 && fixture.said("unreadable of \(fixture.path): 1; "))
    #expect(!fixture.said("48.1"), "a position in the log: \(fixture.messages)")
    // The second start logs nothing more.
    let tables = try fixture.open().tables
    #expect(fixture.messages.count == 1)
    #expect(try tables.database.integer("SELECT count(*) FROM unreadable WHERE name = 'tracker'") == 1)
  }

  @Test("A polygon of an older version is read as before, and one with a damaged cap too")
  func olderPolygons() throws {
    let corners = [(50.125, 8), (50.25, 8), (50.25, -1.0 / 3)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
    let fixture = try StoreFixture()
    let polygon = StoredRegion(
      region: Region(id: "home", shape: .polygon(corners)), snapshot: RegionSnapshot(), reach: 3,
      cap: Cap(center: Vector(x: 1, y: 0, z: 0), angle: 0.5))
    try fixture.open().tables.commit([.putName(anna, user: "user1000", wake: nil), .putRegion(anna, polygon)])
    let body = try #require(try fixture.open().tables.database.texts("SELECT body FROM regions").first)
    func kept(_ body: String) throws -> StoredRegion? {
      try fixture.open().tables.database.run("UPDATE regions SET body = ?", body)
      return try fixture.state().names.first?.regions.first
    }
    #expect(try kept(body) == polygon)
    let older = try #require(try kept(Self.polygon("[50.125,8,50.25,8,50.25,-0.3333333333333333]")))
    #expect(older.region.shape == polygon.region.shape && older.reach == nil && older.cap == nil)
    let damaged = try #require(try kept(body.replacing("\"cap\":[1,", with: "\"cap\":[")))
    #expect(damaged.region == polygon.region && damaged.reach == 3 && damaged.cap == nil)
    #expect(fixture.messages.isEmpty)
  }

  @Test("An unreadable event counts as lost, and its client is notified of the loss")
  func unreadableEvent() throws {
    let fixture = try StoreFixture()
    try Self.fill(fixture)
    try fixture.open().tables.database.run("UPDATE events SET body = '{\"at\":1}' WHERE id = 2")
    for _ in 0..<2 {
      let name = try #require(try fixture.state().names.first)
      #expect(name.events.map(\.id) == [1, 3])
      #expect(name.dropped == 1)
      #expect(name.lastEvent == 3)
    }
    #expect(fixture.said("the first: event, an event of no kind that is known"))
  }

  @Test("Unreadable memory of the visit detector is removed")
  func unreadableMemory() throws {
    let fixture = try StoreFixture()
    try Self.fill(fixture)
    #expect(try fixture.state().visitMemory == VisitDetector.Snapshot())
    try fixture.open().tables.database.run("UPDATE visit_memories SET body = '['")
    #expect(try fixture.state().visitMemory == nil)
    #expect(fixture.said("the first: memory of visits"))
    #expect(try fixture.state().names.count == 1)
  }

  @Test("A limited number of unreadable rows is kept")
  func bounded() throws {
    let fixture = try StoreFixture()
    do {
      let tables = try fixture.open().tables
      try tables.commit([.putName(anna, user: "user1000", wake: nil)] + (1...1500).map { Self.event(UInt64($0)) })
      try tables.database.run("UPDATE events SET body = ''")
    }
    #expect(try fixture.state().names.first?.dropped == 1500)
    #expect(try fixture.open().tables.database.integer("SELECT count(*) FROM unreadable") == 1000)
  }

  /// Each of the starts is of another boot.
  @Test("After any number of boots, with everything stored, what is unreadable is set aside, and boots are forgotten")
  func manyBoots() throws {
    let fixture = try StoreFixture()
    for boot in 1...12 {
      fixture.clock = .fixed("boot \(boot)", epoch: Int64(boot) * 1_000_000)
      try fixture.open().tables.commit([.putReceiver(ReceiverMemory())])
      if boot == 1 { try Self.fill(fixture) }
    }
    try fixture.open().tables.database.run("UPDATE positions SET body = '['")
    #expect(try fixture.state().names.first?.position == nil)
    #expect(fixture.said("unreadable of \(fixture.path): 1; "))
    let database = try fixture.open().tables.database
    #expect(try database.integer("SELECT count(*) FROM unreadable") == 1)
    #expect(try database.integer("SELECT count(*) FROM clocks") ?? 0 <= 9)
    #expect(fixture.messages.count == 1, "\(fixture.messages)")
  }

  @Test("What could not be removed is not reported as removed, and is not returned either")
  func cleaningFails() throws {
    let fixture = try StoreFixture()
    try Self.fill(fixture)
    try fixture.open().tables.database.script(
      """
      UPDATE positions SET body = '[';
      CREATE TRIGGER stop BEFORE DELETE ON positions BEGIN SELECT RAISE(ABORT, 'not now'); END
      """)
    #expect(try fixture.state().names.first?.position == nil)
    #expect(!fixture.said("were moved") && fixture.said("could not be removed"))
    #expect(try fixture.open().tables.database.integer("SELECT count(*) FROM unreadable") == 0)
  }

  @Test("Additional members of a later version are ignored, and missing ones have defaults")
  func tolerance() throws {
    let fixture = try StoreFixture()
    try Self.fill(fixture)
    do {
      let database = try fixture.open().tables.database
      try database.run("UPDATE positions SET body = '{\"parameters\":{\"mode\":\"deferred\",\"x\":[1]},\"updates\":2}'")
    }
    let position = try #require(try fixture.state().names.first?.position)
    #expect(position == StoredPosition(parameters: SubscriptionParameters(mode: .deferred), updates: 2))
    #expect(fixture.messages.isEmpty)
  }
}
