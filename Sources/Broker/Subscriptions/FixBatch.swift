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
