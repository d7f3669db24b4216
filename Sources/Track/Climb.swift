/// How far the device went up and down.
///
/// Altitudes wander even more than places. So the way between a low and a high counts if it is more than the errors of both
/// explain in 99 of 100 cases.
struct Climb: Hashable, Sendable {
  /// An altitude and its error, in metres.
  private struct Level: Hashable, Sendable {
    let altitude: Double
    /// The altitude is that close with a probability of 68 %.
    let accuracy: Double
  }

  private enum Direction {
    case up
    case down
  }

  /// The assumed error of an altitude without one, in metres.
  private static let usualAccuracy = 15.0
  /// What 99 % of normal errors do not exceed, divided by what 68 % do not.
  private static let ratio68To99 = 2.59

  private var countedUp = 0.0
  private var countedDown = 0.0
  private var direction: Direction?
  private var hasAltitudes = false
  /// The lowest and the highest altitude since the last turn; while the device climbs the lowest is where the climb began.
  private var low: Level?
  private var high: Level?

  /// Metres up; `nil` if no altitude was known.
  var up: Double? { self.hasAltitudes ? self.countedUp + (self.direction == .up ? self.height : 0) : nil }
  /// Metres down; `nil` if no altitude was known.
  var down: Double? { self.hasAltitudes ? self.countedDown + (self.direction == .down ? self.height : 0) : nil }

  private var height: Double { (self.high?.altitude ?? 0) - (self.low?.altitude ?? 0) }

  /// - Parameters:
  ///   - altitude: Metres above mean sea level.
  ///   - accuracy: The altitude is that close with a probability of 68 %, in metres; `nil`: unknown.
  mutating func reached(_ altitude: Double, accuracy: Double?) {
    self.hasAltitudes = true
    let level = Level(altitude: altitude, accuracy: accuracy ?? Self.usualAccuracy)
    guard let low, let high else {
      (self.low, self.high) = (level, level)
      return
    }
    switch self.direction {
    case nil:
      if altitude < low.altitude { self.low = level }
      if altitude > high.altitude { self.high = level }
      if Self.isBeyondErrors(level, of: low) { self.direction = .up }
      if Self.isBeyondErrors(high, of: level) { self.direction = .down }
    case .up where altitude >= high.altitude: self.high = level
    case .up where Self.isBeyondErrors(high, of: level):
      self.countedUp += self.height
      (self.direction, self.low) = (.down, level)
    case .down where altitude <= low.altitude: self.low = level
    case .down where Self.isBeyondErrors(level, of: low):
      self.countedDown += self.height
      (self.direction, self.high) = (.up, level)
    case .up, .down: break
    }
  }

  /// The way to the next altitude is unknown and does not count.
  mutating func interrupted() {
    switch self.direction {
    case .up: self.countedUp += self.height
    case .down: self.countedDown += self.height
    case nil: break
    }
    (self.direction, self.low, self.high) = (nil, nil, nil)
  }

  private static func isBeyondErrors(_ upper: Level, of lower: Level) -> Bool {
    upper.altitude - lower.altitude > self.ratio68To99
      * (upper.accuracy * upper.accuracy + lower.accuracy * lower.accuracy).squareRoot()
  }
}
