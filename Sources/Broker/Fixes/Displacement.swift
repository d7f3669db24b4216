import Geodesy
import Positioning

/// How far apart two fixes are, and how much of that their errors explain.
///
/// A fix that is wrong by more than it is far away proves no movement. So whoever asks whether the device has moved asks
/// this, and takes a vague or unknown accuracy as a reason not to decide.
struct Displacement: Hashable, Sendable {
  /// Metres from one to the other.
  let distance: Double
  /// Metres: what two fixes of a device that rests are apart at most, 99 times in 100; infinite where the accuracy of one
  /// is unknown.
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
      // Both are moved by the same offset to the middle of a cell; those of two neighbours are nearer than this.
      self.explained = max(startError, endError)
    } else {
      self.explained = (startError * startError + endError * endError).squareRoot() * Self.ratio95To99
    }
  }

  /// Whether the device was surely not within that distance of where it was.
  func isBeyond(_ metres: Double) -> Bool { self.distance - metres > self.explained }
}
