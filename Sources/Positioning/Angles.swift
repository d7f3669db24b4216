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
