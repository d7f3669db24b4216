import Positioning

/// The one path to the disk: the changes of a turn, those on their way to the store and those that wait for room, with
/// what follows each.
///
/// It keeps memory and disk consistent. Calls are denied while there is no room, or while the store has an error, so
/// that memory has nothing that the disk may not take. What the world changes cannot be denied: while there is no room
/// the broker only notes what has changed, each thing once, and stores its whole state later. So however long the disk
/// takes, no more waits than there are things.
///
/// What follows a commit is kept beside the changes that it waits for, and with it who waits: a call, or a decision about
/// permission. Each waits for at most the timeout of its follower, and is answered then that the change may or may not be
/// stored.
struct Commits: Sendable {
  /// What follows, and until when somebody waits for it; `nil`: nobody does, or not any more.
  private struct Waiting: Sendable {
    var follower: Follower
    var deadline: Instant?

    /// Takes the decision, if anybody waits for it. It is stored nevertheless, and the disk has its time for that.
    mutating func takeDecision() -> PendingDecision? {
      guard case .decide(var pending) = self.follower, pending.waiter != nil else { return nil }
      defer { self.follower = .decide(pending) }
      let taken = pending
      pending.waiter = nil
      self.deadline = self.deadline.map { $0 - DiskTimeout.permission + DiskTimeout.registration }
      return taken
    }
  }

  /// Changes that were given to the store together.
  private struct Batch: Sendable {
    let number: UInt64
    let weight: Int
    var followers: [Waiting]
  }

  /// How much may be on its way, in fixes and their equivalents.
  private let limit: Int
  // The present turn.
  private var changes: [StoreChange] = []
  private var followers: [Waiting] = []
  // What the store has.
  private var batches = Fifo<Batch>()
  private var newest: UInt64 = 0
  private var weight = 0
  // What there is no room for: the things whose state is stored later, the oldest first, and what follows that.
  private var behind = Fifo<StoreSubject>()
  private var isBehind: Set<StoreSubject> = []
  private var held: [Waiting] = []
  private var heldRecipients: Set<Follower.Recipient> = []
  private var isStalled = false
  private var isStopping = false
  private var error: String?
  /// Why the store could not be opened yet, so that nobody knows what it holds; `nil`: it is open.
  private(set) var unopened: String?
  /// The store's error, for the status.
  private(set) var lastError: DaemonStatus.LastError?
  /// When to call `takeOverdue`.
  private(set) var nextDeadline: Instant?

  init(limit: Int) { self.limit = limit }

  // MARK: State

  /// Why no change can be taken now; `nil`: it can.
  var denial: String? {
    if let error { return error }
    if self.isStalled { return "the disk has taken nothing for \(DiskTimeout.registration.components.seconds) s" }
    return self.weight < self.limit ? nil : "the disk does not keep up with what is to be kept"
  }

  /// Whether the changes of this turn go to the store rather than wait. A daemon that stops lets nothing wait.
  var hasRoom: Bool { self.isStopping || self.weight < self.limit }

  /// Whether all changes are committed.
  var isEmpty: Bool { self.batches.isEmpty && self.changes.isEmpty }

  /// Whether no change waits for room.
  var owesNothing: Bool { self.isBehind.isEmpty }

  /// What follows the changes that are not committed.
  var waitingFollowers: [Follower] { (self.batches.flatMap(\.followers) + self.held).map(\.follower) }

  /// How many notifications of a client wait until something is stored.
  func waitingNotifications(of client: ClientID) -> Int {
    self.waitingFollowers.count { if case .notify(client, _) = $0 { true } else { false } }
  }

  /// What follows the changes of this turn.
  var newFollowers: [Follower] { self.followers.map(\.follower) }

  /// Whether the name's state is stored as a whole later. Until then nothing follows from it.
  func isBehind(_ id: DurableID) -> Bool { !self.hasRoom || self.isBehind.contains(.name(id)) }

  // MARK: The store

  mutating func setError(_ error: String?, now: Instant) {
    self.error = error
    self.lastError = error.map { error in
      let since = self.lastError.map(\.at) ?? now
      return DaemonStatus.LastError(part: .store, message: "nothing can be stored: \(error)", at: since)
    }
  }

  mutating func setUnopened(_ reason: String?) { self.unopened = reason }

  mutating func stop() { self.isStopping = true }

  // MARK: The present turn

  mutating func store(_ change: StoreChange) { self.changes.append(change) }

  /// - Parameter place: Among what follows this turn; `nil`: at the end.
  mutating func follow(_ follower: Follower, at place: Int? = nil) {
    self.followers.insert(Waiting(follower: follower), at: place ?? self.followers.endIndex)
  }

  /// The thing's whole state is stored when there is room.
  mutating func owe(_ subject: StoreSubject) {
    if self.isBehind.insert(subject).inserted { self.behind.append(subject) }
  }

  /// Hands the turn's changes to the store. Those without room are noted, to be stored as a whole.
  ///
  /// - Returns: What the store gets, with the number of its report, and what follows at once.
  mutating func commit(now: Instant) -> (batch: (number: UInt64, changes: [StoreChange])?, followers: [Follower]) {
    var (changes, followers) = (self.changes, self.followers)
    (self.changes, self.followers) = ([], [])
    for place in followers.indices {
      followers[place].deadline = followers[place].deadline ?? followers[place].follower.timeout.map { now + $0 }
      self.nextDeadline = self.nextDeadline.earlier(followers[place].deadline)
    }
    let late = changes.map(\.subject).filter { !self.hasRoom || self.isBehind.contains($0) }
    if !late.isEmpty {
      for subject in late { self.owe(subject) }
      changes.removeAll { self.isBehind.contains($0.subject) }
      self.hold(followers)
      followers = []
    }
    followers = self.holdLater(of: followers)
    guard changes.isEmpty else {
      self.newest += 1
      let weight = changes.reduce(0) { $0 + $1.weight }
      self.weight += weight
      self.batches.append(Batch(number: self.newest, weight: weight, followers: followers))
      return ((self.newest, changes), [])
    }
    guard !self.batches.isEmpty else {
      self.findNextDeadline()
      return (nil, followers.map(\.follower))
    }
    if !followers.isEmpty { self.batches.append(Batch(number: self.newest, weight: 0, followers: followers)) }
    return (nil, [])
  }

  private mutating func hold(_ followers: [Waiting]) {
    self.held += followers
    self.heldRecipients.formUnion(followers.compactMap(\.follower.recipient))
  }

  /// Also holds back what is for recipients for whom earlier ones are held back: otherwise they would be out of order,
  /// and a client that gets a later event assumes that it has had the earlier ones.
  ///
  /// - Returns: The others.
  private mutating func holdLater(of followers: [Waiting]) -> [Waiting] {
    guard !self.held.isEmpty else { return followers }
    let recipients = self.heldRecipients
    func follows(_ waiting: Waiting) -> Bool { waiting.follower.recipient.map { recipients.contains($0) } ?? false }
    self.hold(followers.filter(follows))
    return followers.filter { !follows($0) }
  }

  // MARK: Catching up

  /// Takes the thing that has waited the longest, if there is room.
  mutating func takeOwed() -> StoreSubject? {
    guard self.hasRoom, let first = self.behind.popFirst() else { return nil }
    self.isBehind.remove(first)
    return first
  }

  /// Stores whole states before the changes of this turn, which a name's state includes. Once nothing is owed any more,
  /// what was held back follows.
  mutating func catchUp(with states: [StoreChange]) {
    let written = Set(states.map(\.subject))
    self.changes =
      states
      + self.changes.filter { change in
        if case .name = change.subject { !written.contains(change.subject) } else { true }
      }
    guard self.owesNothing else { return }
    self.followers = self.held.filter { $0.follower != .shown } + self.followers
    (self.held, self.heldRecipients) = ([], [])
    self.findNextDeadline()
  }

  // MARK: What was stored, and what was not

  /// All changes up to this number are committed, or never will be.
  ///
  /// - Returns: What follows now.
  mutating func stored(_ number: UInt64) -> [Follower] {
    var followers: [Follower] = []
    while let first = self.batches.first, first.number <= number {
      self.batches.popFirst()
      self.weight -= first.weight
      followers += first.followers.map(\.follower)
    }
    self.isStalled = false
    self.findNextDeadline()
    return followers
  }

  /// Who has waited for too long, and learns that now.
  struct Overdue {
    var calls: [CallID] = []
    var decisions: [PendingDecision] = []
  }

  mutating func takeOverdue(now: Instant) -> Overdue {
    var overdue = Overdue()
    var isStalled = self.isStalled
    self.change { waiting in
      guard let deadline = waiting.deadline, deadline <= now else { return true }
      if let decision = waiting.takeDecision() {
        overdue.decisions.append(decision)
        return true
      }
      isStalled = true
      waiting.deadline = nil
      guard let call = waiting.follower.waitingCall else { return true }
      overdue.calls.append(call)
      return false
    }
    self.isStalled = isStalled
    return overdue
  }

  /// Takes those who wait for a decision.
  mutating func takeDecisions(where isTaken: (PendingDecision) -> Bool = { _ in true }) -> [PendingDecision] {
    var taken: [PendingDecision] = []
    self.change { waiting in
      if case .decide(let pending) = waiting.follower, isTaken(pending), let decision = waiting.takeDecision() {
        taken.append(decision)
      }
      return true
    }
    return taken.sorted { $0.number < $1.number }
  }

  /// Takes the reduced fixes, which wait for nothing any more. The disk still has to take their changes in time.
  mutating func takeReducedFixes() -> [PendingReducedFix] {
    var taken: [PendingReducedFix] = []
    self.change { waiting in
      guard case .show(let reduced) = waiting.follower else { return true }
      taken.append(reduced)
      waiting.follower = .shown
      return waiting.deadline != nil
    }
    return taken
  }

  /// The client is not sent the rest of a name's events.
  ///
  /// - Returns: How many lost events it would have been notified of.
  mutating func dropDeliveries(of name: String, to client: ClientID) -> Int {
    var lost = 0
    self.change(besides: true) { waiting in
      switch waiting.follower {
      case .notify(client, .durable(name: name, _)): return false
      case .notify(client, .durableOverflow(name: name, let dropped)):
        lost += dropped
        return false
      case .notify, .answer, .reportWhenTaken, .startUnit, .decide, .show, .shown, .reportStoppedReceiver: return true
      }
    }
    return lost
  }

  /// The daemon did not run for so long: whoever waits for the disk waits that much longer.
  mutating func putOff(by gap: Duration) {
    self.change { waiting in
      waiting.deadline = waiting.deadline.map { $0 + gap }
      return true
    }
  }

  /// Changes everything that follows, oldest first, and keeps that for which the closure returns true.
  ///
  /// - Parameter exceptNew: Whether what follows this turn stays unchanged.
  private mutating func change(besides exceptNew: Bool = false, _ body: (inout Waiting) -> Bool) {
    func changed(_ followers: [Waiting]) -> [Waiting] {
      followers.compactMap { waiting in
        var waiting = waiting
        return body(&waiting) ? waiting : nil
      }
    }
    for place in self.batches.indices { self.batches[place].followers = changed(self.batches[place].followers) }
    self.held = changed(self.held)
    if !exceptNew { self.followers = changed(self.followers) }
    self.findNextDeadline()
  }

  private mutating func findNextDeadline() {
    var next: Instant?
    for batch in self.batches { for waiting in batch.followers { next = next.earlier(waiting.deadline) } }
    for waiting in self.held { next = next.earlier(waiting.deadline) }
    self.nextDeadline = next
  }
}

/// How long somebody waits for the disk before it is answered that the change is not stored yet.
enum DiskTimeout {
  /// What gives or takes permission: it must be known soon what is in force.
  static let permission: Duration = .seconds(5)
  /// Everything else.
  static let registration: Duration = .seconds(30)
}

/// What follows a commit: it happens once the changes of its turn are stored, or learns that they never will be.
enum Follower: Hashable, Sendable {
  case answer(CallID, Answer)
  case notify(ClientID, Notification)
  /// Report `taken` once the client has taken everything that it was sent.
  case reportWhenTaken(ClientID)
  /// Start the systemd unit, so that a client of the name takes its events.
  case startUnit(String, for: DurableID)
  /// A decision about permission counts from now on, or is known not to be stored.
  case decide(PendingDecision)
  /// Show a reduced fix.
  case show(PendingReducedFix)
  /// A reduced fix was shown without waiting for the disk.
  case shown
  /// The rung that turns the receiver off waits until that is stored.
  case reportStoppedReceiver

  /// What it does once all is stored; `nil`: the broker does it.
  var action: Action? {
    switch self {
    case .answer(let call, let answer): .answer(call, answer)
    case .notify(let client, let notification): .notify(client, notification)
    case .reportWhenTaken(let client): .reportWhenTaken(client)
    case .startUnit(let unit, let id): .startUnit(unit, for: id)
    case .reportStoppedReceiver: .reportStoppedReceiver(error: nil)
    case .decide, .show, .shown: nil
    }
  }

  /// For whom a follower is. Those for one recipient stay in order.
  enum Recipient: Hashable, Sendable {
    case client(ClientID)
    /// The unit of a durable name.
    case unit(DurableID)
    case receiver
  }

  /// `nil`: the broker itself, for which the order does not matter.
  var recipient: Recipient? {
    switch self {
    case .answer(let call, _): .client(call.client)
    case .notify(let client, _), .reportWhenTaken(let client): .client(client)
    case .startUnit(_, let id): .unit(id)
    case .reportStoppedReceiver: .receiver
    case .decide, .show, .shown: nil
    }
  }

  /// The call that waits for it.
  var waitingCall: CallID? {
    switch self {
    case .answer(let call, _): call
    case .decide(let pending): pending.waiter?.call
    case .notify, .reportWhenTaken, .startUnit, .show, .shown, .reportStoppedReceiver: nil
    }
  }

  /// How long somebody waits for it; `nil`: nobody does. The rung of the receiver has a timeout of its own.
  fileprivate var timeout: Duration? {
    switch self {
    case .decide(let pending): pending.waiter == nil ? DiskTimeout.registration : DiskTimeout.permission
    case .answer, .show, .shown: DiskTimeout.registration
    case .notify, .reportWhenTaken, .startUnit, .reportStoppedReceiver: nil
    }
  }
}

/// A decision that waits for the disk, and who waits for it.
struct PendingDecision: Hashable, Sendable {
  let subject: Permissions.Subject
  /// Its number in `Permissions`: a batch may have several.
  let number: UInt64
  var waiter: Permissions.Waiter?
}

/// A reduced fix that is shown once it is stored, and the last stored offset.
struct PendingReducedFix: Hashable, Sendable {
  let reduced: Fix
  let fix: Fix
  let kept: LocationFuzzer.Snapshot
  let epoch: Int
}
