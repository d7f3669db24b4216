import Positioning

/// How many messages of one kind gpsd may cause in the log: ten at once, and then one in five minutes.
///
/// What answers at gpsd's address may send errors, lists and losses as fast as it can, for ever. The next message that is
/// logged says how many were not.
struct LogRation: Hashable, Sendable {
  static let most = 10
  static let interval: Duration = .seconds(300)

  private var left = LogRation.most
  /// Since when the present message's interval runs; `nil`: all are left.
  private var since: Instant?
  private var omitted = 0

  /// The message as it is to be logged; `nil`: not at all.
  mutating func take(_ message: LogMessage, now: Instant) -> LogMessage? {
    let begin = self.since ?? now
    let earned = max(0, Int((now - begin).seconds / Self.interval.seconds))
    let isFull = self.left + earned >= Self.most
    self.left = min(Self.most, self.left + earned)
    self.since = isFull ? now : begin + Self.interval * earned
    guard self.left > 0 else {
      self.omitted += 1
      return nil
    }
    self.left -= 1
    defer { self.omitted = 0 }
    return self.omitted == 0 ? message : message + " (and \(self.omitted) more of this kind before it)"
  }
}
