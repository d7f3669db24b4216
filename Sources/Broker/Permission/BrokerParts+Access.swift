import Positioning

/// Who may know what, and what follows when that changes.
extension BrokerParts {
  func access(of principal: Principal, once: Decision?) -> Access {
    self.settings.access.access(
      of: principal, decision: once ?? self.permissions.decision(for: principal.uid),
      isSwitchedOn: self.permissions.isSwitchedOn, unread: self.permissions.unread)
  }

  /// What the user may have whose durable name it is: by the user alone, since no process stands for the name.
  func holderAccess(of name: DurableName) -> Access {
    var access = self.access(of: name.principal, once: nil)
    // What may be known while connected only is nothing for somebody who is not.
    if name.isSuspended || self.isWaiting(name) || access.authorization.state != .always {
      access.authorization.state = .restricted
    }
    return access
  }

  /// The same for the client that would register.
  func holderAccess(of call: CallID) -> Access? {
    guard let principal = self.clients[call.client]?.principal else { return nil }
    let access = self.access(of: principal.asHolder, once: nil)
    return access.authorization.state == .always ? access : nil
  }

  /// Whether nobody can say yet what the name's user may know: it is told nothing meanwhile, and loses nothing. What is
  /// surely taken from it is taken all the same.
  func isWaiting(_ name: DurableName) -> Bool {
    self.settings.access.isEnabled && self.permissions.isSwitchedOn
      && self.settings.access.isInDoubt(
        of: name.principal, self.permissions.decision(for: name.id.uid), isMissing: name.isSuspended)
  }

  func authorization(of client: ClientID) -> Reply {
    self.clients[client].map { .now(.authorization($0.access.authorization)) } ?? .later
  }

  // MARK: Changes

  /// Looks again what everybody may know, or those of one user, and does what follows where that changed.
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
      // What outlives the connection comes to those alone who may know it always: it attaches again when it may.
      if new.authorization.state != .always { _ = self.detach(id, of: client.principal.uid, &turn) }
      if new.agent == .none { self.agentLeft(id, &turn) }
      if old.feed != new.feed { self.move(.client(id), from: old.feed, to: new.feed, &turn) }
    }
    for id in uid.map({ self.names.ids(of: $0) }) ?? self.names.ids {
      self.reconsider(id, &turn)
      // What happened before wakes its client as soon as it may be woken.
      self.wake(id, &turn)
    }
    // Those who have left are still written what waits for them: no more of it than they may know now.
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
    // Who waits for what the system says, or has waited, loses nothing by that.
    let isKept = self.isWaiting(name) || new == name.keptFeed
    guard old != new || !isKept else { return }
    self.names.modify(id) { $0.feed = new }
    // One who comes back and may know nothing has moved already, with all that was known.
    self.move(name.holder, from: old, to: new, keepsStates: isKept, &turn)
    if isKept { return }
    self.names.modify(id) { name in
      name.keptFeed = new
      // What it was to tell came about by what its user may know no more.
      name.inbox.acknowledge(through: name.inbox.lastEvent)
    }
    turn.store(.setFeed(id, new))
    turn.store(.acknowledge(id, through: name.inbox.lastEvent))
    if let stored = self.subscriptions.position(name.position)?.stored { turn.store(.putPosition(id, stored)) }
  }

  /// What somebody asked for goes on by other fixes, or waits for a permission, or ends.
  ///
  /// - Parameter keepsStates: whether it may go on from what it knew, or will.
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
          self.calls.move(call, to: new)
        } else {
          self.fail(
            call,
            new == nil
              ? self.denial(client.access, of: client) : self.tooFine(for: call, what: "an accuracy of less than 2 km"),
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
      case .sky: self.subscriptions.modify(id) { (sky: inout SkySubscription) in sky.suspend(isSuspended) }
      case .heading:
        let update = self.subscriptions.modify(id) { (heading: inout HeadingSubscription) in
          heading.suspend(isSuspended, reading, now: now)
        }
        if let update = update ?? nil {
          self.notify(holder, .heading(id, update), &turn)
          if update.state == .unavailable { self.end(id, reason: .unavailable, &turn) }
        }
      case .visits: self.subscriptions.modify(id) { (visits: inout VisitSubscription) in visits.feed = new }
      case .status, nil: break
      }
    }
  }
}

extension FixRequest {
  /// Whether somebody who may know so much may ask for it.
  func isAllowed(_ precision: Precision) -> Bool {
    precision == .precise || (self.accuracy.map { $0.meters >= LocationFuzzer.accuracy } ?? true)
  }
}
