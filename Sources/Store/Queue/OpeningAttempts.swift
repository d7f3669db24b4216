package import Positioning

/// Decides when a store that could not be opened is tried again, and what of the attempts is news for the log.
///
/// Another process may have it open for a moment, such as a daemon that ends, or for an hour, such as a backup.
package struct OpeningAttempts: Sendable {
  private var pause = GrowingPause(first: .seconds(1), longest: .seconds(60))
  private var messages: Set<String> = []

  package init() {}

  /// An attempt failed. Returns when the next one is due.
  package mutating func failed(now: Instant) -> Instant { now + self.pause.take() }

  /// Whether no attempt said this before.
  package mutating func isNews(_ message: String) -> Bool { self.messages.insert(message).inserted }
}
