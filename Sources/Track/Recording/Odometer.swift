import Geodesy
import Positioning

/// The distance that the device has moved.
///
/// The fixes of a stationary receiver wander, and the sum of their steps grows without limit. So a step counts only if
/// it is longer than the likely error of its fix.
package struct Odometer: Hashable, Sendable {
  /// In 68 % radii: about one in ten steps of a stationary receiver is longer.
  private static let doubt = 2.0
  /// The assumed radius of a fix without one, in metres.
  private static let usualAccuracy = 10.0

  private var counted = 0.0
  private var remainder = 0.0
  private var last: Coordinate?

  /// Metres.
  package var length: Double { self.counted + self.remainder }

  mutating func moved(to place: Coordinate, accuracy: Double?) {
    guard let last else {
      self.last = place
      return
    }
    self.remainder = Geodesy.distance(from: last, to: place)
    guard self.remainder >= Self.doubt * (accuracy ?? Self.usualAccuracy) else { return }
    self.interrupted()
    self.last = place
  }

  /// The way to the next place is unknown and does not count.
  mutating func interrupted() {
    self.counted += self.remainder
    self.remainder = 0
    self.last = nil
  }
}
