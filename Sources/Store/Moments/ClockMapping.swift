import Positioning

/// Converts the moments of a row to this boot's clock.
struct ClockMapping {
  /// What to add to a moment of the row; zero if the row is of this boot.
  private let shift: Duration
  private let isOfThisBoot: Bool
  private let now: Instant

  /// - Parameters:
  ///   - clock: The row's.
  ///   - now: The present moment.
  init(of clock: StoredClock, on this: BootClock, now: Instant) {
    self.isOfThisBoot = clock.boot == this.boot
    self.shift = self.isOfThisBoot ? .zero : clock.epoch - this.epoch()
    self.now = now
  }

  /// Converts a moment of the past. One of this boot is limited to the present. One of an earlier boot can be placed
  /// only by the wall clock, and stays before this boot whatever that shows.
  func past(_ moment: Instant) -> Instant {
    min(moment + self.shift, self.isOfThisBoot ? self.now : .lastBeforeBoot)
  }

  /// Converts a moment that was in the future when it was stored.
  ///
  /// - Parameter limit: The longest time until it when it was set. Without the limit, a machine that boots with its
  ///   wall clock years back would never reach it.
  func future(_ moment: Instant, within limit: Duration?) -> Instant {
    let mapped = moment + self.shift
    guard !self.isOfThisBoot, let limit else { return mapped }
    return min(mapped, self.now + limit)
  }
}

/// What the moments of a row count from: a `BootClock` as it was when the row was written. That one reads the wall clock
/// again each time, and may not know its boot.
struct StoredClock: Hashable {
  var boot: String
  /// The time of the boot by the wall clock, since 1970.
  var epoch: Duration
}
