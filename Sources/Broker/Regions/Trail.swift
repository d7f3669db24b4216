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
  private var recent: [Fix] = []

  /// The newest fix.
  private(set) var newest: Instant?

  /// Whether the newest fix is too inaccurate to be part of the path.
  private(set) var isNewestAside = false

  /// The fix from which the path continues.
  var end: RegionObservation? { self.last }

  /// Takes the newest fix; `nil` if it decides nothing: it is older than a previous one, or of unknown accuracy.
  mutating func extend(by fix: Fix) -> (observation: RegionObservation, continuation: Continuation)? {
    if let newest, fix.arrival < newest { return nil }
    self.newest = fix.arrival
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
    end.arrival - start.arrival > Self.longestGap
  }

  /// The fix with its values, without taking it.
  func observation(of fix: Fix) -> RegionObservation? { RegionObservation(fix, speed: self.speed(of: fix)) }

  /// The receiver's speed; or else what the last fixes prove, in two consecutive stretches, since a single jump shows
  /// in only one of them.
  private func speed(of fix: Fix) -> Double {
    if let speed = fix.speed { return speed }
    guard let middle = self.recent.last(where: { fix.arrival - $0.arrival >= Self.stretch }),
      let start = self.recent.last(where: { middle.arrival - $0.arrival >= Self.stretch }),
      fix.arrival - start.arrival <= Self.memory
    else { return 0 }
    return max(min(Self.leastSpeed(from: start, to: middle), Self.leastSpeed(from: middle, to: fix)), 0)
  }

  /// The least speed of the device, considering the errors of both.
  private static func leastSpeed(from start: Fix, to end: Fix) -> Double {
    let errors = (start.horizontalAccuracy95 ?? .infinity) + (end.horizontalAccuracy95 ?? .infinity)
    let distance = Geodesy.distance(from: start.coordinate, to: end.coordinate)
    return (distance - errors) / (end.arrival - start.arrival).seconds
  }

  private mutating func remember(_ fix: Fix) {
    if let last = self.recent.last, fix.arrival - last.arrival < Self.step { return }
    self.recent.removeAll { fix.arrival - $0.arrival > Self.memory }
    self.recent.append(fix)
  }
}
