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

  /// A batch is committed, or will never be.
  mutating func stored(_ number: UInt64, error: String?, _ turn: inout Turn) {
    for action in self.commits.stored(number, error: error) {
      if let action = self.timely(action, &turn) { turn.act(action) }
    }
  }

  /// What is left of an action after the commit, since permissions may have changed and clients may have left.
  private mutating func timely(_ action: Action, _ turn: inout Turn) -> Action? {
    switch action {
    case .startUnit(let unit, let id): return self.takeStart(of: unit, for: id, &turn) ? action : nil
    case .notify(let client, let notification):
      guard let limit = self.clients[client].map({ self.limit($0.access) }) else { return nil }
      return limit.allows(notification.sensitivity) ? action : nil
    case .answer(let call, let answer):
      guard let limit = self.clients[call.client].map({ self.limit($0.access) }),
        !limit.allows(answer.sensitivity)
      else { return action }
      return .answer(call, .failed(limit.denial))
    case .setReceiver, .setDeadline, .store, .reportWhenTaken, .confirm, .clear, .ask, .withdraw, .inUse, .end, .log:
      return action
    }
  }

  /// The disk takes too long.
  mutating func answerOverdue(_ turn: inout Turn) {
    let reason = "the disk has not taken it in \(CommitLedger.patience.components.seconds) s, and may do so later"
    for call in self.commits.overdue(now: turn.now) { turn.answer(call, .failed(.notStored(reason))) }
  }

  // MARK: Changes that count once they are stored

  mutating func confirmed(_ number: UInt64, error: String?, _ turn: inout Turn) {
    switch self.commits.takeAwaited(number) {
    case .reducedFix(let reduced, of: let fix, let kept, let epoch):
      let (shown, correction) = self.feeds.confirmed(reduced, of: fix, kept: kept, isKept: error == nil)
      if let correction { turn.store(correction) }
      self.show(shown, epoch: epoch, to: .reduced, &turn)
    case .permission(let number): self.carryOut(self.permissions.confirmed(number, error: error), &turn)
    case nil: break
    }
  }

  /// A reduced fix is delivered once it is stored; if nothing can be stored, it is delivered anyway. The log says so
  /// already.
  mutating func releaseReducedFixes(_ turn: inout Turn) {
    guard let error = self.commits.denial else { return }
    for number in self.commits.awaitedFixes { self.confirmed(number, error: error, &turn) }
  }
}
