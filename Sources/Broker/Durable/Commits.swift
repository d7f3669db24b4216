import Positioning

/// The changes on their way to the store, those that wait for room, and those that count once they are stored.
struct Commits: Sendable {
  private var ledger: CommitLedger
  private var behind = CatchUpList()
  private var isStopping = false
  /// Why the store could not be opened yet, so that nobody knows what it holds; `nil`: it is open.
  private(set) var unopened: String?
  /// The store's error, for the status.
  private(set) var lastError: DaemonStatus.LastError?

  init(limit: Int) { self.ledger = CommitLedger(limit: limit) }

  // MARK: State

  /// Why no change can be taken now; `nil`: it can.
  var denial: String? { self.ledger.denial }

  /// Whether all changes are committed.
  var isEmpty: Bool { self.ledger.isEmpty }

  /// Whether no change waits for room.
  var owesNothing: Bool { self.behind.isEmpty }

  /// Whether nothing waits for the disk to count.
  var awaitsNothing: Bool { !self.ledger.awaitsChanges }

  /// The calls that are answered after a commit.
  var waitingCalls: [CallID] { self.ledger.waitingCalls }

  /// How many notifications of a client wait until something is stored.
  func waitingNotifications(of client: ClientID) -> Int { self.ledger.waitingNotifications(of: client) }

  /// Whether the changes of this turn go to the store rather than wait. A daemon that stops lets nothing wait.
  var hasRoom: Bool { self.isStopping || self.ledger.hasRoom }

  /// When to call `overdue`.
  var nextDeadline: Instant? { self.ledger.nextDeadline }

  /// Whether the name's state is stored as a whole later. Until then nothing follows from it.
  func isBehind(_ id: DurableID) -> Bool { !self.hasRoom || self.behind.contains(.name(id)) }

  mutating func owe(_ id: DurableID) { self.behind.insert(.name(id)) }

  mutating func setError(_ error: String?, now: Instant) {
    self.ledger.setError(error)
    self.lastError = error.map { error in
      let since = self.lastError.map(\.at) ?? now
      return DaemonStatus.LastError(part: .store, message: "nothing can be stored: \(error)", at: since)
    }
  }

  mutating func setUnopened(_ reason: String?) { self.unopened = reason }

  mutating func stop() { self.isStopping = true }

  // MARK: Committing

  /// Hands the turn's changes to the store. Those without room are noted, to be stored as a whole.
  ///
  /// - Returns: What the store gets, with the number of its report, and what follows at once.
  mutating func commit(_ turn: inout Turn) -> (batch: (number: UInt64, changes: [StoreChange])?, followers: [Follower])
  {
    var (changes, followers) = turn.takeCommit()
    let late = changes.map(\.subject).filter { !self.hasRoom || self.behind.contains($0) }
    if !late.isEmpty {
      for subject in late { self.behind.insert(subject) }
      changes.removeAll { self.behind.contains($0.subject) }
      self.ledger.hold(followers, now: turn.now)
      followers = []
    }
    followers = self.ledger.holdFollowers(of: followers, now: turn.now)
    guard changes.isEmpty else {
      let number = self.ledger.add(changes, then: followers, now: turn.now)
      return ((number, changes), [])
    }
    guard !self.ledger.isEmpty else { return (nil, followers) }
    if !followers.isEmpty { self.ledger.append(followers, now: turn.now) }
    return (nil, [])
  }

  /// A batch is committed, or will never be.
  ///
  /// - Returns: What follows now.
  mutating func stored(_ number: UInt64) -> [Follower] { self.ledger.stored(number) }

  /// The calls that have waited for too long; they are answered now, and not again.
  mutating func overdue(now: Instant) -> [CallID] { self.ledger.overdue(now: now) }

  /// The disk could not be written for so long.
  mutating func putOff(by gap: Duration) { self.ledger.putOff(by: gap) }

  /// The client is not sent the rest of a name's events.
  ///
  /// - Returns: How many lost events it would have been notified of.
  mutating func dropDeliveries(of name: String, to client: ClientID) -> Int {
    self.ledger.dropDeliveries(of: name, to: client)
  }

  // MARK: Waiting changes

  /// Whether something waits, and there is room for some of it.
  var canCatchUp: Bool { self.hasRoom && !self.owesNothing }

  /// The longest waiting thing.
  mutating func takeOwed() -> StoreSubject? { self.behind.removeFirst() }

  /// What was held back, to follow the changes of this turn; none while more waits.
  mutating func takeHeld() -> [Follower] { self.owesNothing ? self.ledger.takeHeld() : [] }

  // MARK: Changes that count once they are stored

  /// Stores a change that counts once it is stored.
  func keep(_ change: StoreChange, _ awaited: AwaitedChange, _ turn: inout Turn) {
    turn.store(change)
    turn.afterCommit(.count(awaited))
  }

  /// Takes the reduced fixes that wait for the store.
  mutating func takeReducedFixes() -> [AwaitedChange] { self.ledger.takeReducedFixes() }
}
