import Geodesy
import Positioning

/// The way of the device from fix to fix, as far as it can be trusted, and how fast the device moves along it.
struct Trail: Sendable {
  /// How a fix continues the way.
  indirect enum Way: Sendable {
    /// Straight from that one.
    case from(Sighting)
    /// There is none before it, or too long before it: nobody knows the way.
    case broken
    /// It is much vaguer than the one before; the way goes on from that one to the next.
    case aside
  }

  /// Between two fixes farther apart in time the way is unknown.
  static let longestGap: Duration = .seconds(60)
  /// A fix so many times vaguer than the one before is not part of the way.
  private static let vaguer = 2.0
  /// The speed is told by two stretches of the past, each at least so long.
  private static let stretch: Duration = .milliseconds(4500)
  /// And by nothing older than this.
  private static let memory: Duration = .seconds(15)
  /// Fixes are kept for the speed no closer than this.
  private static let step: Duration = .milliseconds(800)

  private var last: Sighting?
  private var recent: [Fix] = []

  /// The newest fix that there was.
  private(set) var newest: Instant?

  /// Whether the newest fix is too vague to be a part of the way.
  private(set) var isNewestAside = false

  /// The fix that the way goes on from.
  var end: Sighting? { self.last }

  /// Takes the newest fix; `nil` if nothing can be decided by it: it is older than one before, or of unknown accuracy.
  mutating func extend(by fix: Fix) -> (sighting: Sighting, way: Way)? {
    if let newest, fix.arrival < newest { return nil }
    self.newest = fix.arrival
    guard let sighting = Sighting(fix, speed: self.speed(of: fix)) else { return nil }
    self.remember(fix)
    let way = self.last.map { Self.way(from: $0, to: sighting) } ?? .broken
    if case .aside = way {
      self.isNewestAside = true
      return (sighting, way)
    }
    self.isNewestAside = false
    self.last = sighting
    return (sighting, way)
  }

  /// How a fix continues the way from the one before it.
  private static func way(from last: Sighting, to sighting: Sighting) -> Way {
    guard !Self.isGap(from: last, to: sighting) else { return .broken }
    return sighting.sigma <= Self.vaguer * last.sigma ? .from(last) : .aside
  }

  /// Whether there is too much time between the two to know the way.
  static func isGap(from start: Sighting, to end: Sighting) -> Bool {
    end.arrival - start.arrival > Self.longestGap
  }

  /// The fix as it would be judged, without taking it.
  func sighting(of fix: Fix) -> Sighting? { Sighting(fix, speed: self.speed(of: fix)) }

  /// What the receiver tells; else what the fixes of the last seconds prove, in two stretches one after the other: a
  /// single jump shows in one of them only.
  private func speed(of fix: Fix) -> Double {
    if let speed = fix.speed { return speed }
    guard let middle = self.recent.last(where: { fix.arrival - $0.arrival >= Self.stretch }),
      let start = self.recent.last(where: { middle.arrival - $0.arrival >= Self.stretch }),
      fix.arrival - start.arrival <= Self.memory
    else { return 0 }
    return max(min(Self.leastSpeed(from: start, to: middle), Self.leastSpeed(from: middle, to: fix)), 0)
  }

  /// As fast as the device must have been, whatever the errors of the two were.
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
