import Positioning

/// How what changes comes to last.
extension BrokerMachine {
  /// Why nothing new is begun that is to last, in words; `nil`: it is.
  var storeTrouble: String? { self.commits.refusal }

  /// Whether the changes of this turn are given to the store, and not put off. A daemon that stops puts nothing off.
  private var hasRoom: Bool { self.isStopping || self.commits.hasRoom }

  /// Whether what is kept under the name is written as a whole, later. Till then nothing follows from it.
  func isBehind(_ id: DurableID) -> Bool { !self.hasRoom || self.behind.contains(.name(id)) }

  /// Hands this turn's changes to the store; what has no room is noted, to be written as a whole.
  ///
  /// - Returns: what is to be done with them.
  mutating func commit(_ turn: inout Turn) -> [Action] {
    var (changes, followers) = turn.takeCommit()
    let late = changes.map(\.subject).filter { !self.hasRoom || self.behind.contains($0) }
    if !late.isEmpty {
      for subject in late { self.behind.insert(subject) }
      changes.removeAll { self.behind.contains($0.subject) }
      self.commits.hold(followers, now: turn.now)
      followers = []
    }
    followers = self.commits.holdFollowers(of: followers, now: turn.now)
    guard changes.isEmpty else {
      let number = self.commits.add(changes, then: followers, now: turn.now)
      return [.store(number, changes)]
    }
    guard !self.commits.isEmpty else { return followers }
    if !followers.isEmpty { self.commits.append(followers, now: turn.now) }
    return []
  }

  /// Writes what is owed to the disk, as far as there is room, and does what was to follow.
  ///
  /// - Parameter slice: how much of it at most; `nil`: as the settings have it.
  mutating func catchUp(slice: Int? = nil, _ turn: inout Turn) {
    guard self.hasRoom, !self.behind.isEmpty else { return }
    let slice = slice ?? self.settings.catchUpSlice
    var states: [StoreChange] = []
    var weight = 0
    var written: Set<StoreSubject> = []
    while weight < slice, let subject = self.behind.removeFirst() {
      if case .name(let id) = subject {
        self.deliver(id, &turn)
        self.wake(id, &turn)
      }
      guard let state = self.state(of: subject) else { continue }
      weight += state.weight
      states.append(state)
      written.insert(subject)
    }
    // What this turn changed of a name is in its state.
    turn.catchUp(states, after: self.behind.isEmpty ? self.commits.takeHeld() : []) { change in
      if case .name = change.subject { written.contains(change.subject) } else { false }
    }
  }

  /// The whole of it as it is now.
  private func state(of subject: StoreSubject) -> StoreChange? {
    switch subject {
    case .name(let id): self.names[id].map { .replaceName(self.kept($0)) } ?? .removeName(id)
    case .visitMemory: .putVisitMemory(self.visitDetector.snapshot)
    case .decision(let uid):
      self.permissions.newestDecision(for: uid).map { .putDecision(uid, $0) } ?? .removeDecision(uid)
    case .enabled: self.permissions.switchChange
    case .disguise: .putDisguise(self.disguise.snapshot)
    case .wakeStart(let target):
      self.wakes.starts[target].map { .putWakeStart(target, $0) } ?? .removeWakeStart(target)
    }
  }

  func kept(_ name: DurableName) -> StoredName {
    var stored = StoredName(id: name.id, user: name.user, wake: name.wake)
    stored.view = name.keptView
    stored.regions = self.keptRegions(of: name.holder)
    stored.position = self.positions[name.position]?.stored
    stored.hasVisits = self.visits[name.visits] != nil
    stored.events = Array(name.inbox.events)
    stored.lastEvent = name.inbox.lastEvent
    stored.dropped = name.inbox.dropped
    return stored
  }

  /// What was given to the store lasts, or never will.
  mutating func stored(_ number: UInt64, trouble: String?, _ turn: inout Turn) {
    turn.act(self.commits.stored(number, trouble: trouble).compactMap { self.timely($0) })
  }

  /// What is left of an action that has waited for the disk: what its client may know, and who is there, may have changed.
  private mutating func timely(_ action: Action) -> Action? {
    switch action {
    case .startUnit(let unit, let id): return self.takeStart(of: unit, for: id) ? action : nil
    case .notify(let client, let notification):
      guard let clearance = self.clients[client].map({ self.clearance($0.access) }) else { return nil }
      return clearance.allows(notification.sensitivity) ? action : nil
    case .answer(let call, let answer):
      guard let clearance = self.clients[call.client].map({ self.clearance($0.access) }),
        !clearance.allows(answer.sensitivity)
      else { return action }
      return .answer(call, .failed(clearance.refusal))
    case .setReceiver, .setDeadline, .store, .tellWhenTaken, .confirm, .clear, .ask, .withdraw, .inUse, .log:
      return action
    }
  }

  /// The disk takes too long.
  mutating func answerOverdue(_ turn: inout Turn) {
    let reason = "the disk has not taken it in \(CommitLedger.patience.components.seconds) s, and may do so later"
    for call in self.commits.overdue(now: turn.now) { turn.answer(call, .failed(.notStored(reason))) }
  }

  /// A reduced fix is told once it is kept; while nothing can be kept, it is told without.
  mutating func releaseReducedFixes(_ turn: inout Turn) {
    guard let trouble = self.storeTrouble else { return }
    for (number, change) in self.awaitingStore.sorted(by: { $0.key < $1.key }) {
      guard case .reducedFix = change else { continue }
      self.confirmed(number, trouble: trouble, &turn)
    }
  }
}
