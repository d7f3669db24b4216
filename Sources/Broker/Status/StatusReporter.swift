import Positioning

/// Says which subscriptions to the status are told in a turn, and what changed for each.
struct StatusReporter: Sendable {
  /// Changes that follow each other faster are told together: a client that asks for something and cancels it a
  /// thousand times a second must not drown those who watch.
  static let interval: Duration = .milliseconds(250)

  private var board = StatusBoard()
  private var rounds = StatusRounds()
  /// When those who subscribed were told last, if anything had changed.
  private var checked: Instant?
  /// How often a client that asks for something said who it is.
  private(set) var introductions = 0
  /// When `look` must be asked again.
  private(set) var nextDeadline: Instant?

  /// Counts up with each change that was noticed.
  var revision: Int { self.board.revision }

  /// Whether all were told who are to be told.
  var isOver: Bool { self.rounds.isOver }

  mutating func introduced() { self.introductions += 1 }

  mutating func join(_ newcomer: SubscriptionID) { self.rounds.join(newcomer) }

  /// Nobody is subscribed.
  mutating func rest() { (self.rounds, self.nextDeadline) = (StatusRounds(), nil) }

  /// When to look for changes again; `nil`: now.
  private func nextDue(now: Instant) -> Instant? {
    let due = self.checked.map { $0 + Self.interval } ?? now
    return now >= due && self.rounds.isRoundOver ? nil : due
  }

  /// Whether anything is to be looked at, or somebody to be told, in this turn.
  mutating func look(now: Instant) -> Bool {
    self.nextDeadline = self.nextDue(now: now)
    return self.nextDeadline == nil || !self.rounds.isOver
  }

  /// Takes the state as it is now.
  ///
  /// - Returns: whether all who are subscribed are to be told: `begin` comes next.
  mutating func update(to fingerprint: StatusFingerprint, now: Instant) -> Bool {
    self.board.update(to: fingerprint)
    guard self.nextDue(now: now) == nil else { return false }
    self.checked = now
    return self.rounds.isRoundDue(self.revision)
  }

  mutating func begin(_ all: [SubscriptionID]) { self.rounds.begin(self.revision, all) }

  /// Those whose turn it is; first those who were told nothing yet.
  mutating func next() -> [SubscriptionID] { self.rounds.next() }

  /// What changed since somebody was told; all for who was told nothing.
  func parts(since revision: Int?) -> [DaemonStatus.Part] { self.board.parts(since: revision) }
}
