import Geodesy
import Positioning

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
    self.start.arrival + (self.end.arrival - self.start.arrival) * share
  }
}
