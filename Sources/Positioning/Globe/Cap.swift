import Glibc

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
