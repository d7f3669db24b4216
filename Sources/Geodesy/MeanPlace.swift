import Glibc
package import Positioning

/// The mean of places near each other, weighted by accuracy.
///
/// It sums the unit vectors of the places rather than the degrees, so that the antimeridian and the poles need no
/// special case.
package struct MeanPlace: Hashable, Sendable {
  /// The number of places; at least 1.
  package private(set) var count: Int
  /// The sum of 1 / accuracy², per square metre.
  package private(set) var weight: Double
  /// The sum of the places' unit vectors, each times its weight.
  private var x: Double
  private var y: Double
  private var z: Double

  /// - Parameter accuracy: The 68 % radius in metres; greater than 0.
  package init(_ place: Coordinate, accuracy: Double) {
    self.init(place, weight: 1 / (accuracy * accuracy), count: 1)
  }

  /// The stored mean: its coordinate, weight and count.
  package init(_ coordinate: Coordinate, weight: Double, count: Int) {
    let latitude = coordinate.latitude * .pi / 180
    let longitude = coordinate.longitude * .pi / 180
    self.count = count
    self.weight = weight
    self.x = weight * cos(latitude) * cos(longitude)
    self.y = weight * cos(latitude) * sin(longitude)
    self.z = weight * sin(latitude)
  }

  /// - Parameter accuracy: The 68 % radius in metres; greater than 0.
  package mutating func add(_ place: Coordinate, accuracy: Double) {
    let one = MeanPlace(place, accuracy: accuracy)
    self.count += 1
    self.weight += one.weight
    self.x += one.x
    self.y += one.y
    self.z += one.z
  }

  package var coordinate: Coordinate {
    Coordinate(
      latitude: atan2(self.z, hypot(self.x, self.y)) * 180 / .pi, longitude: atan2(self.y, self.x) * 180 / .pi)
  }

  /// The 68 % radius in metres: the typical radius of the places. It does not shrink with their number, because the
  /// errors of a stationary receiver are correlated for minutes.
  package var accuracy: Double { (Double(self.count) / self.weight).squareRoot() }
}
