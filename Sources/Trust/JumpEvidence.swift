import Positioning

/// The evidence `speed`, as far as it follows from what is possible: a position that jumps and does not come back.
///
/// How far a device may be from where it was follows from the speeds before and after, from what it may have gained in
/// between, and from the errors of both. Where it jumped farther, it counts as away until it is again where its speed
/// since then may have brought it, or until nobody can know any more which of the two places was the true one. So does a
/// device that was dragged off, whose movement has shown it: where the drag-off ends is no true place either.
struct JumpEvidence: Hashable, Sendable {
  /// Metres per second, each second: more than any vehicle gains for long.
  private static let acceleration = 10.0
  /// Metres that positions near buildings jump, beyond what their receivers state; and those within which a device is back
  /// that was dragged off.
  private static let tolerance = 300.0
  private static let dragTolerance = 30.0
  /// How much of the stated errors is allowed.
  private static let errorFactor = 3.0
  /// So long the positions must have agreed before one is measured by them: the first ones of a start are the worst.
  private static let settling: Duration = .seconds(30)
  /// A longer break of the agreement begins it anew.
  private static let longestBreak: Duration = .seconds(10)
  /// After so long away nobody knows which place was true.
  private static let adoption: Duration = .seconds(15 * 60)
  /// Metres per second that a receiver without a speed may have while it is away.
  private static let unknownSpeed = 20.0

  /// The last epoch that agreed, since when they have without a break, and whether that was long enough once.
  private var anchor: JudgedEpoch?
  private var agreedSince: Instant?
  private var isSettled = false
  private var away: Away?

  private struct Away: Hashable, Sendable {
    let since: Instant
    var last: JudgedEpoch
    /// Metres that the reported speeds make since the anchor.
    var path: Double
    /// Whether it was dragged off, and did not jump.
    let isDragged: Bool

    var tolerance: Double { self.isDragged ? JumpEvidence.dragTolerance : JumpEvidence.tolerance }
  }

  /// Whether the newest epoch is where the device cannot be: it says nothing about how the device moves.
  var hasJumped: Bool { self.away.map { !$0.isDragged } ?? false }

  /// The first report of an epoch.
  ///
  /// - Parameters:
  ///   - maximumSpeed: Metres per second that the device reaches.
  ///   - movement: What its movement shows of a drag-off.
  mutating func received(_ epoch: JudgedEpoch, maximumSpeed: Double, movement: Finding) -> Finding {
    let isDragged = movement == .strong
    guard let anchor else {
      self.settle(on: epoch)
      return .silent
    }
    let errors = Self.errorFactor * (anchor.error + epoch.error)
    let distance = epoch.distance(from: anchor)
    if var away {
      let seconds = epoch.seconds(since: away.last)
      // While the receiver slept the device may have moved as fast as after any sleep.
      away.path +=
        seconds > Self.longestBreak.seconds
        ? Self.speed(from: away.last, to: epoch, seconds, maximumSpeed) * seconds
        : (away.last.speed ?? Self.unknownSpeed) * seconds
      away.last = epoch
      self.away = away
      let reach = min(away.path, maximumSpeed * epoch.seconds(since: anchor)) + errors + away.tolerance
      if distance <= reach, !isDragged {
        self.away = nil
        self.settle(on: epoch)
        return .silent
      }
      if epoch.arrival - away.since >= Self.adoption {
        self = JumpEvidence()
        self.settle(on: epoch)
      }
      return .strong
    }
    let seconds = epoch.seconds(since: anchor)
    let reach = Self.speed(from: anchor, to: epoch, seconds, maximumSpeed) * seconds + errors + Self.tolerance
    guard distance > reach || isDragged else {
      // Where a drag-off may have begun stays what later positions are measured by.
      if movement != .weak { self.settle(on: epoch) }
      return .silent
    }
    guard self.isSettled else {
      self.agreedSince = nil
      self.settle(on: epoch)
      return .silent
    }
    self.away = Away(
      since: epoch.arrival, last: epoch,
      path: (anchor.speed ?? Self.unknownSpeed) * min(seconds, Self.longestBreak.seconds),
      isDragged: distance <= reach)
    return .strong
  }

  private mutating func settle(on epoch: JudgedEpoch) {
    let isBreak = self.anchor.map { epoch.arrival - $0.arrival > Self.longestBreak } ?? true
    if isBreak || self.agreedSince == nil { self.agreedSince = epoch.arrival }
    if let agreedSince, epoch.arrival - agreedSince >= Self.settling { self.isSettled = true }
    self.anchor = epoch
  }

  private static func speed(
    from start: JudgedEpoch, to end: JudgedEpoch, _ seconds: Double, _ maximum: Double
  ) -> Double {
    guard let before = start.speed, let after = end.speed else { return maximum }
    return min(maximum, max(before, after) + self.acceleration * seconds)
  }
}
