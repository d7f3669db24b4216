import Geodesy
import Positioning

/// The fixes that a deferred subscription collects, until their path or time is long enough.
///
/// It is limited: when it is full the oldest fix is dropped, and counted.
struct FixBatch: Hashable, Sendable {
  static let limit = 500

  private(set) var fixes: [Fix] = []
  private(set) var dropped = 0
  /// Metres along the path from the batch's first fix.
  private(set) var length = 0.0
  /// The arrival of its first fix.
  private(set) var began: Instant?

  var isEmpty: Bool { self.fixes.isEmpty }

  mutating func add(_ fix: Fix) {
    if let last = self.fixes.last {
      self.length += Geodesy.distance(from: last.coordinate, to: fix.coordinate)
    } else {
      self.began = fix.arrival
    }
    if self.fixes.count == Self.limit {
      self.fixes.removeFirst()
      self.dropped += 1
    }
    self.fixes.append(fix)
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
