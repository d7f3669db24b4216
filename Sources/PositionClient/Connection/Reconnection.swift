package import Positioning

/// Decides when to connect again.
///
/// After the loss of a connection that had lasted, the first attempt is immediate. Each further attempt waits longer,
/// with jitter, so that clients do not flood a daemon that refuses connections or crashes. If nobody listens on the
/// socket, an attempt is one cheap system call, so the wait stays short: a daemon that starts after hours is noticed
/// within two seconds.
package struct Reconnection: Hashable, Sendable {
  /// The shortest wait between two attempts.
  static let shortest = Duration.milliseconds(100)
  package static let longest = Duration.seconds(10)
  /// The longest wait if nobody listens on the socket.
  static let longestAlone = Duration.seconds(2)
  /// A connection that lasted this long resets the attempts.
  static let proof = Duration.seconds(10)

  /// When the next attempt is due.
  package private(set) var nextAttempt = Instant(sinceBoot: .zero)
  /// It grows with each attempt since the last connection that lasted.
  private var pause: GrowingPause
  private var hasFailed = false
  private var stoodSince: Instant?

  /// - Parameter longest: The longest wait between two attempts.
  package init(longest: Duration = Reconnection.longest) {
    self.pause = GrowingPause(first: Self.shortest * 2, longest: longest, randomPart: 0.5)
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
    if let since = self.stoodSince, now - since >= Self.proof {
      self.hasFailed = false
      self.pause.reset()
    }
    let isFirst = self.stoodSince != nil && !self.hasFailed
    self.stoodSince = nil
    let pause = self.pause.next(jitter: jitter, atMost: isAlone ? Self.longestAlone : nil)
    self.nextAttempt = isFirst ? now : now + pause
    if self.hasFailed { self.pause.take() }
    self.hasFailed = true
  }
}
