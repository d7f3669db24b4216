import Positioning

@testable import Broker

/// An attacker who sees all published fixes of a device, and estimates its place.
protocol FuzzerAttack {
  mutating func see(_ observation: FuzzedDevice.Observation)
  /// The error of the estimate, in metres.
  var error: Double { get }
}

private func length(_ east: Double, _ north: Double) -> Double { (east * east + north * north).squareRoot() }

/// Takes the mean of all published fixes of a resting device.
struct AveragingAttack: FuzzerAttack {
  private var (east, north, count) = (0.0, 0.0, 0.0)

  mutating func see(_ observation: FuzzedDevice.Observation) {
    // Each hour has the same weight, however many fixes it has.
    let weight = observation.hours < 24 ? 1.0 / 6 : observation.hours < 720 ? 2 : 12
    self.east += weight * observation.east.middle
    self.north += weight * observation.north.middle
    self.count += weight
  }

  var error: Double { length(self.east / self.count, self.north / self.count) }
}

/// Knows the algorithm, and follows the offset: the best possible attack on a device that rests, or that rests at two
/// places in turn.
struct FollowingAttack: FuzzerAttack {
  /// The observations along an axis at one place since the last call of the filter.
  private struct Seen {
    var newest: Stretch?
    var before: Stretch?

    mutating func add(_ stretch: Stretch) {
      if let newest, newest != stretch { self.before = newest }
      self.newest = stretch
    }

    /// The possible places of the device, moved by the present offset: in its cell, and near the edge if it came from
    /// another.
    func stretch(slack: Double) -> Stretch? {
      guard let newest else { return nil }
      guard let before else { return newest }
      let edge = before.low >= newest.high - 1 ? newest.high : before.high <= newest.low + 1 ? newest.low : nil
      return edge.flatMap { newest.common(with: Stretch(low: $0 - slack, high: $0 + slack)) } ?? newest
    }
  }

  private var filters: (east: OffsetFilter, north: OffsetFilter)
  private var seen: [(east: Seen, north: Seen)] = [(Seen(), Seen()), (Seen(), Seen())]
  private var updated = 0.0
  /// Whether it is at the second of its places at that hour.
  private let isAway: (Double) -> Bool

  init(seed: UInt64, isAway: @escaping (Double) -> Bool = { _ in false }) {
    self.filters = (OffsetFilter(seed: seed), OffsetFilter(seed: seed &+ 1))
    self.isAway = isAway
  }

  mutating func see(_ observation: FuzzedDevice.Observation) {
    let place = self.isAway(observation.hours) ? 1 : 0
    self.seen[place].east.add(observation.east)
    self.seen[place].north.add(observation.north)
    let passed = observation.hours - self.updated
    guard passed >= (observation.hours < 720 ? 23.9 : 167.9) else { return }
    self.updated = observation.hours
    self.filters.east.drift(hours: passed)
    self.filters.north.drift(hours: passed)
    let slack = 30 * passed.squareRoot()
    for (place, seen) in self.seen.enumerated() {
      if let stretch = seen.east.stretch(slack: slack) { self.filters.east.see(stretch, second: place == 1) }
      if let stretch = seen.north.stretch(slack: slack) { self.filters.north.see(stretch, second: place == 1) }
    }
    self.seen = [(Seen(), Seen()), (Seen(), Seen())]
  }

  var surprises: Int { self.filters.east.surprises + self.filters.north.surprises }
  var error: Double { length(self.filters.east.estimate, self.filters.north.estimate) }
}

/// Knows the offset at every moment, which no attacker does: it shows the effect of the grid alone.
struct InitiatedAttack: FuzzerAttack {
  private var east = Stretch(low: -1e6, high: 1e6)
  private var north = Stretch(low: -1e6, high: 1e6)

  mutating func see(_ observation: FuzzedDevice.Observation) {
    let (east, north) = observation.offset
    self.east =
      self.east.common(with: Stretch(low: observation.east.low - east, high: observation.east.high - east)) ?? self.east
    self.north =
      self.north.common(with: Stretch(low: observation.north.low - north, high: observation.north.high - north))
      ?? self.north
  }

  var error: Double { length(self.east.middle, self.north.middle) }
}

/// Knows the timetable of a device that goes to and fro along a straight road, and fits the road to the published
/// fixes: the least squares of its two ends.
struct RoadAttack: FuzzerAttack {
  /// The position along the road at that hour, 0...1.
  private let share: (Double) -> Double
  /// The true vector from the first end to the second.
  private let way: (east: Double, north: Double)
  private var squares = (first: 0.0, both: 0.0, second: 0.0)
  private var east = (first: 0.0, second: 0.0)
  private var north = (first: 0.0, second: 0.0)

  init(way: (east: Double, north: Double), share: @escaping (Double) -> Double) {
    self.share = share
    self.way = way
  }

  mutating func see(_ observation: FuzzedDevice.Observation) {
    let (second, first) = (self.share(observation.hours), 1 - self.share(observation.hours))
    self.squares.first += first * first
    self.squares.both += first * second
    self.squares.second += second * second
    self.east.first += first * observation.east.middle
    self.east.second += second * observation.east.middle
    self.north.first += first * observation.north.middle
    self.north.second += second * observation.north.middle
  }

  private func ends(_ sums: (first: Double, second: Double)) -> (first: Double, second: Double) {
    let squares = self.squares
    let determinant = squares.first * squares.second - squares.both * squares.both
    return (
      (sums.first * squares.second - sums.second * squares.both) / determinant,
      (sums.second * squares.first - sums.first * squares.both) / determinant
    )
  }

  /// In the middle of the road.
  var error: Double {
    let (east, north) = (self.ends(self.east), self.ends(self.north))
    return length(
      (east.first + east.second - self.way.east) / 2, (north.first + north.second - self.way.north) / 2)
  }
}
