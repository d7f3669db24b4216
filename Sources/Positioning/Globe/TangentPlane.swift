/// The plane that touches the sphere of normals in one point, as seen from the sphere's centre (the gnomonic
/// projection). Great circles are straight lines on it, so algorithms for flat polygons apply.
package struct TangentPlane: Hashable, Sendable {
  private let center: Vector
  private let right: Vector
  private let up: Vector

  /// - Parameter center: A unit vector.
  package init(at center: Vector) {
    // Any axis that is not close to the centre.
    let axis = abs(center.z) < 0.9 ? Vector(x: 0, y: 0, z: 1) : Vector(x: 1, y: 0, z: 0)
    let right = axis.cross(center)
    self.center = center
    self.right = right * (1 / right.length)
    self.up = center.cross(self.right)
  }

  /// `nil` on the other half of the globe, which the plane cannot show.
  package func project(_ normal: Vector) -> PlanePoint? {
    let height = normal.dot(self.center)
    guard height > 0 else { return nil }
    return PlanePoint(x: normal.dot(self.right) / height, y: normal.dot(self.up) / height)
  }

  /// The unit vector of the point.
  package func lift(_ point: PlanePoint) -> Vector {
    let lifted = self.center + self.right * point.x + self.up * point.y
    return lifted * (1 / lifted.length)
  }
}

/// A place on a tangent plane, in units of the sphere's radius.
package struct PlanePoint: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Twice the area of the triangle with the other two points; positive if they turn left.
  func turn(_ second: PlanePoint, _ third: PlanePoint) -> Double {
    (second.x - self.x) * (third.y - self.y) - (second.y - self.y) * (third.x - self.x)
  }

  func squaredDistance(to other: PlanePoint) -> Double {
    (other.x - self.x) * (other.x - self.x) + (other.y - self.y) * (other.y - self.y)
  }
}
