package import Positioning

/// A clock that runs faster than the loop's, so that an hour of a receiver passes in minutes.
package struct FastClock: Hashable, Sendable {
  /// When both clocks showed the same.
  package let origin: Instant
  package let factor: Int

  /// - Parameter factor: At least 1.
  package init(origin: Instant, factor: Int) {
    precondition(factor >= 1, "a clock that runs slower")
    self.origin = origin
    self.factor = factor
  }

  /// What it shows at a moment of the loop's clock.
  package func time(at moment: Instant) -> Instant { self.origin + (moment - self.origin) * self.factor }

  /// When it shows that, on the loop's clock.
  package func moment(of time: Instant) -> Instant { self.origin + (time - self.origin) / self.factor }
}
