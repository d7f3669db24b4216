import Positioning

/// The changes that are on their way to the store, and what follows them.
///
/// It keeps memory and disk consistent. Calls are denied while there is no room, or while the store has an error, so
/// that memory has nothing that the disk may not take. Events of the world cannot be denied: see `CatchUpList`.
///
/// A call waits for at most `DiskTimeout.registration`; then the answer is that the change may or may not be stored.
struct CommitLedger: Sendable {
  private struct Batch: Sendable {
    let number: UInt64
    let weight: Int
    var then: [Follower]
  }

  /// What waits for the disk: a call, or a change that counts once it is stored.
  private struct Waiter: Sendable {
    let call: CallID?
    var since: Instant
    /// The batch that it waits for; `nil`: a later one.
    let number: UInt64?
  }

  /// How much may be on its way, in fixes and their equivalents.
  private let limit: Int
  private var batches: ArraySlice<Batch> = []
  private var newest: UInt64 = 0
  private var weight = 0
  private var waiters: [Waiter] = []
  /// Calls that were answered because they had waited for too long.
  private var expired: Set<CallID> = []
  private var isStalled = false
  /// What follows changes for which there is no room yet.
  private var held: [Follower] = []
  private var heldRecipients: Set<Follower.Recipient> = []
  /// The store's error.
  private var error: String?

  init(limit: Int) { self.limit = limit }

  mutating func setError(_ error: String?) { self.error = error }

  var hasRoom: Bool { self.weight < self.limit }

  /// Whether all changes are committed.
  var isEmpty: Bool { self.batches.isEmpty }

  /// Why no change can be taken now; `nil`: it can.
  var denial: String? {
    if let error { return error }
    if self.isStalled { return "the disk has taken nothing for \(DiskTimeout.registration.components.seconds) s" }
    return self.hasRoom ? nil : "the disk does not keep up with what is to be kept"
  }

  /// When to call `overdue`.
  var nextDeadline: Instant? { self.waiters.first.map { $0.since + DiskTimeout.registration } }

  /// The calls that are answered after a commit.
  var waitingCalls: [CallID] { self.waiters.compactMap(\.call) }

  /// How many notifications of a client wait until something is stored.
  func waitingNotifications(of client: ClientID) -> Int {
    func count(_ followers: [Follower]) -> Int {
      followers.count { if case .notify(client, _) = $0 { true } else { false } }
    }
    return self.batches.reduce(count(self.held)) { $0 + count($1.then) }
  }

  /// Adds changes and what follows them. Returns the number with which the store reports the commit.
  mutating func add(_ changes: [StoreChange], then: [Follower], now: Instant) -> UInt64 {
    self.newest += 1
    let weight = changes.reduce(0) { $0 + $1.weight }
    self.weight += weight
    self.batches.append(Batch(number: self.newest, weight: weight, then: then))
    self.wait(for: then, number: self.newest, now: now)
    return self.newest
  }

  /// Adds what follows all changes on their way; there are some.
  mutating func append(_ then: [Follower], now: Instant) {
    self.batches.append(Batch(number: self.newest, weight: 0, then: then))
    self.wait(for: then, number: self.newest, now: now)
  }

  /// Adds what follows changes for which there is no room yet.
  mutating func hold(_ then: [Follower], now: Instant) {
    self.held += then
    self.heldRecipients.formUnion(then.compactMap(\.recipient))
    self.wait(for: then, number: nil, now: now)
  }

  /// Also holds back what is for recipients for whom earlier ones are held back: otherwise they would be out of order,
  /// and a client that gets a later event assumes that it has had the earlier ones.
  ///
  /// - Returns: The others.
  mutating func holdFollowers(of then: [Follower], now: Instant) -> [Follower] {
    guard !self.held.isEmpty else { return then }
    let recipients = self.heldRecipients
    func follows(_ follower: Follower) -> Bool { follower.recipient.map { recipients.contains($0) } ?? false }
    self.hold(then.filter(follows), now: now)
    return then.filter { !follows($0) }
  }

  /// What was held back, to follow changes that are added now.
  mutating func takeHeld() -> [Follower] {
    defer { (self.held, self.heldRecipients) = ([], []) }
    self.waiters.removeAll { $0.number == nil }
    return self.unexpired(self.held)
  }

  /// All changes up to this number are committed, or never will be; the reason is for people.
  ///
  /// - Returns: What follows now.
  mutating func stored(_ number: UInt64) -> [Follower] {
    var followers: [Follower] = []
    while let first = self.batches.first, first.number <= number {
      self.batches.removeFirst()
      self.weight -= first.weight
      followers += first.then
    }
    // A slice would keep the removed elements in memory.
    if self.batches.isEmpty { self.batches = [] }
    self.isStalled = false
    self.waiters.removeAll { $0.number.map { $0 <= number } ?? false }
    return self.unexpired(followers)
  }

  /// The calls that have waited for too long; they are answered now, and not again.
  mutating func overdue(now: Instant) -> [CallID] {
    let late = self.waiters.prefix { $0.since + DiskTimeout.registration <= now }
    guard !late.isEmpty else { return [] }
    self.isStalled = true
    self.waiters.removeFirst(late.count)
    self.expired.formUnion(late.compactMap(\.call))
    return late.compactMap(\.call)
  }

  /// The disk could not be written for so long.
  mutating func putOff(by gap: Duration) {
    for place in self.waiters.indices { self.waiters[place].since = self.waiters[place].since + gap }
  }

  /// The client is not sent the rest of a name's events.
  ///
  /// - Returns: How many lost events it would have been notified of.
  mutating func dropDeliveries(of name: String, to client: ClientID) -> Int {
    var lost = 0
    func isLeft(_ follower: Follower) -> Bool {
      switch follower {
      case .notify(client, .durable(name: name, _)): return false
      case .notify(client, .durableOverflow(name: name, let dropped)):
        lost += dropped
        return false
      case .notify, .answer, .reportWhenTaken, .startUnit, .count: return true
      }
    }
    self.keep(isLeft)
    return lost
  }

  /// Takes the reduced fixes, which wait for nothing any more.
  mutating func takeReducedFixes() -> [AwaitedChange] {
    var taken: [AwaitedChange] = []
    for place in self.batches.indices { taken += self.batches[place].then.takeReducedFixes() }
    return taken + self.held.takeReducedFixes()
  }

  /// Whether a change has yet to be stored to count.
  var awaitsChanges: Bool {
    func awaits(_ followers: [Follower]) -> Bool {
      followers.contains { if case .count = $0 { true } else { false } }
    }
    return awaits(self.held) || self.batches.contains { awaits($0.then) }
  }

  /// Drops the other followers.
  private mutating func keep(_ isLeft: (Follower) -> Bool) {
    for place in self.batches.indices { self.batches[place].then = self.batches[place].then.filter(isLeft) }
    self.held = self.held.filter(isLeft)
  }

  private mutating func wait(for followers: [Follower], number: UInt64?, now: Instant) {
    for follower in followers {
      switch follower {
      case .answer(let call, _): self.waiters.append(Waiter(call: call, since: now, number: number))
      case .count: self.waiters.append(Waiter(call: nil, since: now, number: number))
      case .notify, .reportWhenTaken, .startUnit: break
      }
    }
  }

  private mutating func unexpired(_ followers: [Follower]) -> [Follower] {
    guard !self.expired.isEmpty else { return followers }
    return followers.filter { follower in
      guard case .answer(let call, _) = follower else { return true }
      return self.expired.remove(call) == nil
    }
  }
}
