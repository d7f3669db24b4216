import Positioning

/// Decides which subscriptions to the status are notified in a turn, and of which changes.
struct StatusReporter: Sendable {
  /// Faster changes are reported together: a client that repeats a request a thousand times a second must not flood the
  /// subscriptions.
  static let interval: Duration = .milliseconds(250)

  private var board = StatusBoard()
  private var rounds = StatusRounds()
  /// When subscriptions were last notified of a change.
  private var checked: Instant?
  /// How often clients with demands have introduced themselves.
  private(set) var introductions = 0
  /// When `check` must be called again.
  private(set) var nextDeadline: Instant?

  /// Rises with each change.
  var revision: Int { self.board.revision }

  /// Whether all were notified.
  var isOver: Bool { self.rounds.isOver }

  mutating func introduced() { self.introductions += 1 }

  mutating func join(_ newcomer: SubscriptionID) { self.rounds.join(newcomer) }

  /// There are no subscriptions.
  mutating func rest() { (self.rounds, self.nextDeadline) = (StatusRounds(), nil) }

  /// When to check for changes again; `nil`: now.
  private func nextDue(now: Instant) -> Instant? {
    let due = self.checked.map { $0 + Self.interval } ?? now
    return now >= due && self.rounds.isRoundOver ? nil : due
  }

  /// Whether to check for changes, or to notify somebody, in this turn.
  mutating func check(now: Instant) -> Bool {
    self.nextDeadline = self.nextDue(now: now)
    return self.nextDeadline == nil || !self.rounds.isOver
  }

  /// Takes the present state.
  ///
  /// - Returns: Whether a round is to begin: `begin` comes next.
  mutating func update(to fingerprint: StatusFingerprint, now: Instant) -> Bool {
    self.board.update(to: fingerprint)
    guard self.nextDue(now: now) == nil else { return false }
    self.checked = now
    return self.rounds.isRoundDue(self.revision)
  }

  mutating func begin(_ all: [SubscriptionID]) { self.rounds.begin(self.revision, all) }

  /// The subscriptions that are next; first new ones.
  mutating func next() -> [SubscriptionID] { self.rounds.next() }

  /// The parts that changed since a client's last update; all parts for a client without one.
  func parts(since revision: Int?) -> [DaemonStatus.Part] { self.board.parts(since: revision) }
}
