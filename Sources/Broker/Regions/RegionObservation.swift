import Geodesy
import Positioning

/// A fix with the values that all regions need, computed once.
struct RegionObservation: Hashable, Sendable {
  /// An older fix says nothing about where a device is that may have moved since.
  static let lifetime: Duration = .seconds(10)

  let fix: Fix
  /// The standard deviation of its error along each axis, in metres.
  let sigma: Double
  /// How fast the device moves, metres per second.
  let speed: Double
  let place: Place

  /// `nil` for a fix of unknown accuracy, which decides nothing.
  init?(_ fix: Fix, speed: Double) {
    guard let accuracy = fix.horizontalAccuracy95, accuracy > 0, accuracy.isFinite else { return nil }
    self.fix = fix
    self.sigma = max(accuracy / CircularError.radius95, CircularError.least)
    self.speed = speed
    self.place = Place(fix.coordinate)
  }

  var arrival: Instant { self.fix.arrival }

  /// How fast the device may be from now on, metres per second: faster than most devices, if the fix says so.
  var speedBound: Double { max(self.speed, Activity.other.speedBound) }
}

/// A place in the three forms that computations need.
struct Place: Hashable, Sendable {
  let coordinate: Coordinate
  /// The ellipsoid's normal, a unit vector.
  let normal: Vector
  /// Metres from the earth's centre.
  let cartesian: Vector

  init(_ coordinate: Coordinate) {
    self.coordinate = coordinate
    self.normal = coordinate.normal
    self.cartesian = Geodesy.cartesian(normal: self.normal)
  }

  init(normal: Vector) {
    self.coordinate = Coordinate(normal: normal)
    self.normal = normal
    self.cartesian = Geodesy.cartesian(normal: normal)
  }

  /// The place at this share of the path to another, 0...1. For paths between two fixes, not halfway around the globe.
  func interpolated(to other: Place, _ share: Double) -> Place {
    let between = self.normal * (1 - share) + other.normal * share
    return Place(normal: between.normalized ?? self.normal)
  }
}
