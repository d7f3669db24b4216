import Positioning

/// Decides which subscriptions to the status are notified in a turn, and of which changes.
struct StatusReporter: Sendable {
  /// Faster changes are reported together: a client that repeats a request a thousand times a second must not flood the
  /// subscriptions.
  static let interval: Duration = .milliseconds(250)

  private var revisions = StatusRevisions()
  private var rounds = StatusRounds()
  /// When subscriptions were last notified of a change.
  private var checked: Instant?
  /// How often clients with demands have introduced themselves.
  private(set) var introductions = 0
  /// When `check` must be called again.
  private(set) var nextDeadline: Instant?

  /// Rises with each change.
  var revision: Int { self.revisions.revision }

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
    self.revisions.update(to: fingerprint)
    guard self.nextDue(now: now) == nil else { return false }
    self.checked = now
    return self.rounds.isRoundDue(self.revision)
  }

  mutating func begin(_ all: [SubscriptionID]) { self.rounds.begin(self.revision, all) }

  /// The subscriptions that are next; first new ones.
  mutating func next() -> [SubscriptionID] { self.rounds.next() }

  /// The parts that changed since a client's last update; all parts for a client without one.
  func parts(since revision: Int?) -> [DaemonStatus.Part] { self.revisions.parts(since: revision) }
}

/// The revision at which each part of the status last changed: a subscription that was notified at one revision is only
/// notified of later changes.
struct StatusRevisions: Sendable {
  private var last: StatusFingerprint?
  private var revisions: [DaemonStatus.Part: Int] = [:]
  private(set) var revision = 0

  /// Takes the present state.
  mutating func update(to fingerprint: StatusFingerprint) {
    let changed = fingerprint.changes(since: self.last)
    self.last = fingerprint
    guard !changed.isEmpty else { return }
    self.revision += 1
    for part in changed { self.revisions[part] = self.revision }
  }

  /// The parts that changed since a client's last update; all parts for a client without one.
  func parts(since revision: Int?) -> [DaemonStatus.Part] {
    guard let revision else { return DaemonStatus.Part.allCases }
    return DaemonStatus.Part.allCases.filter { self.revisions[$0, default: 0] > revision }
  }
}

/// The subscriptions to notify of a change, a few in each turn, in order: however many there are, nobody else waits.
struct StatusRounds: Sendable {
  /// How many are notified in one turn.
  static let slice = 16

  /// Those of the present round.
  private var waiting = Fifo<SubscriptionID>()
  /// New subscriptions that were not notified yet.
  private var newcomers = Fifo<SubscriptionID>()
  /// The revision of the last round.
  private var reported = 0

  var isOver: Bool { self.waiting.isEmpty && self.newcomers.isEmpty }

  /// Whether the present round is over.
  var isRoundOver: Bool { self.waiting.isEmpty }

  /// Whether there is a change after the last round.
  func isRoundDue(_ revision: Int) -> Bool { revision != self.reported }

  mutating func begin(_ revision: Int, _ all: [SubscriptionID]) {
    self.reported = revision
    self.waiting = Fifo(all)
  }

  mutating func join(_ newcomer: SubscriptionID) { self.newcomers.append(newcomer) }

  /// Those that are next.
  mutating func next() -> [SubscriptionID] {
    var next: [SubscriptionID] = []
    while next.count < Self.slice, let one = self.newcomers.popFirst() ?? self.waiting.popFirst() { next.append(one) }
    return next
  }
}
