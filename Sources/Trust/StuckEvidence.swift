import Positioning

/// The evidence `stuck`: the coordinates stay the same to the last digit while the time goes on and the receiver reports
/// that it moves.
///
/// That a resting receiver repeats its coordinates proves nothing: many do so on purpose.
struct StuckEvidence: Hashable, Sendable {
  /// Metres per second: slower ones are the noise of a resting receiver.
  private static let leastSpeed = 2.0
  private static let leastTime: Duration = .seconds(10)
  /// Metres that it must have moved by its speed, beyond its error; and so many that it is certain.
  private static let tolerance = 30.0
  private static let certain = 300.0
  /// Seconds: a longer gap hides what happened in it.
  private static let longestGap = 5.0

  private var first: JudgedEpoch?
  private var last: JudgedEpoch?
  private var path = 0.0

  /// There was no fix, or the session ended.
  mutating func interrupted() { self = StuckEvidence() }

  /// A whole epoch.
  mutating func received(_ epoch: JudgedEpoch) -> Finding {
    guard let first, let last, epoch.place == first.place, epoch.seconds(since: last) <= Self.longestGap else {
      (self.first, self.last, self.path) = (epoch, epoch, 0)
      return .silent
    }
    if let speed = epoch.speed, speed >= Self.leastSpeed { self.path += speed * epoch.seconds(since: last) }
    self.last = epoch
    guard epoch.arrival - first.arrival >= Self.leastTime, self.path > Self.tolerance + epoch.error else {
      return .silent
    }
    return self.path > Self.certain ? .strong : .weak
  }
}
