import Positioning

/// When the unit of a durable name is started: at an event that nobody is there to take, and not again too soon.
struct WakeGate: Hashable, Sendable {
  static let spacing: Duration = .seconds(300)

  private var lastStart: Instant?
  /// Whether an event came since the last start.
  private(set) var isOwed = false
  /// Why the last start failed, in words.
  var trouble: String?

  /// When a start that is owed may be made.
  var nextDeadline: Instant? {
    guard self.isOwed else { return nil }
    return self.lastStart.map { $0 + Self.spacing }
  }

  /// An event waits for a client that is not there.
  mutating func owe() { self.isOwed = true }

  /// A client came, or nothing waits any more.
  mutating func settle() { self.isOwed = false }

  /// Whether to start the unit now.
  mutating func start(now: Instant) -> Bool {
    guard self.isOwed, self.lastStart.map({ now - $0 >= Self.spacing }) ?? true else { return false }
    self.isOwed = false
    self.lastStart = now
    return true
  }
}
