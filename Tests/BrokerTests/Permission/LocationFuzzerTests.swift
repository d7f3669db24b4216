import Geodesy
import Positioning
import Testing

@testable import Broker

/// Reduced fixes.
@Suite struct LocationFuzzerTests {
  private static let home = Coordinate(latitude: 50.1, longitude: 8.2)
  private static let hour = 3600.0

  private static func fix(_ seconds: Double, _ place: Coordinate = home, accuracy: Double? = 5) -> Fix {
    Fix(latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: accuracy, arrival: at(seconds))
  }

  private static func shows(_ fuzzer: inout LocationFuzzer, _ fix: Fix, now: Instant) -> Bool {
    fuzzer.fixed(fix, now: now) != nil
  }

  private static func offset(_ snapshot: LocationFuzzer.Snapshot) -> Double {
    (snapshot.east * snapshot.east + snapshot.north * snapshot.north).squareRoot()
  }

  private static func places(_ count: Int, _ random: inout SeededRandom) -> [Coordinate] {
    (0..<count).map { index in
      let longitude = Double.random(in: -180...180, using: &random)
      switch index % 4 {
      case 0: return Coordinate(latitude: 90 - Double.random(in: 0...0.05, using: &random), longitude: longitude)
      case 1: return Coordinate(latitude: longitude / 2, longitude: 180)
      case 2: return Coordinate(latitude: -90, longitude: longitude)
      case _: return Coordinate(latitude: Double.random(in: -90...90, using: &random), longitude: longitude)
      }
    }
  }

  // MARK: The published fix

  @Test("A reduced fix has the cell's point and the fix's time, and its other members look like any fix's")
  func content() throws {
    var fuzzer = LocationFuzzer(seed: 1, now: at(0))
    let fix = Fix(
      latitude: 48.137, longitude: 11.575, horizontalAccuracy: 3.5, altitude: 519, ellipsoidalAltitude: 566,
      verticalAccuracy: 7, speed: 13.9, speedAccuracy: 0.5, course: 271, courseAccuracy: 10,
      time: Timestamp(seconds: 1_700_000_000.75), arrival: at(100.5), mode: .threeDimensional,
      status: .rtkFixed, device: "/dev/ttyACM0", satellitesUsed: 12)
    let fixed = fuzzer.fixed(fix, now: at(100.5))
    let shown = try #require(fixed)
    #expect(
      shown
        == Fix(
          latitude: shown.latitude, longitude: shown.longitude, horizontalAccuracy: 2000,
          time: Timestamp(seconds: 1_700_000_000), arrival: at(100.5), mode: .twoDimensional, status: .gnss,
          isReduced: true))
    #expect(GridCell(holding: shown.coordinate).middle == shown.coordinate)
    #expect(fuzzer.snapshot.shown == shown)
    // A receiver's time before 1970 is rounded down as well.
    var early = fix
    early.time = Timestamp(seconds: -0.25)
    early.arrival = at(1000)
    let receivedEarly = fuzzer.fixed(early, now: at(1000))
    #expect(receivedEarly?.time == Timestamp(seconds: -1))
  }

  @Test("Anywhere on earth the distance to the point is at most the offset and half a cell's diagonal")
  func error() throws {
    var random = SeededRandom(seed: 2)
    for (seed, place) in Self.places(4000, &random).enumerated() {
      var fuzzer = LocationFuzzer(seed: UInt64(seed), now: at(0))
      let fixed = fuzzer.fixed(Self.fix(1, place), now: at(1))
      let shown = try #require(fixed)
      let reach = place.latitude.magnitude < 89.8 ? 1520.0 : 1640
      let distance = Geodesy.distance(from: place, to: shown.coordinate)
      #expect(distance <= reach + 1.01 * Self.offset(fuzzer.snapshot), "\(place)")
      #expect((-180..<180).contains(shown.longitude) && shown.latitude.magnitude <= 90)
    }
  }

  @Test("All places in one cell have the same point")
  func oneCell() throws {
    let fuzzer = LocationFuzzer(seed: 3, now: at(0))
    let (east, north) = (fuzzer.snapshot.east, fuzzer.snapshot.north)
    let cell = GridCell(holding: Geodesy.moved(Self.home, east: east, north: north))
    var random = SeededRandom(seed: 3)
    for _ in 0..<500 {
      let moved = Coordinate(
        latitude: cell.middle.latitude + cell.height * Double.random(in: -0.49...0.49, using: &random),
        longitude: cell.middle.longitude + cell.width * Double.random(in: -0.49...0.49, using: &random))
      var copy = fuzzer
      let shown = copy.fixed(Self.fix(1, Geodesy.moved(moved, east: -east, north: -north)), now: at(1))
      #expect(shown?.coordinate == cell.middle)
    }
  }

  // MARK: When

  @Test("One fix is shown in 10 minutes, the first that is good enough; inaccurate ones are skipped without delay")
  func cadence() {
    var fuzzer = LocationFuzzer(seed: 4, now: at(0))
    var random = SeededRandom(seed: 4)
    var shown: [Double] = []
    var (expected, due) = ([Double](), 0.0)
    for second in stride(from: 0.0, to: 20 * Self.hour, by: 7) {
      let accuracies: [Double?] = [nil, 2000.001, 5000, 2000, 12, 3]
      let accuracy = accuracies[Int.random(in: 0..<accuracies.count, using: &random)]
      if second >= due, let accuracy, accuracy <= 2000 {
        expected.append(second)
        due = second + 600
      }
      if fuzzer.fixed(Self.fix(second, accuracy: accuracy), now: at(second)) != nil { shown.append(second) }
    }
    #expect(shown == expected && shown.count > 100)
  }

  @Test("The 10 minutes count by arrival, exactly, and an older fix is never shown")
  func interval() {
    var fuzzer = LocationFuzzer(seed: 5, now: at(0))
    #expect(Self.shows(&fuzzer, Self.fix(1000), now: at(1000)))
    let snapshot = fuzzer.snapshot
    for seconds in [500, 1000, 1599.999] { #expect(!Self.shows(&fuzzer, Self.fix(seconds), now: at(9000))) }
    // An unpublished fix changes nothing that would have to be stored.
    #expect(fuzzer.snapshot == snapshot)
    #expect(Self.shows(&fuzzer, Self.fix(1600), now: at(1600)))
    #expect(fuzzer.snapshot != snapshot)
  }

  @Test("The 10 minutes count by when the device was there too, whatever held the fix back")
  func heldBack() {
    func late(_ arrival: Double, by lag: Double) -> Fix {
      var fix = Self.fix(arrival)
      fix.lag = .seconds(lag)
      return fix
    }
    var fuzzer = LocationFuzzer(seed: 5, now: at(0))
    #expect(Self.shows(&fuzzer, Self.fix(4902), now: at(4902)))
    // It was read when the machine had slept for 849 s.
    #expect(!Self.shows(&fuzzer, late(6242, by: 849), now: at(6242)))
    #expect(Self.shows(&fuzzer, late(6351, by: 849), now: at(6351)))
    // Those that come in time again do not follow at once, though the device was there long after.
    #expect(!Self.shows(&fuzzer, Self.fix(6352), now: at(6352)))
    #expect(Self.shows(&fuzzer, Self.fix(6951), now: at(6951)))
  }

  @Test(
    "A fix that has no accuracy, or one that is no number, is too inaccurate",
    arguments: [nil, Double.nan, .infinity, 2000.1])
  func vague(accuracy: Double?) {
    var fuzzer = LocationFuzzer(seed: 6, now: at(0))
    #expect(!Self.shows(&fuzzer, Self.fix(1, accuracy: accuracy), now: at(1)))
  }

  // MARK: Restarts

  @Test("A restart at any moment shows nobody more than a run without it")
  func restarts() {
    var random = SeededRandom(seed: 7)
    var fuzzer = LocationFuzzer(seed: 7, now: at(0))
    var place = Self.home
    var compared = 0
    for second in stride(from: 0.0, to: 30 * Self.hour, by: 60) {
      if random.oneIn(20) {
        place = Geodesy.moved(Self.home, east: Double.random(in: -9e3...9e3, using: &random), north: 0)
      }
      let before = fuzzer.snapshot
      let shown = fuzzer.fixed(Self.fix(second, place), now: at(second))
      #expect((shown == nil) == (fuzzer.snapshot == before))
      for seed in 0..<3 as Range<UInt64> {
        var again = LocationFuzzer(restoring: before, seed: seed)
        let shownAgain = again.fixed(Self.fix(second, place), now: at(second))
        #expect((shownAgain == nil) == (shown == nil), "a fix comes sooner, or later")
        guard fuzzer.snapshot.drifted == before.drifted else { continue }
        compared += shown == nil ? 0 : 1
        #expect(shownAgain == shown && again.snapshot == fuzzer.snapshot, "another offset in the same hour")
      }
      // Only the state that was stored with the fix is restored: nobody sees two drifts of one hour.
      let seed = UInt64(second)
      if random.oneIn(2) { fuzzer = LocationFuzzer(restoring: fuzzer.snapshot, seed: seed) }
    }
    #expect(compared > 300)
  }

  @Test("A thousand starts in an hour show one point")
  func thousandStarts() {
    var fuzzer = LocationFuzzer(seed: 8, now: at(0))
    var points: Set<Coordinate> = []
    var shown = 0
    for start in 0..<1000 {
      let now = 10 + Double(start) * 3.5
      fuzzer = LocationFuzzer(restoring: fuzzer.snapshot, seed: UInt64(start))
      guard let fix = fuzzer.fixed(Self.fix(now), now: at(now)) else { continue }
      shown += 1
      points.insert(fix.coordinate)
    }
    #expect(shown == 6 && points.count == 1)
  }

  @Test("A point shown before a boot, of unknown age, expires, and hours of suspend count")
  func boot() {
    let shown = Self.fix(-100)
    let kept = LocationFuzzer.Snapshot(east: 10, north: 20, drifted: at(-10 * Self.hour), shown: shown)
    var fuzzer = LocationFuzzer(restoring: kept, seed: 9)
    #expect(Self.shows(&fuzzer, Self.fix(10), now: at(10)))
    #expect(fuzzer.snapshot.drifted == at(0))
    #expect(!Self.shows(&fuzzer, Self.fix(500), now: at(500)))
  }

  @Test("A clock that is behind, and one that is centuries ahead, have no effect")
  func clocks() {
    let kept = LocationFuzzer.Snapshot(east: 10, north: 20, drifted: at(5000))
    var behind = LocationFuzzer(restoring: kept, seed: 10)
    #expect(Self.shows(&behind, Self.fix(1), now: at(1)))
    #expect(behind.snapshot.drifted == at(5000) && behind.snapshot.east == 10)
    var ahead = LocationFuzzer(restoring: kept, seed: 10)
    let now = Instant(sinceBoot: .seconds(290 * 365 * 86_400))
    var fix = Self.fix(1)
    fix.arrival = now
    #expect(Self.shows(&ahead, fix, now: now))
    #expect(ahead.snapshot.drifted <= now && now - ahead.snapshot.drifted < .seconds(3600))
    #expect(Self.offset(ahead.snapshot) < 5000)
  }

  // MARK: The offset

  @Test("The same seed gives the same offsets, another seed others")
  func seeds() {
    func run(_ seed: UInt64) -> [LocationFuzzer.Snapshot] {
      var fuzzer = LocationFuzzer(seed: seed, now: at(0))
      return (1...50).map { hour in
        _ = fuzzer.fixed(Self.fix(Double(hour) * Self.hour), now: at(Double(hour) * Self.hour))
        return fuzzer.snapshot
      }
    }
    #expect(run(1) == run(1))
    #expect(run(1).map(\.east) != run(2).map(\.east))
  }

  @Test(
    "In the first hour and after years the offset has a normal distribution, 500 m along each axis",
    arguments: [0, 1, 20])
  func spread(years: Int) {
    let devices = 4000
    var squares = 0.0
    var sums = (east: 0.0, north: 0.0, product: 0.0, beyond: 0)
    for seed in 0..<devices {
      var fuzzer = LocationFuzzer(seed: UInt64(seed), now: at(0))
      for year in 0..<years { _ = fuzzer.fixed(Self.fix(Double(year) * 3e7), now: at(Double(year) * 3e7)) }
      let (east, north) = (fuzzer.snapshot.east, fuzzer.snapshot.north)
      squares += east * east + north * north
      sums.east += east
      sums.north += north
      sums.product += east * north
      if abs(east) > 1000 { sums.beyond += 1 }
    }
    let count = Double(devices)
    let sigma = (squares / count / 2).squareRoot()
    #expect(abs(sigma - 500) < 15, "\(sigma)")
    #expect(abs(sums.east / count) < 30 && abs(sums.north / count) < 30)
    #expect(abs(sums.product / count) < 0.06 * 500 * 500, "east and north hang together")
    #expect((130...235).contains(sums.beyond), "\(sums.beyond) of 4000 are beyond 2 sigma, not 182")
  }

  @Test("The offset drifts by 15 m in an hour and is uncorrelated after three months, in steps or at once")
  func drift() {
    // Mean squares of the change along an axis, for devices whose offset was 300 m.
    func change(hours: Int, steps: Int) -> (mean: Double, sigma: Double) {
      let devices = 1500
      var (sum, squares) = (0.0, 0.0)
      for seed in 0..<devices {
        let kept = LocationFuzzer.Snapshot(east: 300, north: 300, drifted: at(0))
        var fuzzer = LocationFuzzer(restoring: kept, seed: UInt64(seed))
        for step in 1...steps {
          let now = Double(hours * step / steps) * Self.hour
          _ = fuzzer.fixed(Self.fix(now), now: at(now))
        }
        sum += fuzzer.snapshot.east
        squares += fuzzer.snapshot.east * fuzzer.snapshot.east
      }
      let mean = sum / Double(devices)
      return (mean, (squares / Double(devices) - mean * mean).squareRoot())
    }
    let hour = change(hours: 1, steps: 1)
    #expect(abs(hour.mean - 300) < 1.5 && abs(hour.sigma - 15) < 1)
    for steps in [1, 24] {
      let day = change(hours: 24, steps: steps)
      #expect(abs(day.mean - 297) < 7 && abs(day.sigma - 73) < 5, "\(steps) steps: \(day)")
    }
    // 2222 hours: 1 / e of the offset is left, and the rest is new.
    let season = change(hours: 2222, steps: 1)
    #expect(abs(season.mean - 300 / 2.718) < 40 && abs(season.sigma - 465) < 30, "\(season)")
  }

  @Test("The offset drifts with each full hour since the first, however often it is read")
  func hours() {
    var fuzzer = LocationFuzzer(seed: 11, now: at(0))
    var changes: [Double] = []
    var east = fuzzer.snapshot.east
    for second in stride(from: 0.0, to: 5 * Self.hour, by: 700) {
      _ = fuzzer.fixed(Self.fix(second), now: at(second))
      if fuzzer.snapshot.east != east { changes.append(second) }
      east = fuzzer.snapshot.east
    }
    // The first fix after each full hour.
    #expect(changes == [4200, 7700, 11_200, 14_700])
  }
}
