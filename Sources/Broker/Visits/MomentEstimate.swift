import Geodesy
package import Positioning

/// When the device arrived at a place, or left it: some time between two fixes.
package struct MomentEstimate: Hashable, Sendable {
  package let best: Instant
  /// How much earlier or later it may have been; `nil` if that was not stored.
  package let uncertainty: Duration?

  /// The least speed of a moving device: receivers at rest report some tenths, indoors more.
  static let movingSpeed = 2.0

  package init(best: Instant, uncertainty: Duration?) {
    self.best = best
    self.uncertainty = uncertainty
  }

  /// - Parameter guess: The likeliest moment; `nil`: the middle.
  private init(from earliest: Instant, to latest: Instant, guess: Instant?) {
    let latest = max(earliest, latest)
    let middle = earliest + (latest - earliest) / 2
    let best = min(max(guess ?? middle, earliest), latest)
    self.init(best: best, uncertainty: max(best - earliest, latest - best))
  }

  /// - Parameters:
  ///   - lastThere: The last fix at the place.
  ///   - away: The first one elsewhere.
  ///   - metres: The distance of that from the place's border. The device took some time for it, by its speed, and at
  ///     least as long as at the greatest speed.
  static func departure(lastThere: Instant, away: Fix, metres: Double) -> MomentEstimate {
    MomentEstimate(
      from: lastThere, to: away.arrival - Self.time(metres, at: Self.greatestSpeed(away.speed)),
      guess: Self.speed(of: away).map { away.arrival - Self.time(metres, at: $0) })
  }

  /// - Parameters:
  ///   - away: The last fix elsewhere.
  ///   - since: When the device left the previous place, if that is later than the fix.
  ///   - metres: The distance of the fix from the place's border.
  ///   - firstThere: The first fix at the place.
  static func arrival(away: PastFix, since: Instant?, metres: Double, firstThere: Instant) -> MomentEstimate {
    let fastest = Self.time(metres, at: Self.greatestSpeed(away.speed))
    let left = max(away.arrival, since ?? away.arrival)
    let guess =
      away.speed.map { left + Self.time(metres, at: $0) } ?? left + fastest + (firstThere - left - fastest) / 2
    return MomentEstimate(from: min(away.arrival + fastest, firstThere), to: firstThere, guess: guess)
  }

  static func speed(of fix: Fix) -> Double? { fix.speed.flatMap { $0 >= Self.movingSpeed ? $0 : nil } }

  /// The greatest speed of a device, metres per second; a fix may show that this one is faster.
  private static func greatestSpeed(_ shown: Double?) -> Double { max(shown ?? 0, Activity.other.speedBound) }

  private static func time(_ metres: Double, at speed: Double) -> Duration { .seconds(max(metres, 0) / speed) }

  /// The same on a clock with this offset.
  func shifted(by shift: Duration) -> MomentEstimate {
    MomentEstimate(best: self.best + shift, uncertainty: self.uncertainty)
  }

  /// The part of a fix that is needed later.
  struct PastFix: Hashable, Sendable {
    let coordinate: Coordinate
    let arrival: Instant
    /// The speed if the device moved; metres per second.
    let speed: Double?

    init(_ fix: Fix) {
      self.coordinate = fix.coordinate
      self.arrival = fix.arrival
      self.speed = MomentEstimate.speed(of: fix)
    }

    /// The values of a stay's newest fix, with the approximate place.
    init(_ stay: Stay) {
      self.coordinate = stay.centre.coordinate
      self.arrival = stay.newest
      self.speed = nil
    }
  }
}
