package import Positioning

/// Decides when to connect again.
///
/// After the loss of a connection that had lasted, the first attempt is immediate. Each further attempt waits longer,
/// with jitter, so that clients do not flood a daemon that refuses connections or crashes. If nobody listens on the
/// socket, an attempt is one cheap system call, so the wait stays short: a daemon that starts after hours is noticed
/// within two seconds.
package struct Backoff: Hashable, Sendable {
  /// The shortest wait between two attempts.
  static let shortest = Duration.milliseconds(100)
  package static let longest = Duration.seconds(10)
  /// The longest wait if nobody listens on the socket.
  static let longestAlone = Duration.seconds(2)
  /// A connection that lasted this long resets the attempts.
  static let proof = Duration.seconds(10)

  /// When the next attempt is due.
  package private(set) var nextAttempt = Instant(sinceBoot: .zero)
  /// The longest wait after as many attempts as were made since the last connection that lasted.
  private var bound: GrowingPause
  private var hasFailed = false
  private var stoodSince: Instant?

  /// - Parameter longest: The longest wait between two attempts.
  package init(longest: Duration = Backoff.longest) {
    self.bound = GrowingPause(first: Backoff.shortest * 2, longest: longest)
  }

  /// The daemon answered the greeting.
  package mutating func established(now: Instant) {
    self.stoodSince = now
  }

  /// The connection was lost, or an attempt failed.
  ///
  /// - Parameters:
  ///   - isAlone: Whether nobody listens on the socket.
  ///   - jitter: From 0 to 1, different each time.
  package mutating func failed(now: Instant, isAlone: Bool, jitter: Double) {
    if let since = self.stoodSince, now - since >= Backoff.proof {
      self.hasFailed = false
      self.bound.reset()
    }
    let isFirst = self.stoodSince != nil && !self.hasFailed
    self.stoodSince = nil
    self.nextAttempt = isFirst ? now : now + self.wait(isAlone: isAlone, jitter: jitter)
    if self.hasFailed { self.bound.take() }
    self.hasFailed = true
  }

  /// A random wait between half of the doubling bound and all of it.
  private func wait(isAlone: Bool, jitter: Double) -> Duration {
    let bound = isAlone ? min(Backoff.longestAlone, self.bound.next) : self.bound.next
    return bound / 2 * (1 + jitter)
  }
}
