import Positioning

/// Limits a log line that may recur: it is logged at most every ten seconds.
struct LogRateLimiter {
  private var count = 0
  private var lastLogged: Instant?

  /// How often it has happened since the last log line, if it is to be logged now; else `nil`.
  mutating func happened(now: Instant) -> Int? {
    self.count += 1
    if let lastLogged, now - lastLogged < .seconds(10) { return nil }
    self.lastLogged = now
    defer { self.count = 0 }
    return self.count
  }
}
