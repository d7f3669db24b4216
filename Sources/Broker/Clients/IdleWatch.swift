import Positioning

/// How long nothing has needed the daemon. Where the administrator wants that, it ends after a while, and systemd
/// starts it with the next connection.
struct IdleWatch: Sendable {
  private var since: Instant?

  /// When `note` is due; `nil`: never, as far as is known now.
  func nextDeadline(after limit: Duration?) -> Instant? {
    guard let since, let limit else { return nil }
    return since + limit
  }

  /// The daemon did not run for so long, and nobody could connect: that time does not count.
  mutating func putOff(by gap: Duration) { self.since = self.since.map { $0 + gap } }

  /// The state has settled.
  ///
  /// - Parameters:
  ///   - isIdle: Whether nothing needs the daemon.
  ///   - limit: After how long the daemon ends; `nil`: never.
  /// - Returns: Whether it is time to end. If the daemon does not, the time begins anew.
  mutating func note(isIdle: Bool, limit: Duration?, now: Instant) -> Bool {
    guard isIdle else {
      self.since = nil
      return false
    }
    self.since = self.since ?? now
    guard let deadline = self.nextDeadline(after: limit), now >= deadline else { return false }
    self.since = now
    return true
  }
}
