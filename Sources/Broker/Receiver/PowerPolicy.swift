import Positioning

/// When the receiver is released, and when that pays.
package struct PowerPolicy: Hashable, Sendable {
  /// How long the receiver stays on at most after the last need.
  package var linger: Duration = .seconds(60)
  /// How long the receiver must be able to sleep to be released, where a release is no certain saving.
  package var minimumOff: Duration = .seconds(300)
  /// Whether a release is known to turn the receiver off, so that it pays to sleep between two fixes.
  package var isVerified = false
  /// How long it must be able to sleep then.
  package var minimumSleep: Duration = .seconds(5)
  /// How long it is searched when it was not off for long, or has lost its fix; for a cold start at least 15 minutes.
  package var patience: Duration = .seconds(300)

  package init() {}

  /// The receiver is released as soon as nobody needs it.
  static var immediate: PowerPolicy {
    var policy = PowerPolicy()
    (policy.linger, policy.minimumOff) = (.zero, .zero)
    return policy
  }

  var shortestRelease: Duration { self.isVerified ? self.minimumSleep : self.minimumOff }
}

/// The next start of the receiver, and its reason.
struct ReceiverWake: Hashable, Sendable {
  let at: Instant
  /// When a fix is due for which it starts.
  var due: Instant?
  let reason: DaemonStatus.NextStart.Reason
}

/// How long a receiver lingers that is known to be off afterwards.
///
/// A linger in which nobody needed it was in vain, and the next one is half as long. A need within it, or so soon after
/// it that a longer one would have been right, makes it as long as it may be.
struct LingerLength: Hashable, Sendable {
  static let shortest: Duration = .seconds(10)

  private let longest: Duration
  private(set) var length: Duration
  private var endedAt: Instant?

  init(_ policy: PowerPolicy) {
    self.longest = policy.linger
    self.length = policy.linger
  }

  /// Somebody needs the receiver who has not announced it.
  mutating func needed(now: Instant) {
    if let endedAt, now - endedAt < self.longest { self.length = self.longest }
    self.endedAt = nil
  }

  /// A linger ended without a need.
  mutating func ended(now: Instant) {
    self.length = max(self.length / 2, min(Self.shortest, self.longest))
    self.endedAt = now
  }
}
