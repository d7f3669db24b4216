import Glibc

/// Three numbers: a direction on the unit sphere, or a place in metres from the earth's centre.
package struct Vector: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double

  package init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  package static func + (left: Vector, right: Vector) -> Vector {
    Vector(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
  }

  package static func - (left: Vector, right: Vector) -> Vector {
    Vector(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
  }

  package static func * (vector: Vector, factor: Double) -> Vector {
    Vector(x: vector.x * factor, y: vector.y * factor, z: vector.z * factor)
  }

  package func dot(_ other: Vector) -> Double {
    self.x * other.x + self.y * other.y + self.z * other.z
  }

  package func cross(_ other: Vector) -> Vector {
    Vector(
      x: self.y * other.z - self.z * other.y, y: self.z * other.x - self.x * other.z,
      z: self.x * other.y - self.y * other.x)
  }

  package var squaredLength: Double { self.dot(self) }
  package var length: Double { self.squaredLength.squareRoot() }

  /// The unit vector of the same direction; `nil` for zero.
  package var normalized: Vector? {
    let length = self.length
    return length > 0 ? self * (1 / length) : nil
  }
}

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

  /// Twice the area of the triangle with the other two points; positive if they turn left.
  func turn(_ second: PlanePoint, _ third: PlanePoint) -> Double {
    (second.x - self.x) * (third.y - self.y) - (second.y - self.y) * (third.x - self.x)
  }

  func squaredDistance(to other: PlanePoint) -> Double {
    (other.x - self.x) * (other.x - self.x) + (other.y - self.y) * (other.y - self.y)
  }
}

/// A round part of the sphere of normals, smaller than half of it.
package struct Cap: Hashable, Sendable {
  /// A unit vector.
  package let center: Vector
  /// From the centre to the rim, in radians.
  package let angle: Double

  /// Half of the globe less half a degree: a larger cap has no meaningful smaller side.
  package static let largestAngle = 89.5 * Double.pi / 180

  /// A cap that contains all places, at most a few per cent larger than the smallest; `nil` if that is too large.
  package init?(holding normals: [Vector]) {
    var center = normals.reduce(Vector(x: 0, y: 0, z: 0), +) * (1 / Double(max(normals.count, 1)))
    // Ever shorter steps towards the farthest place (Badoiu and Clarkson): at most 1 / steps off the best.
    guard var farthest = normals.first else { return nil }
    for step in 2...40 {
      var most = -1.0
      for normal in normals {
        let distance = (normal - center).squaredLength
        if distance > most { (most, farthest) = (distance, normal) }
      }
      center = center + (farthest - center) * (1 / Double(step))
    }
    guard let direction = center.normalized else { return nil }
    // Half the chord is the sine of half the angle: exact for small caps, where a cosine would be all ones.
    let chord = normals.map { ($0 - direction).squaredLength }.max().map { $0.squareRoot() } ?? 0
    self.center = direction
    self.angle = 2 * asin(min(chord / 2, 1))
    guard self.angle <= Cap.largestAngle else { return nil }
  }

  /// A stored cap.
  package init(center: Vector, angle: Double) {
    self.center = center
    self.angle = angle
  }

  /// Whether it is a valid cap, since a stored one may be damaged.
  var isSound: Bool {
    abs(self.center.squaredLength - 1) < 1e-9 && self.angle >= 0 && self.angle <= Cap.largestAngle
  }

  package func holds(_ normal: Vector) -> Bool { (normal - self.center).squaredLength <= self.squaredChord }

  func holds(_ normals: [Vector]) -> Bool {
    let squaredChord = self.squaredChord
    return normals.allSatisfy { ($0 - self.center).squaredLength <= squaredChord }
  }

  /// From the centre to the rim, and a little more, so that rounding cannot exclude a vertex.
  private var squaredChord: Double {
    let chord = 2 * sin(self.angle / 2) * (1 + 1e-9) + 1e-12
    return chord * chord
  }
}
