import Broker
import Positioning
import TestSupport
import Testing

@testable import Store

/// Moments on the clock of another boot.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct MomentTests {
  private static func region(expiresIn: Duration? = nil) -> Region {
    Region(
      id: "home", shape: .circle(center: Coordinate(latitude: 1, longitude: 2), radius: 3), expiresIn: expiresIn)
  }

  private static func keep(_ fixture: StoreFixture, since: Instant, expiry: Instant, expiresIn: Duration? = nil) throws
  {
    let stored = StoredRegion(
      region: Self.region(expiresIn: expiresIn),
      snapshot: RegionSnapshot(state: .inside, since: since, expiry: expiry))
    try fixture.open().tables.commit([.putName(anna, user: "user1000", wake: nil), .putRegion(anna, stored)])
  }

  private static func kept(_ fixture: StoreFixture, now: Instant) throws -> RegionSnapshot {
    try #require(try fixture.state(now: now).names.first?.regions.first?.snapshot)
  }

  @Test("Within one boot moments are unchanged, however the wall clock was stepped")
  func sameBoot() throws {
    let fixture = try StoreFixture(epoch: 1_000_000)
    try Self.keep(fixture, since: at(5000.25), expiry: at(20_000), expiresIn: .seconds(100))
    fixture.clock = .fixed("boot 1", epoch: 99)
    let kept = try Self.kept(fixture, now: at(10_000))
    #expect(kept.since == at(5000.25))
    #expect(kept.expiry == at(20_000))
  }

  @Test("After a boot moments are placed by the wall clock")
  func otherBoot() throws {
    let fixture = try StoreFixture(epoch: 1_000_000)
    try Self.keep(fixture, since: at(5000), expiry: at(20_000), expiresIn: .seconds(15_000))
    // It went off at 10000 at the latest, and on again 2000 s after that.
    fixture.clock = .fixed("boot 2", epoch: 1_012_000)
    let kept = try Self.kept(fixture, now: at(60))
    #expect(kept.since == at(5000 - 12_000))
    #expect(kept.expiry == at(20_000 - 12_000))
  }

  @Test("Data that expired while the machine was off is returned unchanged")
  func expired() throws {
    let fixture = try StoreFixture(epoch: 1_000_000)
    try Self.keep(fixture, since: at(5000), expiry: at(6000), expiresIn: .seconds(1000))
    fixture.clock = .fixed("boot 2", epoch: 2_000_000)
    #expect(try Self.kept(fixture, now: at(60)).expiry == at(6000 - 1_000_000))
  }

  @Test(
    "With a wall clock years back, moments before this boot stay so, and nothing expires later than it could"
  )
  func wallClockBehind() throws {
    let fixture = try StoreFixture(epoch: 1_000_000)
    try Self.keep(fixture, since: at(5000), expiry: at(6000), expiresIn: .seconds(1000))
    fixture.clock = .fixed("boot 2", epoch: 0)
    let kept = try Self.kept(fixture, now: at(60))
    #expect(kept.since == .lastBeforeBoot)
    #expect(kept.expiry == at(1060))
  }

  @Test("If the boot is unknown, every start counts as another")
  func unknownBoot() throws {
    let fixture = try StoreFixture(boot: nil, epoch: 1_000_000)
    try Self.keep(fixture, since: at(5000), expiry: at(20_000))
    fixture.clock = .fixed(nil, epoch: 1_000_500)
    #expect(try Self.kept(fixture, now: at(10_000)).since?.isBeforeBoot == true)
  }

  @Test("Data stored again after a boot counts from that boot")
  func severalBoots() throws {
    let fixture = try StoreFixture(epoch: 1_000_000)
    try Self.keep(fixture, since: at(5000), expiry: at(20_000))
    fixture.clock = .fixed("boot 2", epoch: 1_012_000)
    let snapshot = RegionSnapshot(state: .outside, since: at(100), expiry: at(8000))
    try fixture.open(now: at(60)).tables.commit([.setRegionSnapshot(anna, id: "home", snapshot)])
    #expect(try Self.kept(fixture, now: at(200)) == snapshot)
    fixture.clock = .fixed("boot 3", epoch: 1_013_000)
    let kept = try Self.kept(fixture, now: at(10))
    #expect(kept == RegionSnapshot(state: .outside, since: at(-900), expiry: at(7000)))
  }

  @Test("A wall clock that is stepped during a boot counts for data stored afterwards")
  func stepped() throws {
    let fixture = try StoreFixture()
    let wall = Box(Duration.seconds(1_000_000))
    fixture.clock = BootClock(boot: "boot 1") { wall.value }
    let visit = Visit(id: 1, latitude: 1, longitude: 2, horizontalAccuracy: 3)
    do {
      let tables = try fixture.open().tables
      try tables.commit([
        .putName(anna, user: "user1000", wake: nil),
        .putEvent(anna, DurableEvent(id: 1, at: at(5000), content: .visit(visit))),
      ])
      // The first was stored an hour too early by the wall clock.
      wall.value += .seconds(3600)
      try tables.commit([.putEvent(anna, DurableEvent(id: 2, at: at(5000), content: .visit(visit)))])
    }
    fixture.clock = .fixed("boot 2", epoch: 1_020_000)
    #expect(try fixture.state().names.first?.events.map(\.at) == [at(5000 - 20_000), at(5000 - 16_400)])
  }

  @Test("A wall clock that trembles was not stepped: a boot has one row")
  func trembling() throws {
    let fixture = try StoreFixture()
    let wall = Box(Duration.seconds(1_000_000))
    fixture.clock = BootClock(boot: "boot 1") { wall.value }
    let tables = try fixture.open().tables
    let visit = Visit(id: 1, latitude: 1, longitude: 2, horizontalAccuracy: 3)
    try tables.commit([.putName(anna, user: "user1000", wake: nil)])
    for event in 1...20 as ClosedRange<UInt64> {
      wall.value += .microseconds(event.isMultiple(of: 2) ? -300 : 300)
      try tables.commit([.putEvent(anna, DurableEvent(id: event, at: at(5000), content: .visit(visit)))])
    }
    #expect(try tables.database.integer("SELECT count(*) FROM clocks") == 1)
  }

  @Test("Decisions and the fuzzer's offset are placed by the wall clock after a boot")
  func permission() throws {
    let fixture = try StoreFixture(epoch: 1_000_000)
    let shown = Fix(latitude: 1, longitude: 2, arrival: at(9000), isReduced: true)
    try fixture.open().tables.commit([
      .putDecision(1000, Decision(user: "user1000", level: .always, at: at(5000))),
      .putFuzzer(LocationFuzzer.Snapshot(east: 1, north: 2, drifted: at(7000), shown: shown)),
    ])
    fixture.clock = .fixed("boot 2", epoch: 1_012_000)
    let later = try fixture.state(now: at(60))
    #expect(later.decisions[1000]?.at == at(5000 - 12_000))
    #expect(later.fuzzer?.drifted == at(7000 - 12_000))
    #expect(later.fuzzer?.shown?.arrival == at(9000 - 12_000))
    // By a clock that is years back it was before this boot all the same.
    fixture.clock = .fixed("boot 3", epoch: 0)
    let behind = try fixture.state(now: at(60))
    #expect(behind.decisions[1000]?.at == .lastBeforeBoot)
    #expect(behind.fuzzer?.drifted == .lastBeforeBoot && behind.fuzzer?.shown?.arrival == .lastBeforeBoot)
  }

  @Test("Boots without any moments are removed, and one with moments stays, however long ago it was")
  func forgotten() throws {
    let fixture = try StoreFixture()
    let kept = DurableID(uid: 1000, name: "kept")
    let stored = StoredRegion(
      region: Self.region(), snapshot: RegionSnapshot(state: .inside, since: at(5), expiry: nil))
    try fixture.open().tables.commit([.putName(kept, user: "user1000", wake: nil), .putRegion(kept, stored)])
    for boot in 1...40 as ClosedRange<Int64> {
      fixture.clock = .fixed("boot \(boot)", epoch: 1_000_000 + boot * 1000)
      try Self.keep(fixture, since: at(1), expiry: at(2))
      let count = try fixture.open().tables.database.integer("SELECT count(*) FROM clocks")
      #expect(count.map { (2...10).contains($0) } == true)
    }
    let names = try fixture.state().names
    let since = try #require(names.first { $0.id == kept }?.regions.first?.snapshot.since)
    #expect(since == at(5 - 40_000))
    #expect(names.count == 2)
  }

  @Test("Impossible moments and durations have no effect")
  func extremes() throws {
    let fixture = try StoreFixture(epoch: .max / 1_000_000_000)
    let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
    try Self.keep(fixture, since: Instant(sinceBoot: .zero - longest), expiry: Instant(sinceBoot: longest))
    for epoch in [Int64.min, 0, .max] {
      fixture.clock = BootClock(boot: "boot 2") { .nanoseconds(epoch) }
      let kept = try Self.kept(fixture, now: at(60))
      #expect(kept.since.map { $0 <= at(60) } == true)
    }
  }
}

/// A value that a test and a closure share, on one thread.
final class Box<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}
