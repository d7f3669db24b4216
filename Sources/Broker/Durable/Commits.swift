import Positioning

/// A change that counts once it is kept.
enum AwaitedChange: Sendable {
  /// By the number that `PermissionBook` gave it.
  case permission(UInt64)
  /// What a fix becomes, and by which offset others were told that are kept.
  case reducedFix(Fix, of: Fix, kept: LocationFuzzer.Snapshot, epoch: Int)
}

/// What is on its way to the disk, what is owed to it, and what counts once it is kept.
struct Commits: Sendable {
  private var ledger: CommitLedger
  private var behind = CatchUpList()
  private var awaited: [UInt64: AwaitedChange] = [:]
  private var newestAwaited: UInt64 = 0
  private var isStopping = false

  init(limit: Int) { self.ledger = CommitLedger(limit: limit) }

  // MARK: How it stands

  /// Why nothing new is begun that is to last, in words; `nil`: it is.
  var trouble: String? { self.ledger.refusal }

  /// Whether all lasts that was given to the store.
  var isEmpty: Bool { self.ledger.isEmpty }

  /// Whether nothing is still to be given to it.
  var owesNothing: Bool { self.behind.isEmpty }

  /// Whether nothing waits for the disk to count.
  var awaitsNothing: Bool { self.awaited.isEmpty }

  /// The calls that are answered once something lasts.
  var waitingCalls: [CallID] { self.ledger.waitingCalls }

  /// How many notifications of a client wait until something lasts.
  func waitingNotifications(of client: ClientID) -> Int { self.ledger.waitingNotifications(of: client) }

  /// Whether the changes of this turn are given to the store, and not put off. A daemon that stops puts nothing off.
  var hasRoom: Bool { self.isStopping || self.ledger.hasRoom }

  /// When `overdue` must be asked.
  var nextDeadline: Instant? { self.ledger.nextDeadline }

  /// Whether what is kept under the name is written as a whole, later. Till then nothing follows from it.
  func isBehind(_ id: DurableID) -> Bool { !self.hasRoom || self.behind.contains(.name(id)) }

  mutating func owe(_ id: DurableID) { self.behind.insert(.name(id)) }

  mutating func setTrouble(_ trouble: String?) { self.ledger.setTrouble(trouble) }

  mutating func stop() { self.isStopping = true }

  // MARK: Giving it to the store

  /// Hands the turn's changes to the store; what has no room is noted, to be written as a whole.
  ///
  /// - Returns: what is to be done with them.
  mutating func commit(_ turn: inout Turn) -> [Action] {
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
      return [.store(number, changes)]
    }
    guard !self.ledger.isEmpty else { return followers }
    if !followers.isEmpty { self.ledger.append(followers, now: turn.now) }
    return []
  }

  /// What was given to the store lasts, or never will.
  ///
  /// - Returns: what is to be done now.
  mutating func stored(_ number: UInt64, trouble: String?) -> [Action] {
    self.ledger.stored(number, trouble: trouble)
  }

  /// The calls that have waited for too long; they are answered now, and not again.
  mutating func overdue(now: Instant) -> [CallID] { self.ledger.overdue(now: now) }

  /// The client is not sent what it was still to be sent of a name.
  ///
  /// - Returns: how many lost events it would have been told of.
  mutating func dropDeliveries(of name: String, to client: ClientID) -> Int {
    self.ledger.dropDeliveries(of: name, to: client)
  }

  // MARK: What is owed

  /// Whether something is owed, and there is room for some of it.
  var canCatchUp: Bool { self.hasRoom && !self.owesNothing }

  /// What has been owed longest.
  mutating func takeOwed() -> StoreSubject? { self.behind.removeFirst() }

  /// What was held back, to be done after the changes of this turn; nothing while more is owed.
  mutating func takeHeld() -> [Action] { self.owesNothing ? self.ledger.takeHeld() : [] }

  // MARK: What counts once it is kept

  /// Has a change kept; what it is for counts once it is.
  mutating func keep(_ change: StoreChange, _ awaited: AwaitedChange, _ turn: inout Turn) {
    turn.store(change)
    self.newestAwaited += 1
    self.awaited[self.newestAwaited] = awaited
    turn.afterCommit(.confirm(self.newestAwaited))
  }

  mutating func takeAwaited(_ number: UInt64) -> AwaitedChange? { self.awaited.removeValue(forKey: number) }

  /// Reduced fixes that wait to be kept, by number.
  var awaitedFixes: [UInt64] {
    self.awaited.keys.sorted().filter { if case .reducedFix = self.awaited[$0] { true } else { false } }
  }
}
