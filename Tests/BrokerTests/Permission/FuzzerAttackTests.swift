import Geodesy
import Positioning
import TestSupport
import Testing

@testable import Broker

/// The error of an attacker who knows how reduced positions are fuzzed and sees every fix for a year.
/// docs/reduced-precision.md has the figures.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct FuzzerAttackTests {
  private static let devices = 200
  /// 20 km in 24 minutes less 7 s, so that fixes are at ever other places of the road.
  private static let road = 20_000.0
  private static let oneWay = 0.398

  /// Median errors of one attack, by horizon.
  private struct Row {
    let name: String
    var errors = [[Double]](repeating: [], count: FuzzedDevice.horizons.count)

    func median(_ days: Double) -> Double {
      let errors = zip(FuzzedDevice.horizons, self.errors).first { $0.0 == days }?.1.sorted() ?? []
      return errors.isEmpty ? .nan : (errors[(errors.count - 1) / 2] + errors[errors.count / 2]) / 2
    }
  }

  @Test("An observer of a resting device learns no more in a week than one cell of the grid shows")
  func attacks() {
    var rows = [
      "at rest, by averaging", "at rest, by following the offset", "at rest, the offset known from elsewhere",
      "home and work, by following the offset", "to and fro on a straight road",
    ].map { Row(name: $0) }
    var random = SeededRandom(seed: 1)
    let oneCell = Self.errorOfOneCell(&random)
    var surprises = 0
    for seed in 0..<UInt64(Self.devices) {
      let origin = Self.origin(&random)
      let (east, north) = Self.unit(&random)
      let work = (east: 8000 * east, north: 8000 * north)
      let way = (east: Self.road * east, north: Self.road * north)
      var following = FollowingAttack(seed: seed + 1_000_000)
      Self.run(seed, origin, at: { _ in (0, 0) }) { observation in
        following.see(observation)
      } estimate: {
        rows[1].errors[$0].append(following.error)
      }
      surprises += following.surprises
      Self.run(AveragingAttack(), seed, origin, into: &rows[0])
      Self.run(InitiatedAttack(), seed, origin, into: &rows[2])
      Self.run(
        FollowingAttack(seed: seed + 2_000_000, isAway: Self.isAtWork), seed, origin,
        at: { Self.isAtWork($0) ? work : (0, 0) }, into: &rows[3])
      Self.run(
        RoadAttack(way: way, share: Self.share), seed, origin,
        at: { (way.east * Self.share($0), way.north * Self.share($0)) }, into: &rows[4])
    }
    Self.show(rows, cell: oneCell)
    #expect(rows[1].median(1) > oneCell && rows[1].median(7) > 0.95 * oneCell)
    #expect(rows[0].median(14) > 0.95 * oneCell && rows[3].median(7) > 0.95 * oneCell)
    // Then the drift slowly becomes visible; a road reveals all but the offset in a day, whose median length is 589 m.
    #expect(rows[1].median(30) > 0.8 * oneCell && rows[3].median(30) > 0.8 * oneCell)
    #expect(rows[4].median(1) > 530 && rows[4].median(30) > 500)
    for row in rows where row.name != rows[2].name { #expect(row.median(365) > 300, "\(row.name)") }
    // The attackers are as good as expected.
    #expect(rows[1].median(365) < 500 && rows[2].median(365) < 20 && rows[4].median(1) < 0.85 * oneCell)
    #expect(surprises < Self.devices, "the guesses do not follow what is seen")
  }

  private static func origin(_ random: inout SeededRandom) -> Coordinate {
    Coordinate(
      latitude: Double.random(in: 48.7...51.7, using: &random), longitude: Double.random(in: 5...15, using: &random))
  }

  /// The error of an attacker who knows the device's cell, of a grid without an offset, and takes its middle.
  private static func errorOfOneCell(_ random: inout SeededRandom) -> Double {
    let errors = (0..<4001).map { _ in
      let place = self.origin(&random)
      return Geodesy.distance(from: place, to: GridCell(holding: place).middle)
    }
    return errors.sorted()[2000]
  }

  private static func isAtWork(_ hours: Double) -> Bool {
    (8..<18).contains(hours.truncatingRemainder(dividingBy: 24))
  }

  /// The device's position along the road.
  private static func share(_ hours: Double) -> Double {
    let along = (hours / self.oneWay).truncatingRemainder(dividingBy: 2)
    return along <= 1 ? along : 2 - along
  }

  private static func unit(_ random: inout SeededRandom) -> (east: Double, north: Double) {
    let (east, north) = random.gaussians()
    let length = (east * east + north * north).squareRoot()
    return (east / length, north / length)
  }

  private static func run(
    _ attack: some FuzzerAttack, _ seed: UInt64, _ origin: Coordinate,
    at place: (Double) -> (east: Double, north: Double) = { _ in (0, 0) }, into row: inout Row
  ) {
    var attack = attack
    self.run(seed, origin, at: place) { observation in
      attack.see(observation)
    } estimate: {
      row.errors[$0].append(attack.error)
    }
  }

  private static func run(
    _ seed: UInt64, _ origin: Coordinate, at place: (Double) -> (east: Double, north: Double),
    see: (FuzzedDevice.Observation) -> Void, estimate: (Int) -> Void
  ) {
    var device = FuzzedDevice(seed: seed, at: origin)
    var horizons = FuzzedDevice.horizons.enumerated().makeIterator()
    var next = horizons.next()
    for hours in FuzzedDevice.moments {
      let (east, north) = place(hours)
      if let observation = device.show(hours, east: east, north: north) { see(observation) }
      while let due = next, hours >= due.element * 24 {
        estimate(due.offset)
        next = horizons.next()
      }
    }
  }

  private static func show(_ rows: [Row], cell: Double) {
    var lines = [label("median error in metres, after so many days", 46)]
    lines[0] += FuzzedDevice.horizons.map { column($0, 7) }.joined()
    for row in rows {
      lines.append(label(row.name, 46) + FuzzedDevice.horizons.map { column(row.median($0), 7) }.joined())
    }
    lines.append(label("one cell of the grid, and nothing else", 46) + column(cell, 7))
    print(lines.joined(separator: "\n"))
  }
}
