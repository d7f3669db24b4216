import Positioning

/// The decisions of persons and administrators: those in force, those that wait for the store, and the calls that wait
/// for that.
///
/// A denial takes effect at once, stored or not, and is stored as soon as possible. A grant takes effect once it is on
/// the disk. If the store has an error, or takes longer than `DiskTimeout.permission`, the grant is taken back and the call fails. A
/// confirmation that comes after a later decision changes nothing.
struct PermissionBook: Sendable {
  private static let slowDisk = "the disk takes longer than \(DiskTimeout.permission.components.seconds) s"

  enum Subject: Hashable, Sendable {
    case user(UInt32)
    case masterSwitch
  }

  /// A call that waits for a decision to be on the disk.
  enum Waiter: Hashable, Sendable {
    case grant(Asker<Grant>, Grant)
    /// `unread`: why earlier decisions were unknown, if the switch was off because of that.
    case enabled(Asker<SwitchAnswer>, Bool, unread: String? = nil)
    /// Calls of the user's clients that wait for a person's answer.
    case prompt(UInt32, Decision)
  }

  enum Outcome: Hashable, Sendable {
    case stored
    /// It is in force, but not yet on the disk.
    case counts
    /// It could not be stored, and is not in force.
    case refused(String)
    /// Another decision was made meanwhile.
    case overtaken
  }

  /// The effects of an event, in this order.
  enum Step: Hashable, Sendable {
    /// Store it, and report `confirmed` with the number.
    case store(StoreChange, UInt64)
    /// Another decision is in force now.
    case changed(Subject)
    case settled(Waiter, Outcome)
  }

  /// The decision for users without one.
  private var fallback: AccessPolicy.Fallback
  /// Why the master switch is off though nobody turned it off: earlier decisions could not be read.
  private(set) var unread: String?
  private var users: [UInt32: PendingDecisions<Decision?>]
  private var masterSwitch: PendingDecisions<Bool>
  /// What each number at the store is about.
  private var subjects: [UInt64: Subject] = [:]
  private var waits: [UInt64: Waiter] = [:]
  private var deadlines = DeadlineQueue<UInt64>()
  private var newest: UInt64 = 0
  private var error: String?

  init(decisions: [UInt32: Decision] = [:], isOn: Bool = true, unread: String? = nil, fallback: AccessPolicy.Fallback) {
    self.users = decisions.mapValues { PendingDecisions($0) }
    self.unread = unread
    // Unreadable decisions may have been denials, so nothing may be granted.
    self.masterSwitch = PendingDecisions(isOn && unread == nil)
    self.fallback = fallback
  }

  /// What was stored is known only now; what was decided meanwhile stays.
  mutating func restore(_ decisions: [UInt32: Decision], isOn: Bool, unread: String?) -> [Step] {
    let users = Set(self.users.keys).union(decisions.keys).sorted()
    let steps = users.flatMap { uid in
      self.change(.user(uid)) { $0.users[uid, default: PendingDecisions(nil)].restore(decisions[uid]) }
    }
    return steps
      + self.change(.masterSwitch) { book in
        book.unread = unread
        book.masterSwitch.restore(isOn && unread == nil)
      }
  }

  /// The administrator changed the default for users without a decision.
  mutating func change(_ fallback: AccessPolicy.Fallback) { self.fallback = fallback }

  // MARK: In force

  var isSwitchedOn: Bool { self.masterSwitch.counted { $0 && $1 } }

  func decision(for uid: UInt32) -> Decision? { self.users[uid]?.counted(self.narrowed) ?? nil }

  /// The last decision, which may wait for the store; it can be taken back nevertheless.
  func newestDecision(for uid: UInt32) -> Decision? { self.users[uid]?.newest ?? nil }

  /// Stores the last position of the master switch.
  var switchChange: StoreChange { self.storing(self.masterSwitch.newest) }

  /// All effective decisions, by number.
  var grants: [Grant] {
    self.users.keys.sorted().compactMap { uid in
      guard let pending = self.users[uid], let decision = pending.counted(self.narrowed) else { return nil }
      return Grant(uid: uid, decision: decision, isStored: pending.isSettled)
    }
  }

  /// The calls that are answered once something is on the disk, or cannot be stored.
  var waitingCalls: [CallID] {
    self.waits.values.compactMap { waiter in
      switch waiter {
      case .grant(let asker, _): asker.id
      case .enabled(let asker, _, _): asker.id
      case .prompt: nil
      }
    }
  }

  var decidedUsers: Set<UInt32> { Set(self.grants.map(\.uid)) }

  /// When a call has waited long enough.
  var nextDeadline: Instant? { self.deadlines.next }

  // MARK: Decisions

  /// - Parameter decision: `nil`: the decision is removed, and the fallback applies.
  mutating func decide(_ decision: Decision?, for uid: UInt32, _ waiter: Waiter?, now: Instant) -> [Step] {
    let before = self.decision(for: uid)
    let rest = self.narrowed(before, decision)
    let overtaken = self.overtake(.user(uid))
    if let error, rest != decision {
      let steps = rest == before ? [] : self.submit(rest, for: uid)
      return steps + overtaken + Self.settled(waiter, .refused(error))
    }
    let steps = self.submit(decision, for: uid)
    return steps + overtaken + self.wait(waiter, counts: rest == decision, now: now)
  }

  mutating func turn(on isOn: Bool, _ waiter: Waiter?, now: Instant) -> [Step] {
    let countsAtOnce = !isOn || self.isSwitchedOn
    if let error, !countsAtOnce {
      guard self.unread != nil else { return Self.settled(waiter, .refused(error)) }
      // The switch was off only because decisions could not be read. The administrator's decision counts now, and the
      // next start is off again.
      return self.change(.masterSwitch) { book in
        book.unread = nil
        book.masterSwitch = PendingDecisions(true)
      } + Self.settled(waiter, .counts)
    }
    let number = self.number(for: .masterSwitch)
    let steps = self.change(.masterSwitch) { $0.masterSwitch.decide(isOn, number: number) }
    return steps + [.store(self.storing(isOn), number)] + self.wait(waiter, counts: countsAtOnce, now: now)
  }

  /// The number belongs to another user: the decision belongs to nobody.
  mutating func forget(_ uid: UInt32) -> [Step] {
    guard self.users[uid] != nil else { return [] }
    let steps = self.change(.user(uid)) { $0.users[uid] = PendingDecisions(nil) }
    let overtaken = self.overtake(.user(uid))
    return steps + self.submit(nil, for: uid) + overtaken
  }

  // MARK: The store

  /// - Parameter error: Why it is not stored; `nil`: it is on the disk.
  mutating func confirmed(_ number: UInt64, error: String?) -> [Step] {
    guard let subject = self.subjects.removeValue(forKey: number) else { return [] }
    if let error { return self.fail(number, subject, error, isSubmitted: false) }
    let steps = self.change(subject) { book in
      switch subject {
      case .user(let uid):
        book.users[uid]?.confirm(number)
        if book.users[uid]?.isSettled == true, book.decision(for: uid) == nil { book.users[uid] = nil }
      case .masterSwitch:
        book.masterSwitch.confirm(number)
        if book.isSwitchedOn { book.unread = nil }
      }
    }
    return steps + self.settle(number, .stored)
  }

  /// The store has an error, so no call waits for it. Or it works again, and gets what it rejected.
  mutating func storeChanged(error: String?) -> [Step] {
    self.error = error
    if let error { return self.giveUp(self.waits.keys.sorted(), error) }
    return self.resubmit(.masterSwitch) + self.users.keys.sorted().flatMap { self.resubmit(.user($0)) }
  }

  /// The disk could not be written for so long.
  mutating func putOff(by gap: Duration) { self.deadlines.putOff(by: gap) }

  /// Calls that have waited long enough are answered.
  mutating func deadlineReached(now: Instant) -> [Step] {
    var late: [UInt64] = []
    while let number = self.deadlines.popDue(now: now) { late.append(number) }
    return self.giveUp(late, Self.slowDisk)
  }

  private mutating func giveUp(_ numbers: [UInt64], _ error: String) -> [Step] {
    numbers.flatMap { number -> [Step] in
      guard let subject = self.subjects[number] else { return [] }
      return self.fail(number, subject, error, isSubmitted: true) + self.resubmit(subject)
    }
  }

  /// - Parameter isSubmitted: Whether the store may still commit it.
  private mutating func fail(_ number: UInt64, _ subject: Subject, _ error: String, isSubmitted: Bool) -> [Step] {
    let outcome: Outcome
    switch subject {
    case .user(let uid):
      let narrow = { [fallback] in Self.narrowed($0, $1, fallback) }
      outcome = self.users[uid]?.fail(number, error, isSubmitted: isSubmitted, narrow) ?? .overtaken
    case .masterSwitch:
      outcome = self.masterSwitch.fail(number, error, isSubmitted: isSubmitted) { $0 && $1 }
    }
    return self.settle(number, outcome)
  }

  // MARK: Steps

  private mutating func number(for subject: Subject) -> UInt64 {
    self.newest += 1
    self.subjects[self.newest] = subject
    return self.newest
  }

  private mutating func submit(_ decision: Decision?, for uid: UInt32) -> [Step] {
    let number = self.number(for: .user(uid))
    let steps = self.change(.user(uid)) {
      $0.users[uid, default: PendingDecisions(nil)].decide(decision, number: number)
    }
    return steps + [.store(Self.storing(decision, for: uid), number)]
  }

  /// The newest decision, if the store does not have it.
  private mutating func resubmit(_ subject: Subject) -> [Step] {
    let number = self.newest + 1
    let change: StoreChange
    switch subject {
    case .user(let uid):
      guard let decision = self.users[uid]?.resubmit(number: number) else { return [] }
      change = Self.storing(decision, for: uid)
    case .masterSwitch:
      guard let isOn = self.masterSwitch.resubmit(number: number) else { return [] }
      change = self.storing(isOn)
    }
    return [.store(change, self.number(for: subject))]
  }

  /// The reason is kept until the switch is on: a start with the switch off reports it again.
  private func storing(_ isOn: Bool) -> StoreChange { .putEnabled(isOn, unread: isOn ? nil : self.unread) }

  private static func storing(_ decision: Decision?, for uid: UInt32) -> StoreChange {
    decision.map { .putDecision(uid, $0) } ?? .removeDecision(uid)
  }

  private mutating func change(_ subject: Subject, _ body: (inout PermissionBook) -> Void) -> [Step] {
    let before = self
    body(&self)
    let isSame =
      switch subject {
      case .user(let uid): before.decision(for: uid) == self.decision(for: uid)
      case .masterSwitch: before.isSwitchedOn == self.isSwitchedOn && before.unread == self.unread
      }
    return isSame ? [] : [.changed(subject)]
  }

  /// A call waits for the change that was given to the store last.
  private mutating func wait(_ waiter: Waiter?, counts: Bool, now: Instant) -> [Step] {
    guard let waiter else { return [] }
    // Only decisions in force come here while the store has an error.
    if self.error != nil { return [.settled(waiter, counts ? .counts : .overtaken)] }
    self.waits[self.newest] = waiter
    self.deadlines.set(now + DiskTimeout.permission, for: self.newest)
    return []
  }

  private mutating func settle(_ number: UInt64, _ outcome: Outcome) -> [Step] {
    self.deadlines.set(nil, for: number)
    return Self.settled(self.waits.removeValue(forKey: number), outcome)
  }

  private static func settled(_ waiter: Waiter?, _ outcome: Outcome) -> [Step] {
    waiter.map { [.settled($0, outcome)] } ?? []
  }

  /// A person's answer that waits for the store is not in force any more; an administrator's call is answered anyway.
  private mutating func overtake(_ subject: Subject) -> [Step] {
    self.waits.keys.sorted().flatMap { number -> [Step] in
      guard self.subjects[number] == subject, case .prompt? = self.waits[number] else { return [] }
      return self.settle(number, .overtaken)
    }
  }

  // MARK: Restricting

  private func narrowed(_ old: Decision?, _ new: Decision?) -> Decision? { Self.narrowed(old, new, self.fallback) }

  /// The first decision, as far as the second restricts it; or the second, if it grants nothing.
  private static func narrowed(_ old: Decision?, _ new: Decision?, _ fallback: AccessPolicy.Fallback) -> Decision? {
    let (before, after) = (Permission(old, fallback), Permission(new, fallback))
    if after.isWithin(before) { return new }
    if before.isWithin(after) { return old }
    guard var rest = new ?? old, let least = before.least(after) else { return old }
    (rest.level, rest.precision) = (least.level, least.precision)
    return rest
  }
}

/// The permission of a user by a decision, or by the fallback without one. `level` `nil`: nothing.
private struct Permission {
  var level: AuthorizationLevel?
  var precision: Precision

  init(_ decision: Decision?, _ fallback: AccessPolicy.Fallback) {
    if let decision {
      (self.level, self.precision) = (decision.level, decision.precision)
      return
    }
    switch fallback {
    case .allow: (self.level, self.precision) = (.always, .precise)
    case .reduced: (self.level, self.precision) = (.always, .reduced)
    case .ask, .deny: (self.level, self.precision) = (nil, .reduced)
    }
  }

  func isWithin(_ other: Permission) -> Bool {
    guard let level else { return true }
    guard let most = other.level else { return false }
    return level <= most && self.precision <= other.precision
  }

  func least(_ other: Permission) -> (level: AuthorizationLevel, precision: Precision)? {
    guard let level, let most = other.level else { return nil }
    return (min(level, most), min(self.precision, other.precision))
  }
}

extension PendingDecisions {
  /// The state of a decision that the store has not committed.
  fileprivate mutating func fail(
    _ number: UInt64, _ error: String, isSubmitted: Bool, _ narrow: Narrowing
  ) -> PermissionBook.Outcome {
    if self.countsAlready(number, narrow) {
      if !isSubmitted { self.refused(number) }
      return .counts
    }
    let isNewest = self.isNewest(number)
    self.undo(number, isSubmitted: isSubmitted, narrow)
    return isNewest ? .refused(error) : .overtaken
  }
}
