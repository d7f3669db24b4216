import Positioning

/// Calls of administrators.
extension BrokerParts {
  mutating func grant(
    uid: UInt32, user: String, _ level: AuthorizationLevel?, _ precision: Precision, as asker: Asker<Grant>,
    _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard Principal(uid: uid, user: user).mayKeep else {
      throw .invalid(parameter: "user", expected: "a user whose number is its own, not lent by systemd")
    }
    let decision = Decision(user: user, level: level, precision: precision, at: turn.now)
    return self.decide(decision, for: uid, Grant(uid: uid, decision: decision), as: asker, &turn)
  }

  mutating func revoke(uid: UInt32, as asker: Asker<Grant>, _ turn: inout Turn) throws(CallFailure) -> Answering {
    guard let decision = self.permissions.newestDecision(for: uid) else {
      throw .invalid(parameter: "user", expected: "a user for whom a decision is stored")
    }
    return self.decide(nil, for: uid, Grant(uid: uid, decision: decision), as: asker, &turn)
  }

  private mutating func decide(
    _ decision: Decision?, for uid: UInt32, _ info: Grant, as asker: Asker<Grant>, _ turn: inout Turn
  ) -> Answering {
    self.carryOut(self.permissions.decide(decision, for: uid, .grant(asker, info), now: turn.now), &turn)
    return .later
  }

  mutating func setEnabled(
    _ isOn: Bool, as asker: Asker<SwitchAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard !isOn || self.settings.access.isEnabled else {
      throw .restricted(
        what: "the configuration has enabled=no in [authorization]",
        remedy: "set enabled=yes there, then run \"systemctl reload positiond\"")
    }
    let waiter = PermissionBook.Waiter.enabled(asker, isOn, unread: isOn ? self.permissions.unread : nil)
    self.carryOut(self.permissions.turn(on: isOn, waiter, now: turn.now), &turn)
    return .later
  }

  // MARK: The effects of a decision

  /// Nothing can be stored, and nobody knows what was.
  mutating func storeUnopened(because reason: String, _ turn: inout Turn) {
    self.storeChanged(error: reason, &turn)
    self.commits.setUnopened(reason)
  }

  mutating func storeChanged(error: String?, _ turn: inout Turn) {
    self.commits.setError(error, now: turn.now)
    self.carryOut(self.permissions.storeChanged(error: error), &turn)
  }

  mutating func carryOut(_ steps: [PermissionBook.Step], _ turn: inout Turn) {
    for step in steps {
      switch step {
      case .store(let change, let number): self.commits.keep(change, .permission(number), &turn)
      case .changed(.masterSwitch): self.reconsider(&turn)
      case .changed(.user(let uid)):
        self.clients.forgetDecisions(of: uid)
        self.reconsider(user: uid, &turn)
      case .settled(let waiter, let outcome): self.settle(waiter, outcome, &turn)
      }
    }
  }

  private mutating func settle(
    _ waiter: PermissionBook.Waiter, _ outcome: PermissionBook.Outcome, _ turn: inout Turn
  ) {
    switch waiter {
    case .grant(let asker, var info):
      info.isStored = outcome == .stored
      self.answer(asker, outcome, info, &turn)
    case .enabled(let asker, let isOn, let unread):
      if let unread, outcome == .stored || outcome == .counts {
        turn.log(
          .decisionsUnread,
          "positions are on, though what was decided before cannot be read (\(unread)): who was denied is not, unless "
            + "denied again")
      }
      self.answer(asker, outcome, SwitchAnswer(isOn, isStored: outcome == .stored, unread: unread), &turn)
    case .prompt(let uid, let decision):
      switch outcome {
      case .stored, .counts, .overtaken: self.endPrompt(of: uid, &turn)
      case .refused(let error):
        turn.log(.answerUnstored, "the answer for user \(uid, .user) could not be kept: \(error)")
        self.decideOnce(decision, for: uid, &turn)
      }
    }
  }

  private func answer<Value>(
    _ asker: Asker<Value>, _ outcome: PermissionBook.Outcome, _ value: Value, _ turn: inout Turn
  ) {
    // A client that has left meanwhile is not notified.
    guard self.clients[asker.client] != nil else { return }
    switch outcome {
    case .stored, .counts: turn.answer(asker, value)
    case .refused(let error): turn.fail(asker.id, .notStored(error))
    case .overtaken: turn.fail(asker.id, .notStored("something else was decided meanwhile"))
    }
  }
}
