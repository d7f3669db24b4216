import Positioning

/// The access of clients and names, and the consequences of its changes.
extension BrokerParts {
  func access(of principal: Principal, once: Decision?) -> Access {
    self.settings.access.access(
      of: principal, decision: once ?? self.permissions.decision(for: principal.uid),
      isSwitchedOn: self.permissions.isSwitchedOn, unread: self.permissions.unread)
  }

  /// The access of a durable name's user: by the user alone, since the name has no process.
  func holderAccess(of name: DurableName) -> Access {
    var access = self.access(of: name.principal, once: nil)
    // `whenInUse` is no grant for a name.
    if name.isSuspended || self.isWaiting(name) || access.authorization.state != .always {
      access.authorization.state = .restricted
    }
    return access
  }

  /// The same for the client that registers.
  func holderAccess(of call: CallID) -> Access? {
    guard let principal = self.clients[call.client]?.principal else { return nil }
    let access = self.access(of: principal.asHolder, once: nil)
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
      turn.act(.clear(id, self.limit(new)))
      if old.authorization != new.authorization {
        turn.notify(id, .authorization(new.authorization, previous: old.authorization))
      }
      // Only clients with `always` get durable events: they attach again when they may.
      if new.authorization.state != .always { _ = self.detach(id, of: client.principal.uid, &turn) }
      if new.agent == .none { self.agentLeft(id, &turn) }
      if old.feed != new.feed { self.move(.client(id), from: old.feed, to: new.feed, &turn) }
    }
    for id in uid.map({ self.names.ids(of: $0) }) ?? self.names.ids {
      self.reconsider(id, &turn)
      // Earlier events start the unit as soon as that is allowed.
      self.wake(id, &turn)
    }
    // Clients that have left and whose queues are still being written get no more than they may know now.
    for (id, client) in self.clients.leaving(of: uid) {
      let access = self.access(of: client.principal, once: client.decision)
      guard access != client.access else { continue }
      self.clients.setAccess(access, ofLeaving: id)
      turn.act(.clear(id, self.limit(access)))
    }
    self.endIdlePrompts(of: uid, &turn)
  }

  mutating func reconsider(_ id: DurableID, _ turn: inout Turn) {
    guard let name = self.names[id] else { return }
    let (old, new) = (name.feed, self.holderAccess(of: name).feed)
    // A name that waits for a lookup loses nothing.
    let isKept = self.isWaiting(name) || new == name.keptFeed
    guard old != new || !isKept else { return }
    self.names.modify(id) { $0.feed = new }
    // A name whose user may know nothing has moved already, with all its states.
    self.move(name.holder, from: old, to: new, keepsStates: isKept, &turn)
    if isKept { return }
    self.names.modify(id) { name in
      name.keptFeed = new
      // Its waiting events come from a feed that its user may not have any more.
      name.inbox.acknowledge(through: name.inbox.lastEvent)
    }
    turn.store(.setFeed(id, new))
    turn.store(.acknowledge(id, through: name.inbox.lastEvent))
    if let stored = self.subscriptions.position(name.position)?.stored { turn.store(.putPosition(id, stored)) }
  }

  /// A request or subscription continues with another feed, waits for permission, or ends.
  ///
  /// - Parameter keepsStates: Whether it continues from its present state, now or later.
  private mutating func move(
    _ holder: Holder, from old: FixFeedKey?, to new: FixFeedKey?, keepsStates: Bool = false, _ turn: inout Turn
  ) {
    self.feeds.leave(old)
    self.enter(new, &turn)
    if let client = holder.client { self.moveCalls(of: client, to: new, &turn) }
    self.moveSubscriptions(of: holder, to: new, keepsStates: keepsStates, &turn)
    self.refreshVisits(&turn)
    self.moveRegions(of: holder, from: old, keepsStates: keepsStates, &turn)
  }

  private mutating func moveCalls(of id: ClientID, to new: FixFeedKey?, _ turn: inout Turn) {
    guard let client = self.clients[id] else { return }
    let denial = self.precisionDenial(client.access, of: client)
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
              ? self.denial(client.access, of: client)
              : self.precisionFailure(for: call, what: "an accuracy of less than 2 km"),
            &turn)
        }
      case .heading: if let denial { self.fail(call, denial, &turn) }
      case .awaitingAuthorization, nil: break
      }
    }
  }

  private mutating func moveSubscriptions(
    of holder: Holder, to new: FixFeedKey?, keepsStates: Bool, _ turn: inout Turn
  ) {
    let (availability, now) = (self.availability(of: holder), turn.now)
    let (reading, isSuspended) = (self.receiver.heading(now: now), new?.precision != .precise)
    for id in self.subscriptions.ids(of: holder) {
      switch self.subscriptions[id] {
      case .position:
        let update = self.subscriptions.modifyPosition(id) { position in
          position.move(to: new, keepsStates: keepsStates, availability: availability, now: now)
        }
        if let update = update ?? nil { self.notify(id, [update], &turn) }
      case .sky(var sky):
        sky.suspend(isSuspended)
        self.subscriptions.update(.sky(sky))
      case .heading(var heading):
        let update = heading.suspend(isSuspended, reading, now: now)
        self.subscriptions.update(.heading(heading))
        if let update {
          self.notify(holder, .heading(id, update), &turn)
          if update.state == .unavailable { self.end(id, reason: .unavailable, &turn) }
        }
      case .visits(var visits):
        visits.feed = new
        self.subscriptions.update(.visits(visits))
      case .status, nil: break
      }
    }
  }
}

extension FixRequest {
  /// Whether a holder with this access may request it.
  func isAllowed(_ precision: Precision) -> Bool {
    precision == .precise || (self.accuracy.map { $0.meters >= LocationFuzzer.accuracy } ?? true)
  }
}
