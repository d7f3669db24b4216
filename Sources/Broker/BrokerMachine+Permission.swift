import Positioning

/// The access of clients and names, and the consequences of its changes.
extension BrokerMachine {
  func access(of principal: Principal, once: Decision? = nil) -> Access {
    self.settings.access.access(
      of: principal, decision: once ?? self.permissions.decision(for: principal.uid),
      isSwitchedOn: self.permissions.isSwitchedOn, unread: self.permissions.unread)
  }

  /// The access of a durable name's user: by the user alone, since the name has no process.
  func holderAccess(of name: DurableName) -> Access {
    var access = self.access(of: name.principal)
    // `whenInUse` is no grant for a name.
    if name.isSuspended || self.isWaiting(name) || access.authorization.state != .always {
      access.authorization.state = .restricted
    }
    return access
  }

  /// What a durable name of the calling client's user may know; `nil`: nothing, unless the user has `always`.
  func holderAccess(of call: CallID) -> Access? {
    guard let principal = self.clients[call.client]?.principal else { return nil }
    let access = self.access(of: principal.asHolder)
    return access.authorization.state == .always ? access : nil
  }

  /// Whether the access of the name's user is not yet known: the name is not notified meanwhile, and loses nothing.
  /// What is certainly denied is denied all the same.
  func isWaiting(_ name: DurableName) -> Bool {
    self.settings.access.isEnabled && self.permissions.isSwitchedOn
      && self.settings.access.isInDoubt(
        of: name.principal, self.permissions.decision(for: name.id.uid), isMissing: name.isSuspended)
  }

  func authorization(for asker: Asker<Authorization>) -> Answering {
    self.clients[asker.client].map { asker.now($0.access.authorization) } ?? .later
  }

  // MARK: Changes

  /// Updates the access of all clients and names, or of one user's, and handles each change.
  mutating func reconsider(user uid: UInt32? = nil, _ turn: inout Turn) {
    for id in uid.map({ self.clients.ids(of: $0).sorted() }) ?? self.clients.ids {
      guard let client = self.clients[id] else { continue }
      let (old, new) = (client.access, self.access(of: client.principal, once: client.decision))
      guard old != new else { continue }
      self.clients.setAccess(new, of: id)
      turn.act(.clear(id, new.limit))
      if old.authorization != new.authorization {
        turn.notify(id, .authorization(new.authorization, previous: old.authorization))
      }
      // Only clients with `always` get durable events: they attach again when they may.
      if new.authorization.state != .always { _ = self.detach(id, of: client.principal.uid) }
      if new.agent == .none { self.carryOut(self.prompts.left(id, isConnected: true), &turn) }
      if old.feed != new.feed { self.move(.client(id), from: old.feed, to: new.feed, &turn) }
    }
    for id in uid.map({ self.names.ids(of: $0) }) ?? self.names.ids {
      self.reconsider(id, &turn)
      // Earlier events start the unit as soon as that is allowed.
      self.wake(id, now: turn.now)
    }
    // Clients that have left and whose queues are still being written get no more than they may know now.
    for (id, client) in self.clients.leaving(of: uid) {
      let access = self.access(of: client.principal, once: client.decision)
      guard access != client.access else { continue }
      self.clients.setAccess(access, ofLeaving: id)
      turn.act(.clear(id, access.limit))
    }
    for principal in self.prompts.principals(of: uid) {
      let state = self.access(of: principal).authorization.state
      self.carryOut(self.prompts.reconsidered(principal.uid, state), &turn)
    }
  }

  mutating func reconsider(_ id: DurableID, _ turn: inout Turn) {
    guard let name = self.names[id] else { return }
    let (old, new) = (name.feed, self.holderAccess(of: name).feed)
    // A name that waits for a lookup loses nothing.
    let isKept = self.isWaiting(name) || new == name.keptFeed
    guard old != new || !isKept else { return }
    self.names.change(new, of: id)
    // A name whose user may know nothing has been moved already, with all its states.
    self.move(name.holder, from: old, to: new, keepsStates: isKept, &turn)
    if isKept { return }
    self.carryOut(self.names.forgetEvents(of: id))
    if let stored = self.subscriptions.position(name.position)?.stored { self.commits.store(.putPosition(id, stored)) }
  }

  /// A request or subscription continues with another feed, waits for permission, or ends.
  ///
  /// - Parameter keepsStates: Whether it continues from its present state, now or later.
  private mutating func move(
    _ holder: Holder, from old: FixFeedKey?, to new: FixFeedKey?, keepsStates: Bool = false, _ turn: inout Turn
  ) {
    self.feeds.leave(old)
    self.enter(new, now: turn.now)
    if let client = holder.client { self.moveCalls(of: client, to: new, &turn) }
    let effects = self.subscriptions.move(
      holder, to: new, keepsStates: keepsStates, availability: self.availability(of: holder),
      heading: self.receiver.heading(now: turn.now), now: turn.now)
    self.carryOut(effects, &turn)
    self.refreshVisits(now: turn.now)
    let changes = self.feeds.move(
      holder, from: old, keepsStates: keepsStates, now: turn.now, effort: &turn.effort
    ) { Self.feed(of: $0, self.clients, self.names) }
    self.carryOut(changes, &turn)
  }

  private mutating func moveCalls(of id: ClientID, to new: FixFeedKey?, _ turn: inout Turn) {
    guard let client = self.clients[id] else { return }
    let (access, answered) = (client.access, self.answerTime(of: client))
    for call in self.calls.ids(of: id) {
      switch self.calls[call] {
      case .fix(let pending):
        if let new, pending.request.isAllowed(new.precision) {
          let newest = self.feeds.current(in: new)
          if let (request, outcome) = self.calls.move(call, to: new, newest: newest, now: turn.now) {
            self.finish(request.asker, with: self.result(of: request, outcome, newest: newest, now: turn.now), &turn)
          }
        } else {
          self.fail(
            call,
            new == nil
              ? access.denial(answered: answered)
              : access.precisionFailure("an accuracy of less than 2 km"),
            &turn)
        }
      case .heading: if let denial = access.precisionDenial(answered: answered) { self.fail(call, denial, &turn) }
      case .awaitingAuthorization, nil: break
      }
    }
  }
}

/// Calls of administrators.
extension BrokerMachine {
  mutating func grant(
    uid: UInt32, user: String, _ level: AuthorizationLevel?, _ precision: Precision, as asker: Asker<Grant>,
    _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard Principal(uid: uid, user: user).mayKeep else {
      throw .invalid(parameter: "user", expected: "a user whose number is its own, not lent by systemd")
    }
    let decision = Decision(user: user, level: level, precision: precision, at: turn.now)
    let waiter = Permissions.Waiter.grant(asker, Grant(uid: uid, decision: decision))
    self.carryOut(self.permissions.decide(decision, for: uid, waiter), &turn)
    return .later
  }

  mutating func revoke(uid: UInt32, as asker: Asker<Grant>, _ turn: inout Turn) throws(CallFailure) -> Answering {
    guard let decision = self.permissions.newestDecision(for: uid) else {
      throw .invalid(parameter: "user", expected: "a user for whom a decision is stored")
    }
    let waiter = Permissions.Waiter.grant(asker, Grant(uid: uid, decision: decision))
    self.carryOut(self.permissions.decide(nil, for: uid, waiter), &turn)
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
    let waiter = Permissions.Waiter.enabled(asker, isOn, unread: isOn ? self.permissions.unread : nil)
    self.carryOut(self.permissions.turn(on: isOn, waiter), &turn)
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
    let awaited = error == nil ? [] : self.commits.takeDecisions()
    self.carryOut(self.permissions.storeChanged(error: error, awaited: awaited), &turn)
  }

  mutating func carryOut(_ effects: [Permissions.Effect], _ turn: inout Turn) {
    for effect in effects {
      switch effect {
      case .store(let change, let pending):
        self.commits.store(change)
        self.commits.follow(.decide(pending))
      case .changed(.masterSwitch): self.reconsider(&turn)
      case .changed(.user(let uid)):
        self.clients.forgetDecisions(of: uid)
        self.reconsider(user: uid, &turn)
      case .settled(let waiter, let outcome): self.settle(waiter, outcome, &turn)
      case .overtaken(let uid, before: let number):
        let overtaken = self.commits.takeDecisions {
          if case .prompt(uid, _)? = $0.waiter { $0.number < number } else { false }
        }
        for case let waiter? in overtaken.map(\.waiter) { self.settle(waiter, .overtaken, &turn) }
      }
    }
  }

  private mutating func settle(
    _ waiter: Permissions.Waiter, _ outcome: Permissions.Outcome, _ turn: inout Turn
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
      if case .refused(let error) = outcome {
        turn.log(.answerUnstored, "the answer for user \(uid, .user) could not be kept: \(error)")
        self.decideOnce(decision, for: uid, &turn)
      }
      self.carryOut(self.prompts.end(uid), &turn)
    }
  }

  private func answer<Value>(
    _ asker: Asker<Value>, _ outcome: Permissions.Outcome, _ value: Value, _ turn: inout Turn
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

/// What a client is denied.
extension BrokerMachine {
  /// The failure that every call with this requirement would get; `nil` if it might succeed, or a person might be
  /// asked.
  func certainDenial(of call: CallID, _ requirement: Call.Requirement) -> CallFailure? {
    guard let failure = self.denial(requirement, of: call), let client = self.clients[call.client] else {
      return nil
    }
    let isAskable = client.access.authorization.state == .notDetermined && client.access.isAskable
    guard requirement != .administrator, isAskable else { return failure }
    return self.prompts.agents.contains { self.mayAnswer($0, for: client.principal) } ? nil : failure
  }

  /// Why the client is denied calls with this requirement; `nil`: it is not.
  func denial(_ requirement: Call.Requirement, of call: CallID) -> CallFailure? {
    // Most calls pass here, without a copy of all that is known of the client.
    if requirement == .position, self.clients[call.client]?.access.authorization.state.isGranted ?? false { return nil }
    guard requirement != .nothing, let client = self.clients[call.client] else { return nil }
    let (access, answered) = (client.access, self.answerTime(of: client))
    switch requirement {
    case .nothing: return nil
    case .administrator: return access.administrationDenial
    case .position: return access.authorization.state.isGranted ? nil : access.denial(answered: answered)
    case .precise: return access.precisionDenial(answered: answered)
    case .durable: return access.durationDenial(answered: answered, isHolder: self.holderAccess(of: call) != nil)
    case .preciseDurable:
      return access.durationDenial(answered: answered, isHolder: self.holderAccess(of: call) != nil)
        ?? access.precisionDenial(answered: answered)
    }
  }

  /// When a person last answered for the client, or an administrator decided for its user.
  private func answerTime(of client: Client) -> Instant? {
    (client.decision ?? self.permissions.decision(for: client.principal.uid))?.at
  }
}
