import Glibc
package import Positioning

extension Geodesy {
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
}
