import Positioning

/// How changes are committed to the store.
extension BrokerParts {
  /// Stores waiting changes as far as there is room, and what follows from them.
  ///
  /// - Parameter slice: The most of them; `nil`: as the settings say.
  mutating func catchUp(slice: Int? = nil, _ turn: inout Turn) {
    guard self.commits.canCatchUp else { return }
    let slice = slice ?? self.settings.catchUpSlice
    var states: [StoreChange] = []
    var weight = 0
    var written: Set<StoreSubject> = []
    while weight < slice, let subject = self.commits.takeOwed() {
      if case .name(let id) = subject {
        self.deliver(id, &turn)
        self.wake(id, &turn)
      }
      guard let state = self.state(of: subject) else { continue }
      weight += state.weight
      states.append(state)
      written.insert(subject)
    }
    // The name's state includes the changes of this turn.
    turn.catchUp(states, after: self.commits.takeHeld()) { change in
      if case .name = change.subject { written.contains(change.subject) } else { false }
    }
  }

  /// The current state of the thing.
  private func state(of subject: StoreSubject) -> StoreChange? {
    switch subject {
    case .name(let id): self.names[id].map { .replaceName(self.kept($0)) } ?? .removeName(id)
    case .visitMemory: .putVisitMemory(self.visits.snapshot)
    case .decision(let uid):
      self.permissions.newestDecision(for: uid).map { .putDecision(uid, $0) } ?? .removeDecision(uid)
    case .enabled: self.permissions.switchChange
    case .fuzzer: .putFuzzer(self.feeds.fuzzer)
    case .receiver: .putReceiver(self.demand.memory)
    case .wakeStart(let target):
      self.names.wakeStarts[target].map { .putWakeStart(target, $0) } ?? .removeWakeStart(target)
    // The receiver's rung stores that, past the broker.
    case .stoppedReceiver: nil
    }
  }

  func kept(_ name: DurableName) -> StoredName {
    var stored = StoredName(id: name.id, user: name.user, wake: name.wake)
    stored.feed = name.keptFeed
    stored.regions = self.feeds.stored(of: name.holder, seeing: name.feed)
    stored.position = self.subscriptions.position(name.position)?.stored
    stored.hasVisits = self.subscriptions[name.visits] != nil
    stored.events = Array(name.inbox.events)
    stored.lastEvent = name.inbox.lastEvent
    stored.dropped = name.inbox.dropped
    return stored
  }

  /// A batch is committed, or will never be; the reason is for people.
  mutating func stored(_ number: UInt64, error: String?, _ turn: inout Turn) {
    for follower in self.commits.stored(number) { self.follow(follower, error: error, &turn) }
  }

  /// Does what follows a commit, as far as it is still due: permissions may have changed, and clients may have left.
  ///
  /// If nothing was stored, calls fail, and events of durable names are not sent, since they could be out of order and be
  /// acknowledged together with earlier ones. They stay in the inbox.
  private mutating func follow(_ follower: Follower, error: String?, _ turn: inout Turn) {
    switch follower {
    case .answer(let call, let answer):
      if let error { return turn.fail(call, .notStored(error)) }
      let limit = self.clients[call.client].map { self.limit($0.access) }
      if let limit, !limit.allows(answer.sensitivity) { return turn.fail(call, limit.denial) }
      turn.act(.answer(call, answer))
    case .notify(let client, let notification):
      guard error == nil, let limit = self.clients[client].map({ self.limit($0.access) }),
        limit.allows(notification.sensitivity)
      else { return }
      turn.notify(client, notification)
    case .reportWhenTaken(let client): turn.act(.reportWhenTaken(client))
    case .startUnit(let unit, let id):
      if error == nil, self.takeStart(of: unit, for: id, &turn) { turn.act(.startUnit(unit, for: id)) }
    case .count(let awaited): self.count(awaited, error: error, &turn)
    }
  }

  /// The disk takes too long.
  mutating func answerOverdue(_ turn: inout Turn) {
    let reason = "the disk has not taken it in \(DiskTimeout.registration.components.seconds) s, and may do so later"
    for call in self.commits.overdue(now: turn.now) { turn.fail(call, .notStored(reason)) }
  }

  // MARK: Changes that count once they are stored

  /// - Parameter error: Why it is not stored; `nil`: it is on the disk.
  private mutating func count(_ awaited: AwaitedChange, error: String?, _ turn: inout Turn) {
    switch awaited {
    case .reducedFix(let reduced, of: let fix, let kept, let epoch):
      let (shown, correction) = self.feeds.confirmed(reduced, of: fix, kept: kept, isKept: error == nil)
      if let correction { turn.store(correction) }
      self.show(shown, epoch: epoch, to: .reduced, &turn)
    case .permission(let number): self.carryOut(self.permissions.confirmed(number, error: error), &turn)
    }
  }

  /// A reduced fix is delivered once it is stored; if nothing can be stored, it is delivered anyway. The log says so
  /// already.
  mutating func releaseReducedFixes(_ turn: inout Turn) {
    guard let error = self.commits.denial else { return }
    let released = self.commits.takeReducedFixes() + turn.takeReducedFixes()
    for awaited in released { self.count(awaited, error: error, &turn) }
  }
}
