import Geodesy
import Positioning

/// Tells rest from movement: the device rests once it has stayed within the activity's radius for the activity's time.
struct RestDetector: Hashable, Sendable {
  private(set) var isResting = false
  /// Where the device is, while it does not leave the radius.
  private var anchor: Fix?

  /// Since when the device is where it is.
  var since: Instant? { self.anchor?.arrival }

  /// - Returns: whether it changed between rest and movement.
  mutating func fixed(_ fix: Fix, activity: Activity) -> Bool {
    // A vague fix tells neither.
    guard let accuracy = fix.horizontalAccuracy, accuracy <= max(activity.restRadius, 30) else { return false }
    guard let anchor, !Self.hasLeft(anchor, fix, accuracy: accuracy, radius: activity.restRadius) else {
      self.anchor = fix
      defer { self.isResting = false }
      return self.isResting
    }
    guard !self.isResting, fix.arrival - anchor.arrival >= activity.restTime else { return false }
    self.isResting = true
    return true
  }

  private static func hasLeft(_ anchor: Fix, _ fix: Fix, accuracy: Double, radius: Double) -> Bool {
    Geodesy.distance(from: anchor.coordinate, to: fix.coordinate) > radius + accuracy
  }
}
