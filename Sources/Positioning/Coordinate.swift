import Glibc

/// A place on the WGS 84 ellipsoid.
public struct Coordinate: Hashable, Sendable {
  /// Degrees, positive north, -90...90.
  public var latitude: Double
  /// Degrees, positive east, -180...180.
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

extension Coordinate {
  /// The direction of the ellipsoid's normal here, a unit vector. On the sphere of normals the poles and the
  /// antimeridian are not special.
  package var normal: Vector {
    let latitude = self.latitude * .pi / 180
    let longitude = self.longitude * .pi / 180
    return Vector(x: cos(latitude) * cos(longitude), y: cos(latitude) * sin(longitude), z: sin(latitude))
  }

  /// The place with that normal, which need not be a unit vector.
  package init(normal: Vector) {
    self.init(
      latitude: atan2(normal.z, hypot(normal.x, normal.y)) * 180 / .pi,
      longitude: atan2(normal.y, normal.x) * 180 / .pi)
  }
}

/// Angles as numbers.
extension Double {
  package var radians: Double { self * .pi / 180 }
  package var degrees: Double { self * 180 / .pi }

  /// The angle in degrees within 0..<360.
  package var wrappedCourse: Double {
    let rest = self.truncatingRemainder(dividingBy: 360)
    let wrapped = rest < 0 ? rest + 360 : rest
    return wrapped >= 360 ? 0 : wrapped
  }

  /// The angle in degrees within -180..<180; an angle in this range is returned unchanged to the last bit.
  package var wrappedLongitude: Double {
    (-180..<180).contains(self) ? self : (self + 180).wrappedCourse - 180
  }

  /// The angle between two directions in degrees: 0...180.
  package func turn(to other: Double) -> Double {
    (other - self).wrappedLongitude.magnitude
  }
}
