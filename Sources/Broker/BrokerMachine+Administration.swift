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

  mutating func grant(
    uid: UInt32, user: String, _ level: AuthorizationLevel?, _ precision: Precision, as call: CallID,
    _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    guard Principal(uid: uid, user: user).mayKeep else {
      throw .invalid(parameter: "user", expected: "a user whose number is its own, not lent by systemd")
    }
    let decision = Decision(user: user, level: level, precision: precision, at: turn.now)
    return self.decide(decision, for: uid, GrantInfo(uid: uid, decision: decision), as: call, &turn)
  }

  mutating func revoke(uid: UInt32, as call: CallID, _ turn: inout Turn) throws(CallFailure) -> Reply {
    guard let decision = self.permissions.newestDecision(for: uid) else {
      throw .invalid(parameter: "user", expected: "a user for whom a decision is stored")
    }
    return self.decide(nil, for: uid, GrantInfo(uid: uid, decision: decision), as: call, &turn)
  }

  private mutating func decide(
    _ decision: Decision?, for uid: UInt32, _ info: GrantInfo, as call: CallID, _ turn: inout Turn
  ) -> Reply {
    self.carryOut(self.permissions.decide(decision, for: uid, .grant(call, info), now: turn.now), &turn)
    return .later
  }

  mutating func setEnabled(_ isOn: Bool, as call: CallID, _ turn: inout Turn) throws(CallFailure) -> Reply {
    guard !isOn || self.settings.access.isEnabled else {
      throw .restricted(
        what: "the configuration has enabled=no in [authorization]",
        remedy: "set enabled=yes there, then run \"systemctl reload positiond\"")
    }
    let waiter = PermissionBook.Waiter.enabled(call, isOn, unread: isOn ? self.permissions.unread : nil)
    self.carryOut(self.permissions.turn(on: isOn, waiter, now: turn.now), &turn)
    return .later
  }

  // MARK: What follows from a decision

  mutating func carryOut(_ steps: [PermissionBook.Step], _ turn: inout Turn) {
    for step in steps {
      switch step {
      case .store(let change, let number): self.keep(change, .permission(number), &turn)
      case .changed(.masterSwitch): self.reconsider(&turn)
      case .changed(.user(let uid)):
        // It holds for all of the user's clients, whatever a person answered for one.
        for id in self.userClients.members(of: uid) { self.clients[id]?.decision = nil }
        for (id, client) in self.leaving where client.principal.uid == uid { self.leaving[id]?.decision = nil }
        self.reconsider(user: uid, &turn)
      case .settled(let waiter, let outcome): self.settle(waiter, outcome, &turn)
      }
    }
    self.setDeadline(self.permissions.nextDeadline, for: .permissions)
  }

  private mutating func settle(
    _ waiter: PermissionBook.Waiter, _ outcome: PermissionBook.Outcome, _ turn: inout Turn
  ) {
    switch waiter {
    case .grant(let call, var info):
      info.isStored = outcome == .stored
      self.answer(call, outcome, .grant(info), &turn)
    case .enabled(let call, let isOn, let unread):
      if let unread, outcome == .stored || outcome == .counts {
        turn.log(
          .warning,
          "positions are on, though what was decided before cannot be read (\(unread)): who was denied is not, unless "
            + "denied again")
      }
      self.answer(call, outcome, .enabled(isOn, isStored: outcome == .stored, unread: unread), &turn)
    case .prompt(let uid, let decision):
      switch outcome {
      case .stored, .counts, .overtaken: self.endPrompt(of: uid, &turn)
      case .refused(let trouble):
        turn.log(.warning, "the answer for user \(uid) could not be kept: \(trouble)")
        self.decideOnce(decision, for: uid, &turn)
      }
    }
  }

  private func answer(
    _ call: CallID, _ outcome: PermissionBook.Outcome, _ answer: Answer, _ turn: inout Turn
  ) {
    // Who has left meanwhile is told nothing.
    guard self.clients[call.client] != nil else { return }
    switch outcome {
    case .stored, .counts: turn.answer(call, answer)
    case .refused(let trouble): turn.answer(call, .failed(.notStored(trouble)))
    case .overtaken: turn.answer(call, .failed(.notStored("something else was decided meanwhile")))
    }
  }

  // MARK: What counts once it is kept

  /// Has a change kept; what it is for counts once it is.
  mutating func keep(_ change: StoreChange, _ awaited: AwaitedChange, _ turn: inout Turn) {
    turn.store(change)
    self.nextConfirmation += 1
    self.awaitingStore[self.nextConfirmation] = awaited
    turn.afterCommit(.confirm(self.nextConfirmation))
  }

  mutating func confirmed(_ number: UInt64, trouble: String?, _ turn: inout Turn) {
    guard let change = self.awaitingStore.removeValue(forKey: number) else { return }
    switch change {
    case .reducedFix(var reduced, of: let fix, let kept, let epoch):
      // Where nothing can be kept it is told all the same; the log says that already.
      if trouble != nil, self.disguise.snapshot.drifted != kept.drifted {
        reduced = self.disguise.takenBack(to: kept, fix)
        turn.store(.putDisguise(self.disguise.snapshot))
      }
      self.newestReduced = reduced
      self.show(reduced, epoch: epoch, to: .reduced, &turn)
    case .permission(let number):
      self.carryOut(self.permissions.confirmed(number, trouble: trouble), &turn)
    }
  }
}

/// A change that counts once it is kept.
enum AwaitedChange: Sendable {
  /// By the number that `PermissionBook` gave it.
  case permission(UInt64)
  /// What a fix becomes, and by which offset others were told that are kept.
  case reducedFix(Fix, of: Fix, kept: Disguise.Snapshot, epoch: Int)
}
