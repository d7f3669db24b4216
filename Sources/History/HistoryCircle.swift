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
  private func offset(to other: Coordinate) -> (east: Double, north: Double) {
    PlainScale(at: (self.latitude + other.latitude) / 2).offset(from: self, to: other)
  }
}

/// The lengths of a degree at a latitude, in metres. It is kept while places are near it, because it costs more than a distance.
struct PlainScale {
  private let latitude: Double
  private let east: Double
  private let north: Double

  init(at latitude: Double) {
    let angle = latitude * .pi / 180
    let sine = sin(angle)
    // WGS 84.
    let rest = 1 - 0.006_694_379_990_14 * sine * sine
    let across = 6_378_137 / rest.squareRoot()
    self.latitude = latitude
    self.east = across * cos(angle) * .pi / 180
    self.north = across * (1 - 0.006_694_379_990_14) / rest * .pi / 180
  }

  /// Makes it that of another latitude, unless that is within some hundred metres.
  mutating func follow(_ latitude: Double) {
    if abs(latitude - self.latitude) > 0.005 { self = PlainScale(at: latitude) }
  }

  func offset(from start: Coordinate, to end: Coordinate) -> (east: Double, north: Double) {
    ((end.longitude - start.longitude).wrappedLongitude * self.east, (end.latitude - start.latitude) * self.north)
  }

  func distance(from start: Coordinate, to end: Coordinate) -> Double {
    let offset = self.offset(from: start, to: end)
    return (offset.east * offset.east + offset.north * offset.north).squareRoot()
  }
}
