/// Limits how often one kind of message is logged: so many at once, and then one in each interval.
///
/// What another program causes can happen as fast as that program can, for ever.
package struct LogRation: Hashable, Sendable {
  private let most: Int
  private let interval: Duration
  private var left: Int
  /// Since when the present message's interval runs; `nil`: all are left.
  private var since: Instant?
  private var omitted = 0

  package init(atOnce most: Int = 1, interval: Duration) {
    (self.most, self.interval) = (most, interval)
    self.left = most
  }

  /// If a message is to be logged now: how many were left out since the last one. Else `nil`.
  package mutating func take(now: Instant) -> Int? {
    let begin = self.since ?? now
    let earned = max(0, Int((now - begin).seconds / self.interval.seconds))
    let isFull = self.left + earned >= self.most
    self.left = min(self.most, self.left + earned)
    self.since = isFull ? now : begin + self.interval * earned
    guard self.left > 0 else {
      self.omitted += 1
      return nil
    }
    self.left -= 1
    defer { self.omitted = 0 }
    return self.omitted
  }
}
