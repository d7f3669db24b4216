import Positioning

/// When the daemon is looked for again.
///
/// A connection that stood for a while is sought again at once; each attempt after that waits longer, so that a daemon
/// that refuses or dies is not hammered, and not all clients come at the same moment. Where nobody serves the socket an
/// attempt costs nobody but this client, and no more than one call of the system: the wait is short then, so that a
/// daemon that comes back after hours is noticed within two seconds.
struct Backoff: Hashable, Sendable {
  /// The bounds of the wait between two attempts.
  static let shortest = Duration.milliseconds(100)
  static let longest = Duration.seconds(10)
  /// The longest wait where nobody serves the socket.
  static let longestAlone = Duration.seconds(2)
  /// A connection that stood for so long was a good one.
  static let proof = Duration.seconds(10)

  /// When the next attempt is due.
  private(set) var nextAttempt = Instant(sinceBoot: .zero)
  /// Attempts since the last good connection.
  private var attempts = 0
  private var stoodSince: Instant?

  /// The daemon answered.
  mutating func stood(now: Instant) {
    self.stoodSince = now
  }

  /// The connection was lost, or an attempt came to nothing.
  ///
  /// - Parameters:
  ///   - isAlone: Whether nobody serves the socket.
  ///   - jitter: From 0 to 1, another each time.
  mutating func failed(now: Instant, isAlone: Bool, jitter: Double) {
    if let since = self.stoodSince, now - since >= Backoff.proof { self.attempts = 0 }
    let isFirst = self.stoodSince != nil && self.attempts == 0
    self.stoodSince = nil
    self.nextAttempt = isFirst ? now : now + self.wait(isAlone: isAlone, jitter: jitter)
    self.attempts = self.attempts.plus(1)
  }

  /// Between half of a bound that doubles and the whole of it.
  private func wait(isAlone: Bool, jitter: Double) -> Duration {
    let doublings = min(max(0, self.attempts - 1), 10)
    let longest = isAlone ? Backoff.longestAlone : Backoff.longest
    let bound = min(longest, Backoff.shortest * 2 * (1 << doublings))
    return bound / 2 * (1 + jitter)
  }
}
