import Glibc

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
