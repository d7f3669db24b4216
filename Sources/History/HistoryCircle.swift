import Glibc
package import Positioning

/// A place and a radius, with distances that cost little: a day has up to 86,400 fixes.
///
/// Distances are those of a plane with the ellipsoid's radii of curvature in the middle between the places: within 0.1 % up to
/// some hundred kilometres away from the poles.
package struct HistoryCircle: Hashable, Sendable {
  package let centre: Coordinate
  /// Metres.
  package let radius: Double

  package init(centre: Coordinate, radius: Double) {
    self.centre = centre
    self.radius = radius
  }

  func contains(_ place: Coordinate) -> Bool { self.distance(to: place) <= self.radius }

  /// Metres.
  func distance(to place: Coordinate) -> Double { self.centre.plainDistance(to: place) }

  /// A box around the circle in 1e-8 degrees. Across the antimeridian and at the poles it goes all around.
  var box: (south: Int64, north: Int64, west: Int64, east: Int64, isAround: Bool) {
    // A degree of latitude is at least 110.5 km.
    let height = self.radius / 110_500
    let width = height / max(0.01, cos(min(89.9, abs(self.centre.latitude) + height) * .pi / 180))
    func scaled(_ degrees: Double) -> Int64 { Int64((min(max(degrees, -400), 400) * HistoryFix.degree).rounded()) }
    let isAround = abs(self.centre.longitude) + width > 180
    return (
      scaled(self.centre.latitude - height), scaled(self.centre.latitude + height),
      scaled(self.centre.longitude - width), scaled(self.centre.longitude + width), isAround
    )
  }
}

extension Coordinate {
  /// Metres; see `HistoryCircle`.
  package func plainDistance(to other: Coordinate) -> Double {
    let offset = self.offset(to: other)
    return (offset.east * offset.east + offset.north * offset.north).squareRoot()
  }

  /// How far the other place is to the east and to the north, in metres.
  func offset(to other: Coordinate) -> (east: Double, north: Double) {
    let middle = (self.latitude + other.latitude) / 2 * .pi / 180
    let sine = sin(middle)
    // WGS 84.
    let rest = 1 - 0.006_694_379_990_14 * sine * sine
    let across = 6_378_137 / rest.squareRoot()
    let along = across * (1 - 0.006_694_379_990_14) / rest
    return (
      (other.longitude - self.longitude).wrappedLongitude * .pi / 180 * across * cos(middle),
      (other.latitude - self.latitude) * .pi / 180 * along
    )
  }
}
