import Glibc
package import Positioning

/// Position, speed and course of the simulated antenna.
package struct Motion: Hashable, Sendable {
  package var coordinate: Coordinate
  /// Metres above mean sea level.
  package var altitude: Double
  /// Over ground, metres per second.
  package var speed: Double
  /// Degrees from true north, 0..<360.
  package var course: Double

  package init(coordinate: Coordinate, altitude: Double = Motion.usualAltitude, speed: Double = 0, course: Double = 0) {
    self.coordinate = coordinate
    self.altitude = altitude
    self.speed = speed
    self.course = course
  }

  /// The altitude of routes without one, in metres above mean sea level.
  package static let usualAltitude = 545.4
  /// The simulated receiver's height of the geoid above the ellipsoid, in metres.
  package static let geoidSeparation = 46.9
}

extension Coordinate {
  private static let equatorialRadius = 6_378_137.0
  private static let eccentricitySquared = 6.694_379_990_141_317e-3

  /// The ellipsoid's radii of curvature here: along the meridian, and across it; metres.
  private static func radii(latitude: Double) -> (meridian: Double, transverse: Double) {
    let sine = sin(latitude.radians)
    let root = (1 - Self.eccentricitySquared * sine * sine).squareRoot()
    return (
      Self.equatorialRadius * (1 - Self.eccentricitySquared) / (root * root * root), Self.equatorialRadius / root
    )
  }

  /// The point at `distance` metres on the constant course `course` (degrees).
  ///
  /// The radii are taken at the mean latitude; the error is less than a centimetre in 10 km and a metre in 100 km.
  /// Routes end short of the poles: the latitude is clamped to 89.9 degrees.
  package func moved(distance: Double, course: Double) -> Coordinate {
    let north = distance * cos(course.radians)
    let east = distance * sin(course.radians)
    var latitude = self.latitude + (north / Self.radii(latitude: self.latitude).meridian).degrees
    for _ in 0..<2 {
      let mean = (self.latitude + latitude) / 2
      latitude = self.latitude + (north / Self.radii(latitude: mean).meridian).degrees
    }
    latitude = min(max(latitude, -89.9), 89.9)
    let mean = (self.latitude + latitude) / 2
    let across = Self.radii(latitude: mean).transverse * cos(mean.radians)
    return Coordinate(
      latitude: latitude, longitude: (self.longitude + (east / across).degrees).wrappedLongitude)
  }

  /// The distance in metres and the course in degrees to `other`, with the same approximation as `moved`.
  package func path(to other: Coordinate) -> (distance: Double, course: Double) {
    let mean = (self.latitude + other.latitude) / 2
    let radii = Self.radii(latitude: mean)
    let north = (other.latitude - self.latitude).radians * radii.meridian
    let turn = (other.longitude - self.longitude).wrappedLongitude
    let east = turn.radians * radii.transverse * cos(mean.radians)
    let course = north == 0 && east == 0 ? 0 : atan2(east, north).degrees.wrappedCourse
    return ((north * north + east * east).squareRoot(), course)
  }
}
