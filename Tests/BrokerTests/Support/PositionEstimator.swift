import Geodesy
import Positioning

/// Locates a resting device from all that a client received, assuming that all of it is about the true position: the
/// result is the smallest area that agrees with it.
///
/// If something leaks the true position, the area is around the device. If everything was judged by the reduced
/// position, it is around that one, which every client knows anyway: then `distance(to:)` the device is that of one
/// reduced fix, and no number of requests improves it.
struct PositionEstimator {
  /// The remaining area.
  struct Region {
    /// Its centre of gravity.
    let middle: Coordinate
    /// From there to the farthest place in it; metres.
    let radius: Double
    /// Square metres.
    let area: Double
    /// How many of the statements agree with it, and of how many.
    let agreeing: Int
    let statements: Int

    /// The error of an attacker who takes the middle for the device.
    func distance(to place: Coordinate) -> Double { Geodesy.distance(from: self.middle, to: place) }
  }

  /// A circle on a plane around the first received place, in metres.
  private struct Statement: Hashable {
    let x: Double
    let y: Double
    let radius: Double
    let isInside: Bool

    /// Whether it can be true of a place within this distance of the point.
    func agrees(_ x: Double, _ y: Double, reach: Double) -> Bool {
      let (east, north) = (x - self.x, y - self.y)
      let distance = (east * east + north * north).squareRoot()
      return self.isInside ? distance - reach <= self.radius : distance + reach >= self.radius
    }
  }

  private struct Square {
    let x: Double
    let y: Double

    init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }

    init(meanOf squares: [Square]) {
      let count = Double(squares.count)
      self.x = squares.map(\.x).reduce(0, +) / count
      self.y = squares.map(\.y).reduce(0, +) / count
    }

    func distance(to other: Square) -> Double {
      let (x, y) = (self.x - other.x, self.y - other.y)
      return (x * x + y * y).squareRoot()
    }

    /// - Parameter half: half of their side.
    func quarters(_ half: Double) -> [Square] {
      [self.x - half, self.x + half].flatMap { x in [self.y - half, self.y + half].map { Square(x: x, y: $0) } }
    }
  }

  /// Half of the square in which the device is searched, around the first received place; metres.
  private static let half = 10_240.0
  /// The smallest squares, and the limit of their number.
  private static let smallest = 5.0
  private static let most = 2000
  /// The greatest distance of a device from its reduced position: half a cell's diagonal, and four sigmas of the
  /// offset.
  private static let reducedReach = 3600.0
  /// The greatest distance of a fix from the device, in accuracies.
  private static let fixReach = 4.0

  private var origin: Coordinate?
  /// With the time of the last receipt.
  private var statements: [Statement: Instant] = [:]

  // MARK: Received data

  mutating func received(_ fix: Fix) {
    let radius = fix.isReduced ? Self.reducedReach : Self.fixReach * (fix.horizontalAccuracy ?? 100)
    self.add(fix.coordinate, radius: radius, isInside: true, at: fix.arrival)
  }

  /// - Parameter margin: The distance in or out that the state leaves open; metres.
  mutating func received(
    _ state: RegionState, ofCircle center: Coordinate, radius: Double, margin: Double = 0, at now: Instant
  ) {
    switch state {
    case .unknown: break
    case .inside: self.add(center, radius: radius + margin, isInside: true, at: now)
    case .outside: self.add(center, radius: max(0, radius - margin), isInside: false, at: now)
    }
  }

  /// An event of a circle: the state counts, and its fix. Polygons are ignored.
  mutating func received(
    _ kind: RegionEventKind, _ state: RegionState, of region: Positioning.Region, fix: Fix?, margin: Double = 0,
    at now: Instant
  ) {
    if let fix { self.received(fix) }
    guard kind != .expired, case .circle(let center, let radius) = region.shape else { return }
    self.received(state, ofCircle: center, radius: radius, margin: margin, at: now)
  }

  /// A statement that the device is at this distance from a place, as in a warning or a list.
  mutating func received(distance: Double, from place: Coordinate, margin: Double, at now: Instant) {
    self.add(place, radius: distance + margin, isInside: true, at: now)
    self.add(place, radius: max(0, distance - margin), isInside: false, at: now)
  }

  private mutating func add(_ place: Coordinate, radius: Double, isInside: Bool, at now: Instant) {
    let origin = self.origin ?? place
    self.origin = origin
    // Distance and direction from the middle are exact, so circles far away are right near it.
    let distance = Geodesy.distance(from: origin, to: place)
    let bearing = Geodesy.bearing(from: origin, to: place) ?? 0
    let (x, y) = Self.point(bearing)
    self.statements[Statement(x: x * distance, y: y * distance, radius: radius, isInside: isInside)] = now
  }

  /// Data from before that moment does not count any more, if the device moves.
  mutating func forget(before moment: Instant) {
    self.statements = self.statements.filter { $0.value >= moment }
  }

  // MARK: Results

  /// The smallest area that agrees with everything, or with as much as possible; `nil` if nothing was received.
  var region: Region? {
    guard let origin = self.origin, !self.statements.isEmpty else { return nil }
    let statements = Array(self.statements.keys)
    var squares = [Square(x: 0, y: 0)]
    var half = Self.half
    var agreeing = 0
    // All squares with a place that may agree with the most; those are halved, until they are small or many.
    while half > Self.smallest, squares.count * 4 <= Self.most {
      half /= 2
      let finer = squares.flatMap { $0.quarters(half) }
      let counts = finer.map { square in
        statements.count { $0.agrees(square.x, square.y, reach: half * 2.0.squareRoot()) }
      }
      agreeing = counts.max() ?? 0
      squares = zip(finer, counts).filter { $0.1 == agreeing }.map(\.0)
    }
    let middle = Square(meanOf: squares)
    let farthest = squares.map { $0.distance(to: middle) }.max() ?? 0
    return Region(
      middle: Geodesy.moved(origin, east: middle.x, north: middle.y), radius: farthest + half * 2.0.squareRoot(),
      area: Double(squares.count) * 4 * half * half, agreeing: agreeing, statements: statements.count)
  }

  /// The middle of a circle of that radius whose edge halves the remaining area: the request that reveals the most.
  ///
  /// - Parameter bearing: The direction of the middle, degrees from true north.
  func question(radius: Double, bearing: Double) -> Coordinate? {
    guard let middle = self.region?.middle else { return nil }
    // The mean sphere is not quite the ellipsoid: the second step corrects the difference.
    let (x, y) = Self.point(bearing)
    var center = Geodesy.moved(middle, east: x * radius, north: y * radius)
    let ratio = radius / Geodesy.distance(from: middle, to: center)
    center = Geodesy.moved(middle, east: x * radius * ratio, north: y * radius * ratio)
    return center
  }

  private static func point(_ bearing: Double) -> (x: Double, y: Double) {
    let vector = Coordinate(latitude: 0, longitude: bearing).normal
    return (vector.y, vector.x)
  }
}
