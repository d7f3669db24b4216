import Geodesy
import Positioning

/// Looks whether the straight way between two fixes leads through a region, so deep that their errors do not explain it.
///
/// The depth along the way changes by no more than the way is long, whatever the region's shape. So half of a stretch
/// bounds how deep it can be, and only stretches that may be deep enough are divided and looked at.
struct PassageSearch {
  private let geometry: RegionGeometry
  private let start: Sighting
  private let end: Sighting
  /// Metres that the way must be inside: the larger of the fixes' sigmas.
  private let needed: Double
  /// How often a depth was computed: what the search cost.
  private(set) var computed = 0

  /// Stretches shorter than this share of the way are not divided.
  private static let finest = 1.0 / 512
  /// The edge is found to a millionth of the way.
  private static let halvings = 20

  init(_ geometry: RegionGeometry, from start: Sighting, to end: Sighting) {
    self.geometry = geometry
    self.start = start
    self.end = end
    self.needed = max(start.sigma, end.sigma)
  }

  /// Where on the way it is deep enough, 0...1; `nil`: nowhere.
  mutating func deepShare() -> Double? {
    guard self.geometry.reach >= self.needed else { return nil }
    let segment = Segment(from: self.start.place.cartesian, to: self.end.place.cartesian)
    guard segment.distance(to: self.geometry.middle) <= self.geometry.radius + segment.sagitta else { return nil }
    // A little longer than it is: the shares of the way are not quite even.
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

  /// When the device came in and went out, if it moved evenly between the two fixes.
  ///
  /// - Parameter share: where it was inside; at either end it was outside.
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
    return self.geometry.depth(of: self.start.place.onTheWay(to: self.end.place, share))
  }

  private func moment(_ share: Double) -> Instant {
    self.start.arrival + (self.end.arrival - self.start.arrival) * share
  }
}
