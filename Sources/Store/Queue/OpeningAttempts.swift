package import Positioning

/// Decides when a store that could not be opened is tried again, and what of the attempts is news for the log.
///
/// Another process may have it open for a moment, such as a daemon that ends, or for an hour, such as a backup.
package struct OpeningAttempts: Sendable {
  /// How long it waits after the first failed attempt, and at most.
  package static let firstPause: Duration = .seconds(1)
  package static let longestPause: Duration = .seconds(60)

  private var pause = Self.firstPause
  private var messages: Set<String> = []

  package init() {}

  /// An attempt failed. Returns when the next one is due.
  package mutating func failed(now: Instant) -> Instant {
    defer { self.pause = min(self.pause * 2, Self.longestPause) }
    return now + self.pause
  }

  /// Whether no attempt said this before.
  package mutating func isNews(_ message: String) -> Bool { self.messages.insert(message).inserted }
}
