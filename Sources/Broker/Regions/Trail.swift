import Geodesy
import Positioning

/// The path of the device from fix to fix, as far as it is reliable, and the device's speed.
struct Trail: Sendable {
  /// How a fix continues the path.
  indirect enum Continuation: Sendable {
    /// Straight from this one.
    case from(RegionObservation)
    /// There is no previous fix, or only an old one: the path is unknown.
    case broken
    /// It is much less accurate than the previous one, from which the path continues to the next.
    case aside
  }

  /// The path between two fixes farther apart in time is unknown.
  static let longestGap: Duration = .seconds(60)
  /// A fix so many times less accurate than the previous one is not part of the path.
  private static let vaguer = 2.0
  /// The speed is computed from two past stretches, each at least this long.
  private static let stretch: Duration = .milliseconds(4500)
  /// Nothing older is used.
  private static let memory: Duration = .seconds(15)
  /// Fixes are kept for the speed at least this far apart.
  private static let step: Duration = .milliseconds(800)

  private var last: RegionObservation?
  private(set) var recent: [Fix] = []

  /// The newest fix.
  private(set) var newest: Instant?

  /// Whether the newest fix is too inaccurate to be part of the path.
  private(set) var isNewestAside = false

  /// The fix from which the path continues.
  var end: RegionObservation? { self.last }

  /// Takes the newest fix; `nil` if it decides nothing: it is older than a previous one, or of unknown accuracy.
  mutating func extend(by fix: Fix) -> (observation: RegionObservation, continuation: Continuation)? {
    if let newest, fix.ageBegin < newest { return nil }
    self.newest = fix.ageBegin
    guard let observation = RegionObservation(fix, speed: self.speed(of: fix)) else { return nil }
    self.remember(fix)
    let continuation = self.last.map { Self.continuation(from: $0, to: observation) } ?? .broken
    if case .aside = continuation {
      self.isNewestAside = true
      return (observation, continuation)
    }
    self.isNewestAside = false
    self.last = observation
    return (observation, continuation)
  }

  /// How a fix continues the path from the previous one.
  private static func continuation(from last: RegionObservation, to observation: RegionObservation) -> Continuation {
    guard !Self.isGap(from: last, to: observation) else { return .broken }
    return observation.sigma <= Self.vaguer * last.sigma ? .from(last) : .aside
  }

  /// Whether too much time has passed between the two to know the path.
  static func isGap(from start: RegionObservation, to end: RegionObservation) -> Bool {
    end.moment - start.moment > Self.longestGap
  }

  /// The fix with its values, without taking it.
  func observation(of fix: Fix) -> RegionObservation? { RegionObservation(fix, speed: self.speed(of: fix)) }

  /// The receiver's speed; or else what the last fixes prove, in two consecutive stretches, since a single jump shows
  /// in only one of them.
  private func speed(of fix: Fix) -> Double {
    if let speed = fix.speed { return speed }
    guard let middle = self.recent.last(where: { fix.ageBegin - $0.ageBegin >= Self.stretch }),
      let start = self.recent.last(where: { middle.ageBegin - $0.ageBegin >= Self.stretch }),
      fix.ageBegin - start.ageBegin <= Self.memory
    else { return 0 }
    return max(min(Self.leastSpeed(from: start, to: middle), Self.leastSpeed(from: middle, to: fix)), 0)
  }

  /// The least speed of the device, considering the errors of both.
  private static func leastSpeed(from start: Fix, to end: Fix) -> Double {
    let errors = (start.horizontalAccuracy95 ?? .infinity) + (end.horizontalAccuracy95 ?? .infinity)
    let distance = Geodesy.distance(from: start.coordinate, to: end.coordinate)
    return (distance - errors) / (end.ageBegin - start.ageBegin).seconds
  }

  private mutating func remember(_ fix: Fix) {
    if let last = self.recent.last, fix.ageBegin - last.ageBegin < Self.step { return }
    self.recent.removeAll { fix.ageBegin - $0.ageBegin > Self.memory }
    self.recent.append(fix)
  }
}

/// A straight line between two places in space, metres from the earth's centre, which may be the same.
struct Segment: Sendable {
  let start: Vector
  private let step: Vector

  init(from start: Vector, to end: Vector) {
    self.start = start
    self.step = end - start
  }

  /// The greatest depth of the line below the ground.
  var sagitta: Double { self.step.squaredLength / (8 * 6_335_000) }

  func distance(to point: Vector) -> Double {
    let length = self.step.squaredLength
    let share = length > 0 ? min(max((point - self.start).dot(self.step) / length, 0), 1) : 0
    return (point - self.start - self.step * share).length
  }

  /// Whether it meets the cube around a point with that half side.
  func meets(cubeAround middle: Vector, half: Double) -> Bool {
    var from = 0.0
    var to = 1.0
    for (start, step, center) in [
      (self.start.x, self.step.x, middle.x), (self.start.y, self.step.y, middle.y),
      (self.start.z, self.step.z, middle.z),
    ] {
      let offset = center - start
      if step == 0 {
        if abs(offset) > half { return false }
      } else {
        let one = (offset - half) / step
        let other = (offset + half) / step
        from = max(from, min(one, other))
        to = min(to, max(one, other))
        if from > to { return false }
      }
    }
    return true
  }
}

/// Finds out whether the straight path between two fixes leads through a region, deeper than their errors explain.
///
/// Along the path the depth changes by at most the length of the path, whatever the region's shape. So half the length
/// of a stretch bounds its depth, and only stretches that may be deep enough are divided further.
struct PassageSearch {
  private let geometry: RegionGeometry
  private let start: RegionObservation
  private let end: RegionObservation
  /// Metres that the path must be inside: the larger of the fixes' sigmas.
  private let needed: Double
  /// The number of depths computed, which is the cost of the search.
  private(set) var computed = 0

  /// Stretches shorter than this share of the path are not divided.
  private static let finest = 1.0 / 512
  /// The border is found to a millionth of the path.
  private static let halvings = 20

  init(_ geometry: RegionGeometry, from start: RegionObservation, to end: RegionObservation) {
    self.geometry = geometry
    self.start = start
    self.end = end
    self.needed = max(start.sigma, end.sigma)
  }

  /// Where on the path it is deep enough, 0...1; `nil`: nowhere.
  mutating func deepShare() -> Double? {
    guard self.geometry.reach >= self.needed else { return nil }
    let segment = Segment(from: self.start.place.cartesian, to: self.end.place.cartesian)
    guard segment.distance(to: self.geometry.middle) <= self.geometry.radius + segment.sagitta else { return nil }
    // Slightly more than the length, because equal shares are not exactly equal lengths.
    let length = Geodesy.distance(from: self.start.fix.coordinate, to: self.end.fix.coordinate) * 1.001
    var stretches = [0.0...1.0]
    while let stretch = stretches.popLast() {
      let middle = (stretch.lowerBound + stretch.upperBound) / 2
      let half = (stretch.upperBound - stretch.lowerBound) / 2
      let depth = self.depth(at: middle)
      if depth >= self.needed { return middle }
      guard depth + half * length >= self.needed, half >= Self.finest else { continue }
      stretches.append(middle...stretch.upperBound)
      stretches.append(stretch.lowerBound...middle)
    }
    return nil
  }

  /// When the device entered and left, if it moved evenly between the two fixes.
  ///
  /// - Parameter share: A point inside; both ends are outside.
  mutating func passage(around share: Double) -> ClosedRange<Instant> {
    let entry = self.edge(outside: 0, inside: share)
    let exit = self.edge(outside: 1, inside: share)
    return self.moment(entry)...self.moment(max(entry, exit))
  }

  private mutating func edge(outside: Double, inside: Double) -> Double {
    var (outside, inside) = (outside, inside)
    for _ in 0..<Self.halvings {
      let middle = (outside + inside) / 2
      if self.depth(at: middle) > 0 { inside = middle } else { outside = middle }
    }
    return inside
  }

  private mutating func depth(at share: Double) -> Double {
    self.computed += 1
    return self.geometry.depth(of: self.start.place.interpolated(to: self.end.place, share))
  }

  private func moment(_ share: Double) -> Instant {
    self.start.moment + (self.end.moment - self.start.moment) * share
  }
}
