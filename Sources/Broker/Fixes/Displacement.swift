import Geodesy
import Positioning

/// How far apart two fixes are, and how much of that their errors explain.
///
/// A fix with an error larger than the distance proves no movement. All decisions about movement use this, and make no
/// decision if an accuracy is vague or unknown.
struct Displacement: Hashable, Sendable {
  /// The distance in metres.
  let distance: Double
  /// Metres: the distance between two fixes of a resting device is at most this in 99 of 100 cases; infinite if an
  /// accuracy is unknown.
  let explained: Double

  /// The 99 % radius of a fix divided by its 95 % radius.
  private static let ratio95To99 = RegionRule.vagueExitFactor / RegionRule.exitFactor

  init(from start: Fix, to end: Fix) {
    self.distance = Geodesy.distance(from: start.coordinate, to: end.coordinate)
    guard let startError = start.horizontalAccuracy95, let endError = end.horizontalAccuracy95 else {
      self.explained = .infinity
      return
    }
    if start.isReduced, end.isReduced {
      // Both are moved by the same offset to the middle of a cell; those of neighbouring cells are closer than this.
      self.explained = max(startError, endError)
    } else {
      self.explained = (startError * startError + endError * endError).squareRoot() * Self.ratio95To99
    }
  }

  /// Whether the device was certainly farther than that from where it was.
  func isBeyond(_ metres: Double) -> Bool { self.distance - metres > self.explained }
}
