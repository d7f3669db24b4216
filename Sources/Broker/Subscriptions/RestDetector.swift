import Positioning

/// Tells rest from movement: the device rests once it has stayed within the activity's radius for the activity's time, and
/// moves when it is farther away than the errors of the fixes explain.
struct RestDetector: Hashable, Sendable {
  /// What a fix says.
  enum Finding: Hashable, Sendable {
    /// The device rests, as far as the fix can tell.
    case rests
    /// It does not, or not yet for long enough.
    case moves
    /// The fix's accuracy is unknown.
    case unclear
  }

  /// How long apart the looks are while the device rests. A movement is noticed so late at most, and one that is longer is
  /// never missed, however long the device rested before. It is the shortest time that lets the receiver sleep: a release
  /// takes the linger, and is worth it for 5 minutes.
  static let lookInterval: Duration = .seconds(360)
  /// The 68 % radius in metres that a fix may have at least to say where the device rests, whatever the activity.
  private static let worstAnchor = 30.0

  private(set) var isResting = false
  /// Where the device is, while it does not leave the radius.
  private var anchor: Fix?

  mutating func fixed(_ fix: Fix, activity: Activity) -> Finding {
    guard let accuracy = fix.horizontalAccuracy else { return .unclear }
    let isPrecise = accuracy <= max(activity.restRadius, Self.worstAnchor)
    guard let anchor else {
      self.anchor = isPrecise ? fix : nil
      return .moves
    }
    guard !Displacement(from: anchor, to: fix).isBeyond(activity.restRadius) else {
      // Nobody rests at a place that is known to the nearest 100 m only.
      self.anchor = isPrecise ? fix : nil
      self.isResting = false
      return .moves
    }
    if isPrecise, fix.arrival - anchor.arrival >= activity.restTime { self.isResting = true }
    return self.isResting ? .rests : .moves
  }
}
