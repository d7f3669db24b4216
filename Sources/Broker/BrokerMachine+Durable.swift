import Positioning

/// Durable names: what is registered under them outlives its clients, and its events wait for one.
extension BrokerMachine {
  // MARK: Registering

  /// Why the user may not register under the name; `nil` where it may.
  func refusal(of request: DurableRequest, as call: CallID) -> CallFailure? {
    guard let principal = self.clients[call.client]?.principal else { return nil }
    guard principal.mayKeep else {
      return .restricted(
        what: "nothing is kept for \(principal.words): its number has no name, or is lent by systemd",
        remedy: "run the program as a user of its own: User= in its unit, without DynamicUser=")
    }
    if let unit = request.wake, !self.mayWake(unit, principal) {
      return .restricted(
        what: "no rule lets \(principal.words) wake \(unit)",
        remedy: "an administrator adds wake=\(unit) to a rule for this user in positiond.conf")
    }
    let id = DurableID(uid: principal.uid, name: request.name)
    guard self.names[id] == nil else { return nil }
    let (limit, userLimit) = (self.settings.maxNames, self.settings.maxNamesPerUser)
    if self.names.count(of: id.uid) >= userLimit {
      return .limitExceeded(name: "max-durable-names-per-user", value: userLimit)
    }
    return self.names.count < limit ? nil : .limitExceeded(name: "max-durable-names", value: limit)
  }

  /// The user's name of that name. What belongs to another user who had the number before is nobody's.
  func ownName(_ name: String, of call: CallID) -> DurableName? {
    guard let principal = self.clients[call.client]?.principal else { return nil }
    return self.names[DurableID(uid: principal.uid, name: name)].flatMap { $0.user == principal.user ? $0 : nil }
  }

  /// The name, made if it is not there yet. What is registered under it is added by the caller, in the same turn.
  mutating func name(
    for request: DurableRequest, as call: CallID, now: Instant, into actions: inout [Action]
  ) -> DurableName {
    let id = DurableID(uid: self.user(of: call.client), name: request.name)
    let principal = self.clients[call.client]?.principal
    let isNew = self.names[id] == nil
    var name = self.names[id] ?? self.newName(id, user: principal?.user)
    if isNew {
      name.groups = principal?.groups ?? []
      name.view = self.holderAccess(of: name).view
      name.keptView = name.view
      self.enter(name.view, now: now)
      self.changes += [.putName(id, user: name.user, wake: request.wake), .setView(id, name.view)]
      name.wake = request.wake
      self.names[id] = name
    } else {
      if let wake = request.wake, wake != name.wake {
        self.names.modify(id) { $0.wake = wake }
        self.changes.append(.putName(id, user: name.user, wake: wake))
      }
      self.adopt(id, by: call, now: now, into: &actions)
    }
    return self.names[id] ?? name
  }

  /// A client of the user is there: its groups are the user's, as far as anybody knows.
  mutating func adopt(_ id: DurableID, by call: CallID, now: Instant, into actions: inout [Action]) {
    guard let groups = self.clients[call.client]?.principal.groups else { return }
    self.names.modify(id) { ($0.groups, $0.isSuspended) = (groups, false) }
    self.reconsider(id, now: now, into: &actions)
    self.wake(id, now: now)
  }

  private mutating func newName(_ id: DurableID, user: String?) -> DurableName {
    self.nextHolder += 1
    let holder = ClientID.durable(self.nextHolder)
    self.holders[holder] = id
    var name = DurableName(id: id, holder: holder, user: user)
    name.inbox = Inbox(lastEvent: self.retired[id.uid] ?? 0)
    return name
  }

  mutating func subscribe(
    _ parameters: SubscriptionParameters, durable request: DurableRequest, as call: CallID, now: Instant,
    into actions: inout [Action]
  ) {
    let user = self.user(of: call.client)
    let old = self.names[DurableID(uid: user, name: request.name)].flatMap { self.positions[$0.position] }
    let isDurable = parameters.mode == .significant || parameters.mode == .deferred
    let failure =
      isDurable
      ? self.refusal(of: parameters, replacing: old?.parameters, user: user) ?? self.refusal(of: request, as: call)
      : .invalid(parameter: "durable", expected: "mode significant or deferred with it")
    if let failure { return actions.append(.answer(call, .failed(failure))) }
    let name = self.name(for: request, as: call, now: now, into: &actions)
    if old != nil { self.end(name.position, reason: .replaced, now: now, into: &actions) }
    let subscription = PositionSubscription(
      id: name.position, parameters: parameters, view: name.view, availability: self.availability(of: name.holder),
      lastFix: self.current?.arrival, now: now)
    self.insert(subscription, now: now)
    self.changes.append(.putPosition(name.id, subscription.stored))
    self.plan(now: now, into: &actions)
    self.tellAvailability(now: now, into: &actions)
    guard let info = self.info(name.position) else { return }
    self.committed.append(.answer(call, .durableSubscribed(name: name.id.name, info.state, info.availability)))
  }

  // MARK: Events

  /// Puts what a registration tells into its name's inbox.
  mutating func post(_ notification: Notification, of holder: ClientID, now: Instant) {
    guard let id = self.holders[holder] else { return }
    switch notification {
    case .position(let update):
      // What only changed meanwhile is of no use to a client that comes later.
      let hasFix = update.fix != nil || !update.fixes.isEmpty || update.reason == .acquisitionFailed
      guard hasFix, !update.isRepeat, let subscription = self.positions[update.subscription] else { return }
      self.changes.append(.putPosition(id, subscription.stored))
      self.post(.position(update), to: id, now: now)
    case .region(let event): self.post(.region(event), to: id, now: now)
    case .visit(_, let visit): self.post(.visit(visit), to: id, now: now)
    case .sky, .heading, .status, .ended, .durable, .durableOverflow, .durableEnded, .authorization, .prompted: break
    }
  }

  private mutating func post(_ content: DurableEvent.Content, to id: DurableID, now: Instant) {
    guard var name = self.names[id] else { return }
    let through = name.inbox.append(content, at: now, limits: self.settings.inbox)
    if let event = name.inbox.events.last { self.changes.append(.putEvent(id, event)) }
    if let through { self.changes.append(.overflow(id, through: through, dropped: name.inbox.dropped)) }
    self.names[id] = name
    guard let attachment = name.attachment else { return self.wake(id, now: now) }
    if !attachment.isCatchingUp { self.deliver(id) }
  }

  /// Sends an attached client what it has not been sent yet: all at once what is new, a few at a time what waited.
  mutating func deliver(_ id: DurableID) {
    guard var name = self.names[id], var attachment = name.attachment else { return }
    // An event is told once it is kept.
    guard !self.isBehind(id) else { return self.behind.insert(.name(id)) }
    if name.inbox.dropped > 0, attachment.isToBeTold(ofDropsThrough: name.inbox.droppedThrough) {
      attachment.isOverflowTold = true
      self.committed.append(
        .notify(attachment.client, .durableOverflow(name: id.name, dropped: name.inbox.dropped)))
      self.changes.append(.overflow(id, through: 0, dropped: 0))
      name.inbox.overflowTold()
    }
    let events = name.inbox.events(from: attachment.next, atMost: DurableName.window, fixes: DurableName.windowFixes)
    for event in events { self.committed.append(.notify(attachment.client, .durable(name: id.name, event))) }
    // Where none is left from there on, none waits: the client may have acknowledged what it was not sent.
    attachment.next = (events.last?.id ?? name.inbox.lastEvent) + 1
    let isMore = attachment.next <= name.inbox.lastEvent
    if isMore { self.committed.append(.tellWhenTaken(attachment.client)) }
    attachment.isCatchingUp = isMore
    name.attachment = attachment
    self.names[id] = name
  }

  /// A client that was sent some of what waited has taken it.
  mutating func taken(by client: ClientID) {
    for id in self.attachedNames(client) where self.names[id]?.attachment?.isCatchingUp == true { self.deliver(id) }
  }

  // MARK: Clients

  mutating func attach(
    name: String, sinceEvent: UInt64?, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    guard let found = self.ownName(name, of: call) else {
      return actions.append(.answer(call, .failed(.noDurable(name: name))))
    }
    let id = found.id
    if let sinceEvent, sinceEvent > found.inbox.lastEvent {
      let newest = found.inbox.lastEvent
      return actions.append(
        .answer(
          call, .failed(.invalid(parameter: "sinceEvent", expected: "at most \(newest), the newest event's number"))))
    }
    if let older = found.attachment?.client {
      self.takeBack(id, from: older)
      if older != call.client { actions.append(.notify(older, .durableEnded(name: name, .replaced))) }
    }
    // Attached first: nothing is started for what it is to take.
    self.names.modify(id) { name in
      name.attachment = DurableName.Attachment(client: call.client, next: 0, isCatchingUp: false)
    }
    if let sinceEvent { self.acknowledge(id, through: sinceEvent, now: now) }
    self.adopt(id, by: call, now: now, into: &actions)
    self.names.modify(id) { $0.attachment?.next = $0.inbox.events.first?.id ?? $0.inbox.lastEvent + 1 }
    // That a client is attached need not last, nor what it acknowledges with it: that comes again otherwise.
    let info = self.durableInfo(id, listing: Self.listedRegions, now: now)
    if let info { actions.append(.answer(call, .durable(info))) }
    self.deliver(id)
  }

  mutating func acknowledge(name: String, event: UInt64, as call: CallID, now: Instant, into actions: inout [Action]) {
    guard let found = self.ownName(name, of: call) else {
      return actions.append(.answer(call, .failed(.noDurable(name: name))))
    }
    let id = found.id
    guard event <= found.inbox.lastEvent else {
      let newest = found.inbox.lastEvent
      return actions.append(
        .answer(call, .failed(.invalid(parameter: "event", expected: "at most \(newest), the newest event's number"))))
    }
    self.acknowledge(id, through: event, now: now)
    if let info = self.durableInfo(id, listing: 0, now: now) { self.committed.append(.answer(call, .durable(info))) }
  }

  private mutating func acknowledge(_ id: DurableID, through event: UInt64, now: Instant) {
    self.changes.append(.acknowledge(id, through: event))
    let limit = self.settings.inbox.events
    self.names.modify(id) { name in
      name.inbox.acknowledge(through: event)
      // What is dropped once the client keeps up again is another story.
      if name.inbox.events.count <= limit / 2 { name.attachment?.isOverflowTold = false }
    }
    self.wake(id, now: now)
  }

  mutating func listDurables(as call: CallID, now: Instant, into actions: inout [Action]) {
    let uid = self.user(of: call.client)
    let user = self.clients[call.client]?.principal.user
    // All share one answer.
    var room = Self.listedRegions
    let own = self.names.keys(of: uid).filter { self.names[$0]?.user == user }.sorted().compactMap { id in
      let info = self.durableInfo(id, listing: room, now: now)
      room -= info?.regions.count ?? 0
      return info
    }
    actions.append(.answer(call, .durables(own)))
  }

  mutating func removeDurable(name: String, as call: CallID, now: Instant, into actions: inout [Action]) {
    guard let found = self.ownName(name, of: call), var info = self.durableInfo(found.id, listing: 0, now: now)
    else {
      return actions.append(.answer(call, .failed(.noDurable(name: name))))
    }
    info.isAttached = false
    if let client = found.attachment?.client, client != call.client {
      self.committed.append(.notify(client, .durableEnded(name: name, .cancelled)))
    }
    self.committed.append(.answer(call, .durable(info)))
    self.forgetName(found, now: now)
  }

  /// Removes a name with all that belongs to it. Its events' numbers are not used again.
  mutating func forgetName(_ name: DurableName, now: Instant) {
    self.changes.append(.removeName(name.id))
    for subscription in self.subscriptionIDs(of: name.holder) {
      self.remove(subscription, of: name.id.uid, now: now)
    }
    self.views.join(name.view, by: -1)
    self.holders[name.holder] = nil
    self.names[name.id] = nil
    // Not before: what is nobody's is not moved, but removed.
    self.forgetRegions(
      of: name.holder, user: name.id.uid, count: name.regions, corners: name.corners, now: now)
    self.retired[name.id.uid] = max(self.retired[name.id.uid] ?? 0, name.inbox.lastEvent)
    self.setDeadline(nil, for: .wake(name.id))
  }

  /// - Parameter count: how many of its regions are wanted; the others are only counted.
  private func durableInfo(_ id: DurableID, listing count: Int, now: Instant) -> DurableInfo? {
    self.names[id].map { name in
      let listed = count > 0 ? self.regions(of: name.holder, atMost: count, now: now).regions : []
      return DurableInfo(
        name: id.name, wake: name.wake, regions: listed, regionsOmitted: name.regions - listed.count,
        position: self.positions[name.position]?.parameters,
        hasVisits: self.visits[name.visits] != nil, waiting: name.inbox.events.count, lastEvent: name.inbox.lastEvent,
        isAttached: name.attachment != nil, wakeTrouble: name.wakeTrouble)
    }
  }

  private func attachedNames(_ client: ClientID) -> [DurableID] {
    self.names.keys(of: self.user(of: client)).filter { self.names[$0]?.attachment?.client == client }
  }

  /// What a client was still to be sent comes anew, or to another.
  private mutating func takeBack(_ id: DurableID, from client: ClientID) {
    let lost = self.commits.dropDeliveries(of: id.name, to: client)
    guard lost > 0, var name = self.names[id] else { return }
    name.inbox.overflowNotTold(lost)
    self.names[id] = name
    self.changes.append(.overflow(id, through: 0, dropped: name.inbox.dropped))
  }

  /// The client left: what it did not acknowledge waits again, and is to wake as if it had just happened.
  ///
  /// - Returns: under which names.
  mutating func detach(_ client: ClientID, of user: UInt32) -> [DurableID] {
    let ids = self.names.keys(of: user).filter { self.names[$0]?.attachment?.client == client }
    for id in ids {
      self.takeBack(id, from: client)
      self.names.modify(id) { name in
        name.attachment = nil
        name.wokenThrough = 0
      }
    }
    return ids
  }

  // MARK: Restoring

  mutating func restore(_ stored: StoredState, now: Instant) {
    self.retired = stored.retired
    self.wakes = WakeLedger(restoring: stored.wakeStarts, now: now)
    for target in stored.wakeStarts.keys.sorted() where self.wakes.starts[target] == nil {
      self.changes.append(.removeWakeStart(target))
    }
    if let memory = stored.visitMemories[.everything] {
      self.visitDetector = VisitDetector(restoring: memory)
      self.visitKeeper = VisitKeeper(kept: memory)
    }
    for kept in stored.names {
      var name = self.newName(kept.id, user: kept.user)
      name.groups = kept.groups
      name.wake = kept.wake
      name.isSuspended = !kept.isOwnerKnown
      name.view = self.holderAccess(of: name).view
      // It is told nothing while it waits, and loses nothing.
      name.keptView = self.isWaiting(name) ? kept.view : name.view
      // What it knew by a permission that is gone meanwhile it knows no more.
      let isSame = kept.view == name.keptView
      if !isSame { self.changes.append(.setView(kept.id, name.keptView)) }
      if let last = kept.events.last, !isSame { self.changes.append(.acknowledge(kept.id, through: last.id)) }
      name.inbox = Inbox(events: isSame ? kept.events : [], lastEvent: kept.lastEvent, dropped: kept.dropped)
      self.names[kept.id] = name
      self.enter(name.view, now: now)
      if var position = kept.position {
        if !isSame, position.lastDelivered != nil {
          position.lastDelivered = nil
          self.changes.append(.putPosition(kept.id, position))
        }
        self.insert(
          PositionSubscription(
            id: name.position, restoring: position, view: name.view, availability: self.availability(of: name.holder),
            now: now), now: now)
      }
      self.restore(kept.regions, of: name.holder, isKnown: isSame, now: now)
      if kept.hasVisits { self.insertVisits(name.visits, now: now) }
      // What came just before the daemon ended may not have woken anybody.
      if name.isStartOwed, name.wake != nil { self.setDeadline(now, for: .wake(kept.id)) }
    }
  }
}

extension DurableName.Attachment {
  /// Whether the client is told now of events that were dropped, the newest of them this one. What it was never sent
  /// leaves a gap in what it gets, and is told at once; what it was sent and did not acknowledge is told once.
  fileprivate func isToBeTold(ofDropsThrough newest: UInt64) -> Bool {
    !self.isOverflowTold || newest >= self.next
  }
}
