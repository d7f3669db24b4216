import Positioning

/// When the next fix of a subscription is due, if its interval lets the receiver sleep until then, and how long it waits
/// for one that is good enough, among those that come.
struct FixBeat: Hashable, Sendable {
  /// How long it waits for a fix that is good enough, from the first that is not.
  private static let searchBudget = Acquisition().budget

  /// When the next fix is due; `nil`: before the first one, or if the receiver does not sleep in between.
  private(set) var due: Instant?
  /// When to say that it did not come.
  private var lateAt: Instant?
  private var searchEnd: Instant?
  /// Whether a search has ended without a fix that is good enough, and none has been delivered since.
  private(set) var isWithheld = false

  /// When to call `takeLateness` and `searchEnded`.
  var nextDeadline: Instant? { self.lateAt.earlier(self.searchEnd) }

  /// The beat begins anew with the last delivery.
  ///
  /// - Parameter interval: `nil`: the receiver does not sleep in between.
  mutating func restart(after last: Instant?, _ interval: Duration?) {
    (self.due, self.lateAt) = (nil, nil)
    if let last, let interval { self.setDue(last + interval, interval) }
  }

  /// The next fix is due one interval later; a little earlier or later, as they come, does not change the beat. So too
  /// after a fix that is withheld because the device has not moved.
  ///
  /// - Parameter isLongEnough: Whether it came an interval after the last delivery. Otherwise the next one is still due.
  mutating func fixed(at arrival: Instant, _ interval: Duration, isDelivered: Bool, isLongEnough: Bool) {
    guard let due else { return self.setDue(arrival + interval, interval) }
    let tolerance = interval.tolerance
    let isOnBeat = arrival >= due - tolerance && arrival <= due + tolerance
    guard isDelivered || isLongEnough && arrival >= due - tolerance else { return }
    self.setDue((isOnBeat ? due : arrival) + interval, interval)
  }

  private mutating func setDue(_ due: Instant, _ interval: Duration) {
    (self.due, self.lateAt) = (due, due + interval.tolerance)
  }

  /// Whether the fix that is due has not come; once for each.
  mutating func takeLateness(now: Instant) -> Bool {
    guard let lateAt, now >= lateAt else { return false }
    self.lateAt = nil
    return true
  }

  /// A fix is not good enough, and a better one may follow. In half of its interval it does, or not at this place.
  mutating func withheld(at arrival: Instant, _ interval: Duration?, isLongEnough: Bool) {
    guard self.searchEnd == nil else { return }
    if let interval {
      guard self.due.map({ $0 <= arrival }) ?? true else { return }
      self.searchEnd = arrival + min(interval / 2, Self.searchBudget)
    } else if !self.isWithheld, isLongEnough {
      self.searchEnd = arrival + Self.searchBudget
    }
  }

  /// A fix was good enough.
  mutating func endSearch() { (self.searchEnd, self.isWithheld) = (nil, false) }

  /// Whether no fix was good enough: the next one is searched for one interval later.
  mutating func searchEnded(_ interval: Duration?, now: Instant) -> Bool {
    guard let searchEnd, now >= searchEnd else { return false }
    (self.searchEnd, self.isWithheld) = (nil, true)
    if let interval {
      let missed = self.due.map { max(0, ((now - $0) / interval).rounded(.down)) } ?? 0
      self.setDue((self.due ?? now) + interval * (missed + 1), interval)
    }
    return true
  }

  /// The daemon did not run for so long: the waiting gets that time. The fix stays due when it was.
  mutating func putOff(by gap: Duration) {
    self.lateAt = self.lateAt.map { $0 + gap }
    self.searchEnd = self.searchEnd.map { $0 + gap }
  }
}
