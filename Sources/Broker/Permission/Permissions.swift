import Positioning

/// The decisions of persons and administrators: those in force, and those that wait for the store.
///
/// A denial takes effect at once, stored or not, and is stored as soon as possible. A grant takes effect once it is on
/// the disk. If the store has an error, or takes longer than `DiskTimeout.permission`, the grant is taken back and the call
/// fails. A confirmation that comes after a later decision changes nothing. `Commits` has who waits for a decision.
struct Permissions: Sendable {
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

    var call: CallID? {
      switch self {
      case .grant(let asker, _): asker.id
      case .enabled(let asker, _, _): asker.id
      case .prompt: nil
      }
    }
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
  enum Effect: Hashable, Sendable {
    /// Store it, and report `confirmed` with the decision.
    case store(StoreChange, PendingDecision)
    /// Another decision is in force now.
    case changed(Subject)
    case settled(Waiter, Outcome)
    /// Another decision was made: nobody waits any more for earlier answers of a person about the user.
    case overtaken(UInt32, before: UInt64)
  }

  /// The decision for users without one.
  private var fallback: AccessPolicy.Fallback
  /// Why the master switch is off though nobody turned it off: earlier decisions could not be read.
  private(set) var unread: String?
  private var users: [UInt32: PendingDecisions<Decision?>]
  private var masterSwitch: PendingDecisions<Bool>
  /// The number of the last decision.
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
  mutating func restore(_ decisions: [UInt32: Decision], isOn: Bool, unread: String?) -> [Effect] {
    let users = Set(self.users.keys).union(decisions.keys).sorted()
    let effects = users.flatMap { uid in
      self.change(.user(uid)) { $0.users[uid, default: PendingDecisions(nil)].restore(decisions[uid]) }
    }
    return effects
      + self.change(.masterSwitch) { permissions in
        permissions.unread = unread
        permissions.masterSwitch.restore(isOn && unread == nil)
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
  var switchChange: StoreChange { self.switchChange(self.masterSwitch.newest) }

  /// All effective decisions, by number.
  var grants: [Grant] {
    self.users.keys.sorted().compactMap { uid in
      guard let pending = self.users[uid], let decision = pending.counted(self.narrowed) else { return nil }
      return Grant(uid: uid, decision: decision, isStored: pending.isSettled)
    }
  }

  var decidedUsers: Set<UInt32> { Set(self.grants.map(\.uid)) }

  // MARK: Decisions

  /// - Parameter decision: `nil`: the decision is removed, and the fallback applies.
  mutating func decide(_ decision: Decision?, for uid: UInt32, _ waiter: Waiter?) -> [Effect] {
    let before = self.decision(for: uid)
    let rest = self.narrowed(before, decision)
    if let error, rest != decision {
      let effects = rest == before ? [] : self.submit(rest, for: uid)
      return effects + [.overtaken(uid, before: self.newest + 1)] + Self.settled(waiter, .refused(error))
    }
    let effects = self.submit(decision, for: uid, self.mayWait(waiter))
    return effects + [.overtaken(uid, before: self.newest)] + self.unawaited(waiter, counts: rest == decision)
  }

  mutating func turn(on isOn: Bool, _ waiter: Waiter?) -> [Effect] {
    let countsAtOnce = !isOn || self.isSwitchedOn
    if let error, !countsAtOnce {
      guard self.unread != nil else { return Self.settled(waiter, .refused(error)) }
      // The switch was off only because decisions could not be read. The administrator's decision counts now, and the
      // next start is off again.
      return self.change(.masterSwitch) { permissions in
        permissions.unread = nil
        permissions.masterSwitch = PendingDecisions(true)
      } + Self.settled(waiter, .counts)
    }
    self.newest += 1
    let number = self.newest
    let effects = self.change(.masterSwitch) { $0.masterSwitch.decide(isOn, number: number) }
    return effects + [self.storing(isOn, self.mayWait(waiter))] + self.unawaited(waiter, counts: countsAtOnce)
  }

  /// The number belongs to another user: the decision belongs to nobody.
  mutating func forget(_ uid: UInt32) -> [Effect] {
    guard self.users[uid] != nil else { return [] }
    let effects = self.change(.user(uid)) { $0.users[uid] = PendingDecisions(nil) }
    return effects + self.submit(nil, for: uid) + [.overtaken(uid, before: self.newest)]
  }

  // MARK: The store

  /// - Parameter error: Why it is not stored; `nil`: it is on the disk.
  mutating func confirmed(_ pending: PendingDecision, error: String?) -> [Effect] {
    if let error { return self.fail(pending, error, isSubmitted: false) }
    let effects = self.change(pending.subject) { permissions in
      switch pending.subject {
      case .user(let uid):
        permissions.users[uid]?.confirm(pending.number)
        if permissions.users[uid]?.isSettled == true, permissions.decision(for: uid) == nil {
          permissions.users[uid] = nil
        }
      case .masterSwitch:
        permissions.masterSwitch.confirm(pending.number)
        if permissions.isSwitchedOn { permissions.unread = nil }
      }
    }
    return effects + Self.settled(pending.waiter, .stored)
  }

  /// The store has an error, so no call waits for it. Or it works again, and gets what it rejected.
  ///
  /// - Parameter awaited: The decisions that somebody waits for.
  mutating func storeChanged(error: String?, awaited: [PendingDecision]) -> [Effect] {
    self.error = error
    if let error { return self.giveUp(awaited, error) }
    return self.resubmit(.masterSwitch) + self.users.keys.sorted().flatMap { self.resubmit(.user($0)) }
  }

  /// Calls that have waited long enough are answered.
  mutating func giveUp(_ awaited: [PendingDecision]) -> [Effect] {
    self.giveUp(awaited, "the disk takes longer than \(DiskTimeout.permission.components.seconds) s")
  }

  private mutating func giveUp(_ awaited: [PendingDecision], _ error: String) -> [Effect] {
    awaited.flatMap { self.fail($0, error, isSubmitted: true) + self.resubmit($0.subject) }
  }

  /// - Parameter isSubmitted: Whether the store may still commit it.
  private mutating func fail(_ pending: PendingDecision, _ error: String, isSubmitted: Bool) -> [Effect] {
    let outcome: Outcome
    switch pending.subject {
    case .user(let uid):
      let narrow = { [fallback] in Self.narrowed($0, $1, fallback) }
      outcome = self.users[uid]?.fail(pending.number, error, isSubmitted: isSubmitted, narrow) ?? .overtaken
    case .masterSwitch:
      outcome = self.masterSwitch.fail(pending.number, error, isSubmitted: isSubmitted) { $0 && $1 }
    }
    return Self.settled(pending.waiter, outcome)
  }

  // MARK: Effects

  private mutating func submit(_ decision: Decision?, for uid: UInt32, _ waiter: Waiter? = nil) -> [Effect] {
    self.newest += 1
    let number = self.newest
    let effects = self.change(.user(uid)) {
      $0.users[uid, default: PendingDecisions(nil)].decide(decision, number: number)
    }
    return effects + [self.storing(decision, for: uid, waiter)]
  }

  /// The newest decision, if the store does not have it.
  private mutating func resubmit(_ subject: Subject) -> [Effect] {
    let number = self.newest + 1
    switch subject {
    case .user(let uid):
      guard let decision = self.users[uid]?.resubmit(number: number) else { return [] }
      self.newest = number
      return [self.storing(decision, for: uid)]
    case .masterSwitch:
      guard let isOn = self.masterSwitch.resubmit(number: number) else { return [] }
      self.newest = number
      return [self.storing(isOn)]
    }
  }

  /// Stores the newest decision.
  private func storing(_ decision: Decision?, for uid: UInt32, _ waiter: Waiter? = nil) -> Effect {
    .store(
      decision.map { .putDecision(uid, $0) } ?? .removeDecision(uid),
      PendingDecision(subject: .user(uid), number: self.newest, waiter: waiter))
  }

  private func storing(_ isOn: Bool, _ waiter: Waiter? = nil) -> Effect {
    .store(
      self.switchChange(isOn), PendingDecision(subject: .masterSwitch, number: self.newest, waiter: waiter))
  }

  /// The reason is kept until the switch is on: a start with the switch off reports it again.
  private func switchChange(_ isOn: Bool) -> StoreChange { .putEnabled(isOn, unread: isOn ? nil : self.unread) }

  private mutating func change(_ subject: Subject, _ body: (inout Permissions) -> Void) -> [Effect] {
    let before = self
    body(&self)
    let isSame =
      switch subject {
      case .user(let uid): before.decision(for: uid) == self.decision(for: uid)
      case .masterSwitch: before.isSwitchedOn == self.isSwitchedOn && before.unread == self.unread
      }
    return isSame ? [] : [.changed(subject)]
  }

  /// Whoever waits for a decision is answered at once while the store has an error.
  private func mayWait(_ waiter: Waiter?) -> Waiter? { self.error == nil ? waiter : nil }

  /// Only decisions in force come here while the store has an error.
  private func unawaited(_ waiter: Waiter?, counts: Bool) -> [Effect] {
    self.error == nil ? [] : Self.settled(waiter, counts ? .counts : .overtaken)
  }

  private static func settled(_ waiter: Waiter?, _ outcome: Outcome) -> [Effect] {
    waiter.map { [.settled($0, outcome)] } ?? []
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

/// All decisions about one thing since the last one that the store has confirmed, oldest first.
///
/// The value in force is computed from all of them: the confirmed value, restricted by each waiting decision. So a
/// denial takes effect at once, a grant once it is confirmed, and a late confirmation undoes no later decision.
struct PendingDecisions<Value: Hashable & Sendable>: Sendable {
  /// The first value, as far as the second restricts it; or the second, if it grants nothing.
  typealias Narrowing = (Value, Value) -> Value

  private struct Entry: Hashable, Sendable {
    var number: UInt64
    var value: Value
    /// Whether the store has it, or will; a rejected decision is given to it again.
    var isSubmitted: Bool
  }

  /// The last confirmed value.
  private var confirmed: Value
  private var waiting: [Entry] = []

  init(_ confirmed: Value) { self.confirmed = confirmed }

  /// The confirmed value is known only now; what was decided meanwhile stays.
  mutating func restore(_ confirmed: Value) { self.confirmed = confirmed }

  /// The value in force.
  func counted(_ narrow: Narrowing) -> Value { self.counted(before: self.waiting.endIndex, narrow) }

  /// The last decision, in force or not.
  var newest: Value { self.waiting.last?.value ?? self.confirmed }

  /// Whether all decisions are confirmed.
  var isSettled: Bool { self.waiting.isEmpty }

  /// Whether it is the last decision.
  func isNewest(_ number: UInt64) -> Bool { self.waiting.last?.number == number }

  /// Whether it only restricts, so that it is in force while it waits.
  func countsAlready(_ number: UInt64, _ narrow: Narrowing) -> Bool {
    guard let place = self.place(of: number) else { return false }
    return self.counted(before: place + 1, narrow) == self.waiting[place].value
  }

  mutating func decide(_ value: Value, number: UInt64) {
    self.waiting.append(Entry(number: number, value: value, isSubmitted: true))
  }

  /// The decision is on the disk. Earlier ones have no effect any more; later ones are applied as before.
  mutating func confirm(_ number: UInt64) {
    guard let place = self.place(of: number) else { return }
    self.confirmed = self.waiting[place].value
    self.waiting.removeFirst(place + 1)
  }

  /// The store has rejected it.
  mutating func refused(_ number: UInt64) {
    if let place = self.place(of: number) { self.waiting[place].isSubmitted = false }
  }

  /// Removes what a decision grants; what it denies stays.
  ///
  /// - Parameter isSubmitted: Whether the store may still commit it, so that it must be corrected there.
  mutating func undo(_ number: UInt64, isSubmitted: Bool, _ narrow: Narrowing) {
    guard let place = self.place(of: number) else { return }
    let before = self.counted(before: place, narrow)
    let rest = narrow(before, self.waiting[place].value)
    guard rest != before || (isSubmitted && self.isNewest(number)) else {
      self.waiting.remove(at: place)
      return
    }
    self.waiting[place].value = rest
    self.waiting[place].isSubmitted = false
  }

  /// Gives the newest decision to the store with another number, if the store does not have it; returns its value.
  mutating func resubmit(number: UInt64) -> Value? {
    guard var last = self.waiting.popLast() else { return nil }
    defer { self.waiting.append(last) }
    guard !last.isSubmitted else { return nil }
    last.number = number
    last.isSubmitted = true
    return last.value
  }

  private func counted(before end: Int, _ narrow: Narrowing) -> Value {
    self.waiting[..<end].reduce(self.confirmed) { narrow($0, $1.value) }
  }

  private func place(of number: UInt64) -> Int? { self.waiting.firstIndex { $0.number == number } }
}

extension PendingDecisions {
  /// The state of a decision that the store has not committed.
  fileprivate mutating func fail(
    _ number: UInt64, _ error: String, isSubmitted: Bool, _ narrow: Narrowing
  ) -> Permissions.Outcome {
    if self.countsAlready(number, narrow) {
      if !isSubmitted { self.refused(number) }
      return .counts
    }
    let isNewest = self.isNewest(number)
    self.undo(number, isSubmitted: isSubmitted, narrow)
    return isNewest ? .refused(error) : .overtaken
  }
}
