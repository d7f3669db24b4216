import CGPS
import Glibc
package import Positioning

/// Distances and directions on the WGS 84 ellipsoid.
///
/// libgps computes them with Vincenty's method, exact to micrometres. The method does not converge for points that are
/// nearly opposite each other on the globe; then the great circle of the mean sphere is used, which is within 0.6 %. So
/// two finite coordinates always have a finite distance.
///
/// A program that is not linked to libgps gets ``arc(from:to:)`` and the great circle's direction, within 0.3 degrees.
package enum Geodesy {
  /// The length of the shortest way, in metres.
  package static func distance(from start: Coordinate, to end: Coordinate) -> Double {
    let geodesic = cgps_distance_and_bearing(start.latitude, start.longitude, end.latitude, end.longitude)
    return geodesic.distance.isNaN ? self.arc(from: start, to: end) : geodesic.distance
  }

  /// The length of the shortest way, in metres, computed from the straight line between the places: exact to a
  /// centimetre for ways of 50 km and to 15 m for ways of 1000 km; from 6000 km on it is the great circle's.
  static func arc(from start: Coordinate, to end: Coordinate) -> Double {
    let line = (self.cartesian(end) - self.cartesian(start)).length
    guard line < GreatCircle.radius else { return GreatCircle(from: start, to: end).distance }
    return 2 * GreatCircle.radius * asin(line / (2 * GreatCircle.radius))
  }

  /// The direction of the shortest way at its start, degrees from true north in 0..<360; `nil` if the points are the
  /// same.
  package static func bearing(from start: Coordinate, to end: Coordinate) -> Double? {
    let geodesic = cgps_distance_and_bearing(start.latitude, start.longitude, end.latitude, end.longitude)
    if geodesic.distance.isNaN {
      return GreatCircle(from: start, to: end).bearing
    }
    return geodesic.bearing.isNaN ? nil : geodesic.bearing
  }

  /// WGS 84: metres.
  static let equatorialRadius = 6_378_137.0
  static let flattening = 1 / 298.257223563

  /// The largest radius of curvature of the ellipsoid in metres, which is at the poles: an angle between two normals
  /// times this is at least the distance between their places.
  package static let largestCurvatureRadius = 6_399_593.7

  /// The place on the ellipsoid in metres from the earth's centre.
  ///
  /// The straight line between two such places is never longer than the distance along the ground, and 0.13 m shorter
  /// at 50 km: it bounds distances at little cost.
  package static func cartesian(_ place: Coordinate) -> Vector {
    self.cartesian(normal: place.normal)
  }

  /// The place on the ellipsoid that has this normal, a unit vector.
  package static func cartesian(normal: Vector) -> Vector {
    let squeeze = self.flattening * (2 - self.flattening)
    let radius = self.equatorialRadius / (1 - squeeze * normal.z * normal.z).squareRoot()
    return Vector(x: radius * normal.x, y: radius * normal.y, z: radius * (1 - squeeze) * normal.z)
  }

  /// The place that is so many metres east and north of another, computed on the mean sphere: within 0.6 % for
  /// distances of some kilometres. At a pole, east and north are those of the place's longitude.
  package static func moved(_ place: Coordinate, east: Double, north: Double) -> Coordinate {
    let (latitude, longitude) = (place.latitude.radians, place.longitude.radians)
    let eastward = Vector(x: -sin(longitude), y: cos(longitude), z: 0)
    let northward = Vector(
      x: -sin(latitude) * cos(longitude), y: -sin(latitude) * sin(longitude), z: cos(latitude))
    return Coordinate(
      normal: place.normal + eastward * (east / GreatCircle.radius) + northward * (north / GreatCircle.radius))
  }
}

/// The shortest way between two points on a sphere of the earth's mean radius.
struct GreatCircle {
  /// Metres: (2 a + b) / 3 of WGS 84.
  static let radius = 6_371_008.8

  private let startLatitude: Double
  private let endLatitude: Double
  private let longitudeStep: Double

  init(from start: Coordinate, to end: Coordinate) {
    self.startLatitude = start.latitude * .pi / 180
    self.endLatitude = end.latitude * .pi / 180
    self.longitudeStep = (end.longitude - start.longitude) * .pi / 180
  }

  /// Metres. The form with `atan2` keeps its precision at every distance.
  var distance: Double {
    let across = cos(self.endLatitude) * sin(self.longitudeStep)
    return Self.radius * atan2(hypot(across, self.northward), self.along)
  }

  /// Degrees from true north in 0..<360; `nil` if the points are the same.
  var bearing: Double? {
    let across = cos(self.endLatitude) * sin(self.longitudeStep)
    guard across != 0 || self.northward != 0 else { return nil }
    let degrees = atan2(across, self.northward) * 180 / .pi
    return degrees < 0 ? (degrees + 360).truncatingRemainder(dividingBy: 360) : degrees
  }

  private var northward: Double {
    cos(self.startLatitude) * sin(self.endLatitude)
      - sin(self.startLatitude) * cos(self.endLatitude) * cos(self.longitudeStep)
  }

  private var along: Double {
    sin(self.startLatitude) * sin(self.endLatitude)
      + cos(self.startLatitude) * cos(self.endLatitude) * cos(self.longitudeStep)
  }
}
