import Positioning

/// Whether the unit of a durable name is to be started: for an event that nobody is there to take.
struct WakeGate: Hashable, Sendable {
  /// Whether an event waits that no start was made for.
  private(set) var isOwed = false
  /// Why the last start failed, in words.
  var trouble: String?

  /// An event waits for a client that is not there.
  mutating func owe() { self.isOwed = true }

  /// The unit was started, a client came, or nothing waits any more.
  mutating func settle() { self.isOwed = false }
}
