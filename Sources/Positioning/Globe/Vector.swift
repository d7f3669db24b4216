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
