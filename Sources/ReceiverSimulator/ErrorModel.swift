import Glibc
import Positioning

/// The simulated receiver's error: its accuracy settles after the fix, and its error wanders if configured.
package struct ErrorModel: Sendable {
  package struct Settings: Hashable, Sendable {
    /// The horizontal dilution of precision that a receiver reaches under an open sky.
    package var settledDilution = 0.8
    /// Standard deviation of the position error along each axis, in metres; 0 for a receiver without error, so that a
    /// test knows the expected position.
    package var noise = 0.0
    /// The correlation time of the error.
    package var correlation = Duration.seconds(60)
    package var seed: UInt64 = 1
  }

  /// Metres of error at a dilution of 1.
  private static let rangeError = 2.5
  /// The additional dilution at the moment of the fix, and how fast it decays.
  private static let unsettled = (dilution: 2.0, decay: 8.0)

  private let settings: Settings
  private var random: SeededRandom
  private var north = 0.0
  private var east = 0.0

  init(settings: Settings = Settings()) {
    self.settings = settings
    self.random = SeededRandom(seed: settings.seed)
    self.north = self.random.normal() * settings.noise
    self.east = self.random.normal() * settings.noise
  }

  /// The receiver's solution for `truth`, if it has been tracking for `tracked` and the last epoch was `step` ago.
  package mutating func solution(
    of truth: Motion, quality: FixQuality, tracked: Duration, step: Duration
  ) -> Solution {
    self.wander(step: step)
    var motion = truth
    if self.settings.noise > 0 {
      motion.coordinate = truth.coordinate.moved(distance: self.north, course: 0).moved(distance: self.east, course: 90)
    }
    let extra = Self.unsettled.dilution * exp(-tracked.seconds / Self.unsettled.decay)
    let horizontal = ((self.settings.settledDilution + extra) * 100).rounded() / 100
    let dilution = Dilution(horizontal: horizontal, vertical: (horizontal * 150).rounded() / 100)
    let improvement = Self.improvement(of: quality)
    return Solution(
      motion: motion, quality: quality, dilution: dilution,
      horizontalAccuracy: horizontal * Self.rangeError * improvement,
      verticalAccuracy: dilution.vertical * Self.rangeError * improvement, speedAccuracy: 0.1 * horizontal)
  }

  /// A first-order autoregressive process: it has the correlation time and keeps its standard deviation.
  private mutating func wander(step: Duration) {
    guard self.settings.noise > 0 else { return }
    let kept = exp(-step.seconds / self.settings.correlation.seconds)
    let fresh = (1 - kept * kept).squareRoot() * self.settings.noise
    self.north = self.north * kept + self.random.normal() * fresh
    self.east = self.east * kept + self.random.normal() * fresh
  }

  private static func improvement(of quality: FixQuality) -> Double {
    switch quality {
    case .gnss: 1
    case .differential: 0.4
    case .rtkFixed: 0.005
    case .rtkFloat: 0.1
    case .deadReckoning: 5
    }
  }
}
