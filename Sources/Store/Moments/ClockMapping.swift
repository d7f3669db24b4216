import Positioning

/// Moves the moments of a row to this boot's clock.
struct ClockMapping {
  /// What to add to a moment of the row; zero where the row is of this boot.
  private let shift: Duration
  private let isOfThisBoot: Bool
  private let now: Instant

  /// - Parameters:
  ///   - clock: the row's.
  ///   - now: what the moments are compared with.
  init(of clock: StoredClock, on this: BootClock, now: Instant) {
    self.isOfThisBoot = clock.boot == this.boot
    self.shift = self.isOfThisBoot ? .zero : clock.epoch - this.epoch()
    self.now = now
  }

  /// Something that happened: in this boot, and not in the future; or before it, which only the wall clock can place, and
  /// which stays before it whatever that shows.
  func past(_ moment: Instant) -> Instant {
    min(moment + self.shift, self.isOfThisBoot ? self.now : .lastBeforeBoot)
  }

  /// Something that will happen, or would have.
  ///
  /// - Parameter limit: it was not further away than that when it was set. A machine that boots with its wall clock
  ///   years back would never see it come.
  func future(_ moment: Instant, within limit: Duration?) -> Instant {
    let mapped = moment + self.shift
    guard !self.isOfThisBoot, let limit else { return mapped }
    return min(mapped, self.now + limit)
  }
}

/// What the moments of a row count from.
struct StoredClock: Hashable {
  var boot: String
  /// What the wall clock showed at the boot, since 1970.
  var epoch: Duration
}
