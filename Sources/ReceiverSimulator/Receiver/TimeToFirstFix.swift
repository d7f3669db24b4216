/// What the receiver still knows when it begins to search, which decides the time to the first fix.
package enum StartClass: String, Hashable, Sendable, CaseIterable {
  /// It has a fix at once: for tests to which this does not matter.
  case ready
  /// It knows its position, the time, and the orbits (ephemeris).
  case hot
  /// It knows its position and the time, and must receive the orbits again.
  case warm
  /// It knows nothing.
  case cold
}

/// The simulated receiver's time to its first fix, by the class of its start.
package struct TimeToFirstFix: Hashable, Sendable {
  package var hot: Duration
  package var warm: Duration
  package var cold: Duration
  /// Off for less than this: a hot start.
  package var hotLimit: Duration
  /// Off for less than this: a warm start; longer is cold.
  package var warmLimit: Duration

  package init(
    hot: Duration = .seconds(1), warm: Duration = .seconds(27), cold: Duration = .seconds(30),
    hotLimit: Duration = .seconds(7200), warmLimit: Duration = .seconds(14_400)
  ) {
    self.hot = hot
    self.warm = warm
    self.cold = cold
    self.hotLimit = hotLimit
    self.warmLimit = warmLimit
  }

  /// The class of a start after `offTime` without a fix.
  package func startClass(after offTime: Duration) -> StartClass {
    if offTime < self.hotLimit {
      .hot
    } else if offTime < self.warmLimit {
      .warm
    } else {
      .cold
    }
  }

  /// The time from the beginning of the search to the first fix, under an open sky.
  package func duration(of start: StartClass) -> Duration {
    switch start {
    case .ready: .zero
    case .hot: self.hot
    case .warm: self.warm
    case .cold: self.cold
    }
  }
}
