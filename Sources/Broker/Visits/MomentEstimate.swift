import Geodesy
package import Positioning

/// When the device came to a place, or left it: nobody saw that, but it was between two fixes.
package struct MomentEstimate: Hashable, Sendable {
  package let best: Instant
  /// It was at most so long before or after; `nil` where that was not kept.
  package let uncertainty: Duration?

  /// How fast a device must be to be said to move: receivers at rest tell some tenths, indoors more.
  static let movingSpeed = 2.0

  package init(best: Instant, uncertainty: Duration?) {
    self.best = best
    self.uncertainty = uncertainty
  }

  /// - Parameter guess: The likeliest; `nil`: the middle.
  private init(from earliest: Instant, to latest: Instant, guess: Instant?) {
    let latest = max(earliest, latest)
    let middle = earliest + (latest - earliest) / 2
    let best = min(max(guess ?? middle, earliest), latest)
    self.init(best: best, uncertainty: max(best - earliest, latest - best))
  }

  /// - Parameters:
  ///   - lastThere: The last fix at the place.
  ///   - away: The first one that was not.
  ///   - metres: How far from the place's edge that was. It took the device some time to get there: as long as its speed
  ///     says, and no less than at the greatest speed.
  static func departure(lastThere: Instant, away: Fix, metres: Double) -> MomentEstimate {
    MomentEstimate(
      from: lastThere, to: away.arrival - Self.time(metres, at: Activity.other.speedBound),
      guess: Self.speed(of: away).map { away.arrival - Self.time(metres, at: $0) })
  }

  /// - Parameters:
  ///   - away: The last fix that was not at the place.
  ///   - since: When the device left the place before, where that is later than the fix.
  ///   - metres: How far from the place's edge the fix was.
  ///   - firstThere: The first one at the place.
  static func arrival(away: Sight, since: Instant?, metres: Double, firstThere: Instant) -> MomentEstimate {
    let fastest = Self.time(metres, at: Activity.other.speedBound)
    let left = max(away.arrival, since ?? away.arrival)
    let guess =
      away.speed.map { left + Self.time(metres, at: $0) } ?? left + fastest + (firstThere - left - fastest) / 2
    return MomentEstimate(from: min(away.arrival + fastest, firstThere), to: firstThere, guess: guess)
  }

  static func speed(of fix: Fix) -> Double? { fix.speed.flatMap { $0 >= Self.movingSpeed ? $0 : nil } }

  private static func time(_ metres: Double, at speed: Double) -> Duration { .seconds(max(metres, 0) / speed) }

  /// The same on a clock that shows so much more.
  func shifted(by shift: Duration) -> MomentEstimate {
    MomentEstimate(best: self.best + shift, uncertainty: self.uncertainty)
  }

  /// What is left of a fix once another has come.
  struct Sight: Hashable, Sendable {
    let coordinate: Coordinate
    let arrival: Instant
    /// Where the device moved; metres per second.
    let speed: Double?

    init(_ fix: Fix) {
      self.coordinate = fix.coordinate
      self.arrival = fix.arrival
      self.speed = MomentEstimate.speed(of: fix)
    }

    /// What a stay tells of its newest fix: about where it was.
    init(_ stay: Stay) {
      self.coordinate = stay.centre.coordinate
      self.arrival = stay.newest
      self.speed = nil
    }
  }
}
