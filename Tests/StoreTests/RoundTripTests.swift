import Broker
import Geodesy
import Positioning
import TestSupport
import Testing

@testable import Store

/// Data is read as it was stored.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct RoundTripTests {
  @Test(
    "Random changes have the same result as without a disk, whenever it is reopened", arguments: 0..<24 as Range<UInt64>
  )
  func random(seed: UInt64) throws {
    let fixture = try StoreFixture()
    var changes = RandomChanges(seed: seed)
    var model = StoreModel()
    for _ in 0..<12 {
      let (tables, state) = try fixture.open()
      #expect(state == model.state)
      for _ in 0..<changes.number(1...12) {
        let batch = changes.batch(over: model)
        #expect(Self.isTaken(batch, by: tables) == Self.isTaken(batch, by: &model), "\(batch)")
      }
    }
    #expect(try fixture.state() == model.state)
    #expect(!model.names.isEmpty)
    // Only unreadable data is logged, if there is any.
    let others = fixture.messages.filter { !$0.text.contains(RandomChanges.unread) }
    #expect(others.isEmpty, "\(others)")
  }

  @Test("The random changes are of every kind, for existing names and for others")
  func coverage() {
    var (taken, refused): ([String: Int], [String: Int]) = ([:], [:])
    var putAgain = 0
    for seed in 0..<24 as Range<UInt64> {
      var changes = RandomChanges(seed: seed)
      var model = StoreModel()
      for _ in 0..<80 {
        for change in changes.batch(over: model) {
          if case .putName(let id, _, _) = change, model.names[id]?.events.isEmpty == false { putAgain += 1 }
          let isTaken = Self.isTaken([change], by: &model)
          let kind = Mirror(reflecting: change).children.first?.label ?? "\(change)"
          if isTaken { taken[kind, default: 0] += 1 } else { refused[kind, default: 0] += 1 }
        }
      }
    }
    #expect(taken.count == 23 && taken.values.allSatisfy { $0 > 20 }, "\(taken)")
    #expect(refused.count > 8, "\(refused)")
    #expect(putAgain > 20)
  }

  @Test("A visit at the ends of the globe is read", arguments: [(90.0, 180.0), (-90, -180)])
  func ends(latitude: Double, longitude: Double) throws {
    let fixture = try StoreFixture()
    let visit = Visit(id: 1, latitude: latitude, longitude: longitude, horizontalAccuracy: 3)
    try fixture.open().tables.commit([
      .putName(anna, user: "user1000", wake: nil),
      .putEvent(anna, DurableEvent(id: 1, at: at(1), content: .visit(visit))),
    ])
    #expect(try fixture.state().names.first?.events.map(\.content) == [.visit(visit)])
    #expect(fixture.messages.isEmpty)
  }

  @Test("A name that is put again keeps its data, and overflow counts as lost, as in SQLite")
  func putAgain() throws {
    let fixture = try StoreFixture()
    let event = { (id: UInt64) in
      DurableEvent(
        id: id, at: at(1), content: .visit(Visit(id: 1, latitude: 1, longitude: 2, horizontalAccuracy: 3)))
    }
    let steps: [StoreChange] = [
      .putName(anna, user: "user1000", wake: "a.service"), .putVisits(anna), .setFeed(anna, .everything),
      .putEvent(anna, event(1)), .putEvent(anna, event(2)), .putEvent(anna, event(3)),
      // Its registrations, events and numbers stay; its unit is removed.
      .putName(anna, user: "user1000", wake: nil),
      // Fewer than there are, more than there are, and none at all.
      .overflow(anna, through: 2, dropped: 2), .overflow(anna, through: 9, dropped: 3),
      .overflow(anna, through: 0, dropped: 0), .acknowledge(anna, through: 20), .putEvent(anna, event(12)),
      // Its number is used by no later name.
      .removeName(anna), .putName(anna, user: "user1000", wake: nil),
    ]
    var model = StoreModel()
    for step in steps {
      model.take([step])
      try fixture.open().tables.commit([step])
      #expect(try fixture.state() == model.state, "after \(step)")
    }
    #expect(model.names[anna]?.lastEvent == 12)
  }

  private static func isTaken(_ batch: [StoreChange], by tables: StoreTables) -> Bool {
    do throws(StoreError) {
      try tables.commit(batch)
      return true
    } catch {
      return false
    }
  }

  private static func isTaken(_ batch: [StoreChange], by model: inout StoreModel) -> Bool {
    do throws(StoreModel.Missing) {
      try model.commit(batch)
      return true
    } catch {
      return false
    }
  }

  @Test("A change of a missing name is an error, and nothing of its batch is stored")
  func missing() throws {
    let fixture = try StoreFixture()
    let visit = Visit(id: 1, latitude: 1, longitude: 2, horizontalAccuracy: 3)
    let changes: [StoreChange] = [
      .putVisits(anna), .removePosition(anna), .removeRegion(anna, id: "home"),
      .acknowledge(anna, through: 1), .overflow(anna, through: 1, dropped: 1), .setFeed(anna, .everything),
      .putEvent(anna, DurableEvent(id: 1, at: at(1), content: .visit(visit))),
      .setRegionSnapshot(anna, id: "home", RegionSnapshot()), .resetRegions(anna),
      .putPosition(anna, StoredPosition(parameters: SubscriptionParameters(mode: .deferred))),
    ]
    let tables = try fixture.open().tables
    for change in changes {
      #expect(throws: StoreError.self, "\(change)") { try tables.commit([.putEnabled(false), change]) }
    }
    try tables.commit([.putName(anna, user: "user1000", wake: nil), .removeName(anna), .removeName(anna)])
    #expect(throws: StoreError.self) {
      try tables.commit([
        .putName(anna, user: "user1000", wake: nil), .setRegionSnapshot(anna, id: "home", RegionSnapshot()),
      ])
    }
    #expect(try tables.database.integer("SELECT count(*) FROM names") == 0)
    #expect(try tables.database.integer("SELECT count(*) FROM master_switch") == 0)
  }

  @Test("Each change made twice in a row has the same effect as once", arguments: 100..<108 as Range<UInt64>)
  func idempotence(seed: UInt64) throws {
    let (once, twice) = (try StoreFixture(), try StoreFixture())
    var changes = RandomChanges(seed: seed)
    var model = StoreModel()
    var batch: [StoreChange] = []
    for _ in 0..<60 {
      let sound = changes.soundBatch(over: model)
      model.take(sound)
      batch += sound
    }
    try once.open().tables.commit(batch)
    try twice.open().tables.commit(batch.flatMap { [$0, $0] })
    #expect(try once.state() == twice.state())
    #expect(try !once.state().names.isEmpty)
  }

  @Test("A batch that fails in its middle changes nothing, and does not affect the next one")
  func failure() throws {
    let fixture = try StoreFixture()
    do {
      let tables = try fixture.open().tables
      try tables.commit([.putName(anna, user: "user1000", wake: nil)])
      // One page is too small for that region.
      try tables.database.run("PRAGMA max_page_count = 1")
      var corners: [Coordinate] = []
      for index in 0..<1000 { corners.append(Coordinate(latitude: Double(index) / 100, longitude: 1.0 / 3)) }
      let other = DurableID(uid: 1000, name: "other")
      let region = StoredRegion(region: Region(id: "large", shape: .polygon(corners)), snapshot: RegionSnapshot())
      #expect(throws: StoreError.self) {
        try tables.commit([
          .putName(other, user: "user1000", wake: nil), .putRegion(other, region), .removeName(anna),
        ])
      }
      try tables.database.run("PRAGMA max_page_count = 100000")
      #expect(throws: StoreError.self) { try tables.commit([.putRegion(other, region)]) }
      try tables.commit([.putRegion(anna, region)])
    }
    let state = try fixture.state()
    #expect(state.names.map(\.id) == [anna])
    #expect(state.names.first?.regions.count == 1)
  }

  @Test("A batch that fails after all of it was written changes nothing either")
  func failingCommit() throws {
    let fixture = try StoreFixture()
    let position = StoredPosition(parameters: SubscriptionParameters(mode: .deferred))
    do {
      let tables = try fixture.open().tables
      try tables.database.script(
        """
        CREATE TABLE late (x REFERENCES names DEFERRABLE INITIALLY DEFERRED);
        CREATE TRIGGER fails AFTER INSERT ON names BEGIN INSERT INTO late VALUES (-1); END
        """)
      let batch: [StoreChange] = [.putName(anna, user: "user1000", wake: nil), .putPosition(anna, position)]
      #expect(throws: StoreError.self) { try tables.commit(batch) }
      try tables.database.script("DROP TRIGGER fails")
      // The name does not exist, nor does the boot of its moments.
      #expect(throws: StoreError.self) { try tables.commit([.putPosition(anna, position)]) }
      #expect(try tables.database.integer("SELECT count(*) FROM positions") == 0)
      try tables.commit(batch)
    }
    #expect(try fixture.state().names.first?.position == position)
  }

  @Test("Regions come in the order in which they were added, whatever was changed since")
  func regionOrder() throws {
    let fixture = try StoreFixture()
    let region = { (id: String, radius: Double) in
      StoredRegion(
        region: Region(id: id, shape: .circle(center: Coordinate(latitude: 1, longitude: 2), radius: radius)),
        snapshot: RegionSnapshot(state: .outside))
    }
    try fixture.open().tables.commit([
      .putName(anna, user: "user1000", wake: nil), .putRegion(anna, region("c", 1)), .putRegion(anna, region("a", 1)),
      .putRegion(anna, region("b", 1)), .removeRegion(anna, id: "a"), .putRegion(anna, region("c", 2)),
      .putRegion(anna, region("a", 3)),
    ])
    #expect(try fixture.state().names.first?.regions == [region("c", 2), region("b", 1), region("a", 3)])
  }

  @Test("A name and a region are the same in both spellings of their letters")
  func spelling() throws {
    let fixture = try StoreFixture()
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let region = Region(id: composed, shape: .circle(center: Coordinate(latitude: 1, longitude: 2), radius: 3))
    let (id, same) = (DurableID(uid: 1000, name: composed), DurableID(uid: 1000, name: decomposed))
    do {
      let tables = try fixture.open().tables
      try tables.commit([.putName(id, user: "user1000", wake: nil)])
      try tables.commit([
        .putRegion(same, StoredRegion(region: region, snapshot: RegionSnapshot())),
        .setRegionSnapshot(same, id: decomposed, RegionSnapshot(state: .inside, since: at(1))),
        .putName(same, user: "user1000", wake: "x"),
      ])
    }
    let names = try fixture.state().names
    #expect(names.count == 1)
    #expect(names.first?.wake == "x")
    #expect(names.first?.regions.first?.snapshot.state == .inside)
    try fixture.open().tables.commit([.removeRegion(id, id: decomposed)])
    #expect(try fixture.state().names.first?.regions == [])
  }

  @Test("The numbers of a removed name's events are not used again, nor those of names removed before it")
  func numbers() throws {
    let fixture = try StoreFixture()
    let event = { (id: UInt64) in
      DurableEvent(
        id: id, at: at(1),
        content: .visit(Visit(id: 1, latitude: 1, longitude: 2, horizontalAccuracy: 3)))
    }
    let other = DurableID(uid: 1000, name: "other")
    let stranger = DurableID(uid: 1001, name: "tracker")
    try fixture.open().tables.commit([
      .putName(anna, user: "user1000", wake: nil), .putEvent(anna, event(1)), .putEvent(anna, event(7)),
      .acknowledge(anna, through: 7), .putName(other, user: "user1000", wake: nil), .putEvent(other, event(3)),
      .removeName(anna), .removeName(other), .putName(stranger, user: "user1001", wake: nil),
    ])
    #expect(try fixture.state().retired == [1000: 7])
    try fixture.open().tables.commit([.putName(anna, user: "user1000", wake: nil)])
    #expect(try fixture.state().names.map(\.lastEvent) == [7, 0])
  }

  @Test("Acknowledging more than there is, or the greatest number, removes the existing events")
  func acknowledgeAll() throws {
    let fixture = try StoreFixture()
    let visit = Visit(id: 1, latitude: 1, longitude: 2, horizontalAccuracy: 3)
    try fixture.open().tables.commit([
      .putName(anna, user: "user1000", wake: nil),
      .putEvent(anna, DurableEvent(id: 5, at: at(1), content: .visit(visit))), .acknowledge(anna, through: .max),
    ])
    let name = try #require(try fixture.state().names.first)
    #expect(name.events.isEmpty && name.lastEvent == 5)
  }

  @Test("A mean place is the same after a round trip, up to rounding")
  func meanPlace() throws {
    let fixture = try StoreFixture()
    var place = MeanPlace(Coordinate(latitude: 48.137, longitude: 179.99999), accuracy: 3)
    place.add(Coordinate(latitude: 48.138, longitude: -179.99999), accuracy: 7)
    let stay = Stay(anchor: place, centre: place, start: at(1), newest: at(2), isArrivalKnown: true, visit: nil)
    try fixture.open().tables.commit([.putVisitMemory(VisitDetector.Snapshot(lastVisit: 2, stay: stay))])
    let kept = try #require(try fixture.state().visitMemory?.stay?.centre)
    #expect(Geodesy.distance(from: kept.coordinate, to: place.coordinate) < 0.001)
    #expect(abs(kept.accuracy - place.accuracy) < 0.001)
  }

  @Test("Numbers that JSON lacks are stored all the same")
  func notFinite() throws {
    let fixture = try StoreFixture()
    var fix = Fix(latitude: 1, longitude: 2, arrival: at(3))
    fix.speed = .infinity
    let position = StoredPosition(parameters: SubscriptionParameters(mode: .deferred), lastDelivered: fix)
    try fixture.open().tables.commit([.putName(anna, user: "user1000", wake: nil), .putPosition(anna, position)])
    #expect(try fixture.state().names.first?.position == position)
  }
}
