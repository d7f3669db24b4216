/// What a receiver still knows when it begins to search; how long the first fix takes follows from it.
package enum StartClass: String, Hashable, Sendable, CaseIterable {
  /// It has a fix at once: for tests that do not care.
  case ready
  /// It knows where it is, the time, and the orbits (ephemeris).
  case hot
  /// It knows where it is and the time, and must read the orbits anew.
  case warm
  /// It knows nothing.
  case cold
}

/// How long the simulated receiver takes to its first fix, by class of the time it was off.
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

  /// From the begin of the search to the first fix, under an open sky.
  package func duration(of start: StartClass) -> Duration {
    switch start {
    case .ready: .zero
    case .hot: self.hot
    case .warm: self.warm
    case .cold: self.cold
    }
  }
}
