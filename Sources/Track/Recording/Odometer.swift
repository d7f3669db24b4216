import Geodesy
import Positioning

/// How far the device has moved.
///
/// The fixes of a receiver that stands still wander about, and the sum of their steps grows for ever. So a step counts
/// only when it is longer than the likely error of its fix.
package struct Odometer: Hashable, Sendable {
  /// Twice the 68 % radius: about one in ten steps of a standing receiver is longer.
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

  /// The path to the next place is unknown and does not count.
  mutating func interrupted() {
    self.counted += self.remainder
    self.remainder = 0
    self.last = nil
  }
}
