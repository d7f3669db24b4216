import Positioning

/// What administrators see and change.
extension BrokerMachine {
  /// In the order in which they came.
  var clientInfos: [ClientInfo] {
    self.clients.sorted { $0.key < $1.key }.map { _, client in
      ClientInfo(
        principal: client.principal, authorization: client.access.authorization, requests: client.requests,
        subscriptions: client.subscriptions, regions: client.regions)
    }
  }

  var grants: [GrantInfo] {
    self.decisions.sorted { $0.key < $1.key }.map { GrantInfo(uid: $0.key, decision: $0.value) }
  }

  mutating func grant(
    uid: UInt32, user: String, _ level: AuthorizationLevel?, _ precision: Precision, as call: CallID, now: Instant,
    into actions: inout [Action]
  ) {
    guard Principal(uid: uid, user: user).mayKeep else {
      return actions.append(
        .answer(
          call, .failed(.invalid(parameter: "user", expected: "a user whose number is its own, not lent by systemd"))))
    }
    if let storeTrouble { return actions.append(.answer(call, .failed(.notStored(storeTrouble)))) }
    let decision = Decision(user: user, level: level, precision: precision, at: now)
    // What is taken away is taken at once; what is given counts once it is kept.
    if let standing = self.decisions[uid] {
      self.decide(standing.narrowed(to: decision), for: uid, now: now, into: &actions)
    }
    if level == nil { self.decide(decision, for: uid, now: now, into: &actions) }
    self.keep(.decision(uid, decision, isPrompted: false))
    self.committed.append(.answer(call, .grant(GrantInfo(uid: uid, decision: decision))))
  }

  mutating func revoke(uid: UInt32, as call: CallID, now: Instant, into actions: inout [Action]) {
    guard let decision = self.decisions[uid] else {
      return actions.append(
        .answer(call, .failed(.invalid(parameter: "user", expected: "a user for whom a decision is stored"))))
    }
    self.decide(nil, for: uid, now: now, into: &actions)
    self.changes.append(.removeDecision(uid))
    self.committed.append(.answer(call, .grant(GrantInfo(uid: uid, decision: decision))))
  }

  mutating func setEnabled(_ isOn: Bool, as call: CallID, now: Instant, into actions: inout [Action]) {
    guard !isOn || self.settings.access.isEnabled else {
      return actions.append(
        .answer(
          call,
          .failed(
            .restricted(
              what: "the configuration has enabled=no in [authorization]",
              remedy: "set enabled=yes there, then run \"systemctl reload positiond\""))))
    }
    if let storeTrouble, isOn { return actions.append(.answer(call, .failed(.notStored(storeTrouble)))) }
    if isOn {
      self.keep(.switchedOn)
    } else {
      self.isSwitchedOn = false
      self.changes.append(.putEnabled(false))
      self.reconsider(now: now, into: &actions)
    }
    self.committed.append(.answer(call, .enabled(isOn)))
  }

  // MARK: What counts once it is kept

  /// Has a change kept, which counts as soon as it is: nothing that a client was told is lost with the daemon.
  mutating func keep(_ change: AwaitedChange) {
    switch change {
    case .decision(let uid, let decision, _): self.changes.append(.putDecision(uid, decision))
    case .switchedOn: self.changes.append(.putEnabled(true))
    case .reducedFix: self.changes.append(.putDisguise(self.disguise.snapshot))
    }
    self.nextConfirmation += 1
    self.awaitingStore[self.nextConfirmation] = change
    self.committed.append(.confirm(self.nextConfirmation))
  }

  mutating func confirmed(_ number: UInt64, trouble: String?, now: Instant, into actions: inout [Action]) {
    guard let change = self.awaitingStore.removeValue(forKey: number) else { return }
    switch change {
    case .switchedOn:
      guard trouble == nil else { return }
      self.isSwitchedOn = true
      self.reconsider(now: now, into: &actions)
    case .reducedFix(let fix, let epoch):
      // Where nothing can be kept it is told all the same; the log says that already.
      self.newestReduced = fix
      self.show(fix, epoch: epoch, to: .reduced, now: now, into: &actions)
    case .decision(let uid, let decision, let isPrompted):
      if let trouble {
        actions.append(.log(.warning, "the answer for user \(uid) could not be kept: \(trouble)"))
        if isPrompted { self.decideOnce(decision, for: uid, now: now, into: &actions) }
      } else {
        self.decide(decision, for: uid, now: now, into: &actions)
        if isPrompted { self.endPrompt(of: uid, now: now, into: &actions) }
      }
    }
  }

  /// What a person, or an administrator, said counts from now on, for all of the user's clients.
  private mutating func decide(_ decision: Decision?, for uid: UInt32, now: Instant, into actions: inout [Action]) {
    self.decisions[uid] = decision
    for id in self.clients.keys where self.clients[id]?.principal.uid == uid { self.clients[id]?.decision = nil }
    self.reconsider(uid, now: now, into: &actions)
  }
}

/// A change that counts once it is kept.
enum AwaitedChange: Sendable {
  /// `isPrompted`: calls wait for it.
  case decision(UInt32, Decision, isPrompted: Bool)
  case switchedOn
  case reducedFix(Fix, epoch: Int)
}

extension Decision {
  /// What is left of it where the other takes something away.
  fileprivate func narrowed(to other: Decision) -> Decision {
    var narrowed = self
    narrowed.level = self.level.flatMap { own in other.level.map { min(own, $0) } }
    narrowed.precision = min(self.precision, other.precision)
    return narrowed
  }
}
