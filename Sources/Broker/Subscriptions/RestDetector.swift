import Positioning

/// Distinguishes rest from movement: the device rests once it has stayed within the activity's radius for the
/// activity's time, and moves when it is farther away than the errors of the fixes explain.
struct RestDetector: Hashable, Sendable {
  /// The result for a fix.
  enum Finding: Hashable, Sendable {
    /// The device rests, as far as the fix shows.
    case rests
    /// It does not rest, or not for long enough yet.
    case moves
    /// The fix's accuracy is unknown.
    case unclear
  }

  /// The interval between probes while the device rests. A movement is noticed with this delay at most, and a longer
  /// one is never missed, however long the device rested before. It is the shortest interval that lets the receiver
  /// sleep: a release takes the linger, and pays off after 5 minutes.
  static let probeInterval: Duration = .seconds(360)
  /// The largest 68 % radius in metres of a fix that can show where the device rests, for any activity.
  private static let worstAnchor = 30.0

  private var isResting = false
  /// The place of the device, while it does not leave the radius.
  private var anchor: Fix?

  mutating func fixed(_ fix: Fix, activity: Activity) -> Finding {
    guard let accuracy = fix.horizontalAccuracy else { return .unclear }
    let isPrecise = accuracy <= max(activity.restRadius, Self.worstAnchor)
    guard let anchor else {
      self.anchor = isPrecise ? fix : nil
      return .moves
    }
    guard !Displacement(from: anchor, to: fix).isBeyond(activity.restRadius) else {
      // A place that is known only to 100 m shows no rest.
      self.anchor = isPrecise ? fix : nil
      self.isResting = false
      return .moves
    }
    if isPrecise, fix.arrival - anchor.arrival >= activity.restTime { self.isResting = true }
    return self.isResting ? .rests : .moves
  }
}
