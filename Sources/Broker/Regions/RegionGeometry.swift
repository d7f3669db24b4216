import Geodesy
import Positioning

/// A region's shape, prepared for comparing fixes with it.
struct RegionGeometry: Sendable {
  private enum PreparedShape: Sendable {
    case circle(center: Coordinate, radius: Double)
    case polygon(SphericalPolygon)
  }

  private let form: PreparedShape
  /// The radius of a circle, a polygon's inradius, in metres: no place inside is farther from the border, except for
  /// the small error of the inradius.
  let reach: Double
  /// The ball in space that contains the region: its middle in metres from the earth's centre, its radius in metres.
  let middle: Vector
  let radius: Double
  /// The cost of comparing a place with it, in steps: a circle's is 1.
  let effort: Int

  /// - Parameters:
  ///   - shape: The shape of a region that was checked.
  ///   - reach: From an earlier computation, since a polygon's is expensive.
  ///   - cap: From an earlier computation; only a polygon has one.
  init(_ shape: RegionShape, reach: Double? = nil, cap: Cap? = nil) {
    switch shape {
    case .circle(let center, let radius):
      self.form = .circle(center: center, radius: radius)
      self.reach = radius
      self.middle = Geodesy.cartesian(center)
      self.radius = radius
      self.effort = 1
    case .polygon(let vertices):
      guard let polygon = SphericalPolygon(vertices, cap: cap) else {
        preconditionFailure("a polygon that was not checked: it spans half of the globe")
      }
      self.form = .polygon(polygon)
      self.middle = Geodesy.cartesian(normal: polygon.cap.center)
      let radius = polygon.cap.angle * Geodesy.largestCurvatureRadius
      self.radius = radius
      // Stored values may be damaged: no place inside is farther from the border than the ball is wide.
      self.reach = reach.flatMap { $0 >= 0 && $0 <= radius ? $0 : nil } ?? polygon.inradius
      self.effort = 1 + vertices.count / 12
    }
  }

  /// The cap that contains a polygon; a circle needs none.
  var cap: Cap? {
    switch self.form {
    case .circle: nil
    case .polygon(let polygon): polygon.cap
    }
  }

  /// The distance to the border in metres: positive inside, negative outside.
  func depth(of place: Place) -> Double {
    switch self.form {
    case .circle(let center, let radius):
      return radius - Geodesy.distance(from: center, to: place.coordinate)
    case .polygon(let polygon):
      let nearest = Coordinate(normal: polygon.nearestOfEdge(to: place.normal))
      let distance = Geodesy.distance(from: place.coordinate, to: nearest)
      return polygon.contains(place.normal) ? distance : -distance
    }
  }

  /// The least distance of the region in metres; 0 within its ball.
  func leastDistance(to place: Place) -> Double {
    max((place.cartesian - self.middle).length - self.radius, 0)
  }

  /// The probability that a device at this depth is inside. A polygon's border is assumed straight, which is exact far
  /// from its corners.
  func probability(depth: Double, sigma: Double) -> Double {
    let error = CircularError(sigma: sigma)
    switch self.form {
    case .circle(_, let radius): return error.probability(withinRadius: radius, of: radius - depth)
    case .polygon: return error.probability(ofDepth: depth)
    }
  }
}

extension Region {
  /// The corners of its polygon; a circle has none.
  var cornerCount: Int {
    switch self.shape {
    case .circle: 0
    case .polygon(let corners): corners.count
    }
  }
}
