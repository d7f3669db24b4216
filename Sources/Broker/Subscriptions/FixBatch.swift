import Positioning

/// The fixes that a deferred subscription collects, until their path or time is long enough.
///
/// It is limited: when it is full the oldest fix is dropped, and counted.
struct FixBatch: Hashable, Sendable {
  static let limit = 500

  private(set) var fixes = Fifo<Fix>()
  private(set) var dropped = 0
  /// Metres along the path from the batch's first fix, without what the errors of the fixes explain: a resting device has
  /// no path.
  private(set) var length = 0.0
  /// The fix up to which the path is known.
  private var pathEnd: Fix?
  /// The newest fix, if it is elsewhere and the next one must confirm that.
  private var turn: Fix?
  /// The arrival of its first fix.
  private(set) var began: Instant?

  var isEmpty: Bool { self.fixes.isEmpty }

  mutating func add(_ fix: Fix) {
    self.began = self.began ?? fix.arrival
    self.follow(fix)
    if self.fixes.count == Self.limit {
      self.fixes.popFirst()
      self.dropped += 1
    }
    self.fixes.append(fix)
  }

  private mutating func follow(_ fix: Fix) {
    // The path begins with a fix whose error is known, since without one nothing proves a movement.
    guard let pathEnd, pathEnd.horizontalAccuracy != nil else { return self.pathEnd = fix }
    guard Displacement(from: pathEnd, to: fix).isBeyond(0) else { return self.turn = nil }
    // One fix in a hundred is farther away than the errors explain, and over hours that would add up: two in a row prove it.
    guard let turn else { return self.turn = fix }
    self.length += Displacement(from: pathEnd, to: turn).distance + Displacement(from: turn, to: fix).distance
    (self.pathEnd, self.turn) = (fix, nil)
  }

  /// Why it is to be delivered now, if it is.
  func dueReason(_ parameters: SubscriptionParameters, now: Instant) -> DeliveryReason? {
    if let distance = parameters.deferredDistance, self.length >= distance { return .distance }
    if let deadline = self.deadline(parameters), now >= deadline { return .timeout }
    return nil
  }

  /// When its time is over.
  func deadline(_ parameters: SubscriptionParameters) -> Instant? {
    guard let began, let timeout = parameters.deferredTimeout else { return nil }
    return began + timeout
  }
}

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
