import Positioning

/// Durable names: registrations that outlive their clients, with events that wait for one.
extension BrokerMachine {
  // MARK: Registering

  /// Whether the user may register under the name.
  func check(_ request: DurableRequest, as call: CallID) throws(CallFailure) {
    guard let principal = self.clients[call.client]?.principal else { return }
    guard principal.mayKeep else {
      throw .restricted(
        what: "nothing is kept for \(principal.description): its number has no name, or is lent by systemd",
        remedy: "run the program as a user of its own: User= in its unit, without DynamicUser=")
    }
    if let unit = request.wake, !self.mayWake(unit, principal) {
      throw .restricted(
        what: "no rule lets \(principal.description) wake \(unit)",
        remedy: "an administrator adds wake=\(unit) to a rule for this user in positiond.conf")
    }
    let id = DurableID(uid: principal.uid, name: request.name)
    if self.names[id] == nil { try self.names.checkRoom(of: id.uid, self.settings) }
  }

  /// The user's name with this text; it is an error if there is none.
  private func existingName(_ name: String, of call: CallID) throws(CallFailure) -> DurableName {
    guard let found = self.ownName(name, of: call) else { throw .noDurable(name: name) }
    return found
  }

  /// The user's name with this text. A name of the previous owner of the user's number belongs to nobody.
  func ownName(_ name: String, of call: CallID) -> DurableName? {
    guard let principal = self.clients[call.client]?.principal else { return nil }
    return self.names[DurableID(uid: principal.uid, name: name)].flatMap { $0.user == principal.user ? $0 : nil }
  }

  /// The name, created if necessary. The caller adds the registration in the same turn.
  mutating func name(
    for request: DurableRequest, as call: CallID, _ turn: inout Turn
  ) -> DurableName {
    let id = DurableID(uid: self.user(of: call.client), name: request.name)
    let principal = self.clients[call.client]?.principal
    let name = self.names[id] ?? self.names.new(id, user: principal?.user, groups: principal?.holderGroups ?? [])
    if self.names[id] == nil {
      let feed = self.holderAccess(of: name).feed
      self.enter(feed, now: turn.now)
      self.carryOut(self.names.add(name, seeing: feed, wake: request.wake))
    } else {
      if let wake = request.wake { self.carryOut(self.names.setUnit(wake, of: name)) }
      self.adopt(id, with: principal?.holderGroups, &turn)
    }
    return self.names[id] ?? name
  }

  /// A client of the user is there: its groups are taken for the user's.
  mutating func adopt(_ id: DurableID, with groups: [UInt32]?, _ turn: inout Turn) {
    guard let groups else { return }
    self.names.learn(groups, of: id)
    self.reconsider(id, &turn)
    self.wake(id, now: turn.now)
  }

  mutating func carryOut(_ effects: [DurableNames.Effect]) {
    for effect in effects {
      switch effect {
      case .store(let change): self.commits.store(change)
      case .follow(let follower): self.commits.follow(follower)
      case .owe(let id): self.commits.owe(.name(id))
      }
    }
  }

  mutating func subscribe(
    _ parameters: SubscriptionParameters, durable request: DurableRequest, as asker: Asker<SubscriptionAnswer>,
    _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    let user = self.user(of: asker.client)
    let old = self.subscriptions.position(DurableName.position(of: DurableID(uid: user, name: request.name)))
    guard parameters.mode == .significant || parameters.mode == .deferred else {
      throw .invalid(parameter: "durable", expected: "mode significant or deferred with it")
    }
    try self.subscriptions.check(parameters, replacing: old?.parameters, of: user, self.settings)
    try self.check(request, as: asker.id)
    let name = self.name(for: request, as: asker.id, &turn)
    // A program that registers again whenever it starts must get no event by that.
    if let old, old.parameters.mode == parameters.mode {
      let effects = self.subscriptions.register(
        again: name.position, parameters, availability: self.availability(of: name.holder), now: turn.now)
      return self.changed(name.position, effects, as: asker, &turn)
    }
    if old != nil { self.carryOut(self.subscriptions.end(name.position, reason: .replaced, now: turn.now), &turn) }
    let subscription = self.position(name.position, parameters, now: turn.now)
    self.begin(.position(subscription))
    self.commits.store(.putPosition(name.id, subscription.stored))
    return asker.begun(name.position)
  }

  // MARK: Events

  /// Puts an event of a registration into the name's inbox.
  mutating func post(_ content: DurableContent, to id: DurableID, now: Instant) {
    self.carryOut(self.names.post(content, to: id, self.settings.inbox, now: now))
    guard let attachment = self.names[id]?.attachment else { return self.wake(id, now: now) }
    if !attachment.isCatchingUp { self.deliver(id) }
  }

  mutating func deliver(_ id: DurableID) {
    self.carryOut(self.names.deliver(id, isBehind: self.commits.isBehind(id)))
  }

  /// A client has taken the waiting events that it was sent.
  mutating func taken(by client: ClientID) {
    for id in self.names.ids(attachedTo: client, of: self.user(of: client))
    where self.names[id]?.attachment?.isCatchingUp == true {
      self.deliver(id)
    }
  }

  // MARK: Clients

  mutating func attach(
    name: String, sinceEvent: UInt64?, as asker: Asker<DurableInfo>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    let call = asker.id
    let found = try self.existingName(name, of: call)
    let id = found.id
    if let sinceEvent { try found.check(sinceEvent, parameter: "sinceEvent") }
    if let older = found.attachment?.client {
      self.takeBack(id, from: older)
      if older != call.client { turn.notify(older, .durableEnded(name: name, .replaced)) }
    }
    // Attached first, so that no unit is started for events that this client takes.
    self.names.attach(call.client, to: id)
    if let sinceEvent { self.acknowledge(id, through: sinceEvent, now: turn.now) }
    self.adopt(id, with: self.clients[call.client]?.principal.holderGroups, &turn)
    self.names.beginDelivery(id)
    let info = self.durableInfo(found, listing: Self.listedRegions, now: turn.now)
    turn.placeAnswer(after: self.commits.newFollowers.count)
    self.deliver(id)
    // Neither the attachment nor its acknowledgement has to be stored: unacknowledged events are delivered again.
    return asker.now(info)
  }

  mutating func acknowledge(
    name: String, event: UInt64, as asker: Asker<DurableInfo>, now: Instant
  ) throws(CallFailure) -> Answering {
    let found = try self.existingName(name, of: asker.id)
    try found.check(event, parameter: "event")
    self.acknowledge(found.id, through: event, now: now)
    return asker.afterCommit(self.durableInfo(found, listing: 0, now: now))
  }

  private mutating func acknowledge(_ id: DurableID, through event: UInt64, now: Instant) {
    self.carryOut(self.names.acknowledge(id, through: event, self.settings.inbox))
    self.wake(id, now: now)
  }

  func durables(of client: ClientID, now: Instant) -> [DurableInfo] {
    guard let principal = self.clients[client]?.principal else { return [] }
    // The list of all names must fit into one answer.
    var room = Self.listedRegions
    return self.names.ids(of: principal.uid).sorted().compactMap { self.names[$0] }.filter {
      $0.user == principal.user
    }
    .map { name in
      let info = self.durableInfo(name, listing: room, now: now)
      room -= info.regions.count
      return info
    }
  }

  mutating func removeDurable(
    name: String, as asker: Asker<DurableInfo>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    let found = try self.existingName(name, of: asker.id)
    var info = self.durableInfo(found, listing: 0, now: turn.now)
    info.isAttached = false
    if let client = found.attachment?.client, client != asker.client {
      self.commits.follow(.notify(client, .durableEnded(name: name, .cancelled)))
    }
    self.forgetName(found, &turn)
    return asker.afterCommit(info)
  }

  /// Removes a name with all that belongs to it.
  mutating func forgetName(_ name: DurableName, _ turn: inout Turn) {
    self.commits.store(.removeName(name.id))
    if self.subscriptions.removeAll(of: name.holder) { self.refreshVisits(now: turn.now) }
    self.feeds.leave(name.feed)
    self.names.remove(name)
    // Not before: regions without a holder are removed rather than moved.
    self.forgetRegions(of: name.holder, &turn)
  }

  /// - Parameter count: How many regions to list; the others are only counted.
  private func durableInfo(_ found: DurableName, listing count: Int, now: Instant) -> DurableInfo {
    let name = self.names[found.id] ?? found
    let listed = count > 0 ? self.regions(of: name.holder, atMost: count, now: now).regions : []
    return DurableInfo(
      name: name.id.name, wake: name.wake, regions: listed,
      regionsOmitted: self.feeds.regionCount(of: name.holder) - listed.count,
      position: self.subscriptions.position(name.position)?.parameters,
      hasVisits: self.subscriptions[name.visits] != nil, waiting: name.inbox.events.count,
      lastEvent: name.inbox.lastEvent,
      isAttached: name.attachment != nil, wakeError: name.wakeError)
  }

  /// The events that a client was not yet sent will be sent again, possibly to another client.
  private mutating func takeBack(_ id: DurableID, from client: ClientID) {
    let lost = self.commits.dropDeliveries(of: id.name, to: client)
    self.carryOut(self.names.overflowNotReported(lost, of: id))
  }

  /// The client gets no events any more.
  ///
  /// - Returns: The names that it was attached to.
  mutating func detach(_ client: ClientID, of user: UInt32) -> [DurableID] {
    let ids = self.names.ids(attachedTo: client, of: user)
    for id in ids {
      self.takeBack(id, from: client)
      self.names.detach(id)
    }
    return ids
  }

  // MARK: Restoring

  mutating func restore(_ stored: StoredState, now: Instant) {
    for target in stored.wakeStarts.keys.sorted() where self.names.wakeStarts[target] == nil {
      self.commits.store(.removeWakeStart(target))
    }
    for kept in stored.names {
      let new = self.names.new(kept.id, user: kept.user, groups: kept.groups, isSuspended: !kept.isOwnerKnown)
      let feed = self.holderAccess(of: new).feed
      // The name is not notified while it waits, and loses nothing.
      let keptFeed = self.isWaiting(new) ? kept.feed : feed
      // States and events of a permission that was withdrawn meanwhile are removed.
      let isSame = kept.feed == keptFeed
      self.carryOut(self.names.restore(new, kept, seeing: feed, kept: keptFeed))
      let name = self.names[kept.id] ?? new
      self.enter(name.feed, now: now)
      if var position = kept.position {
        if !isSame, position.lastDelivered != nil {
          position.lastDelivered = nil
          self.commits.store(.putPosition(kept.id, position))
        }
        self.begin(
          .position(
            PositionSubscription(
              id: name.position, restoring: position, feed: name.feed, availability: self.availability(of: name.holder),
              now: now)))
      }
      let changes = self.feeds.restore(
        kept.regions, of: name.holder, kept.id.uid, seeing: name.feed, isKnown: isSame, waits: self.isWaiting(name),
        now: now)
      for change in changes { self.commits.store(change) }
      if kept.hasVisits { self.beginVisits(name.visits, now: now) }
      self.names.checkStart(of: kept.id, now: now)
    }
  }
}

/// Waking: a unit is started for events of a durable name without an attached client.
extension BrokerMachine {
  /// Root needs no rule. A grant by unit does not hold for the unit's user.
  func mayWake(_ unit: String, _ principal: Principal) -> Bool {
    principal.uid == 0 || self.access(of: principal.asHolder).wake.contains(unit)
  }

  /// The unit to start for the name's waiting events; `nil`: none, or none that is allowed.
  private func owedStart(of id: DurableID) -> String? {
    guard let name = self.names[id], name.isStartOwed, !name.isSuspended, let unit = name.wake,
      self.mayWake(unit, name.principal)
    else { return nil }
    return unit
  }

  /// Starts the name's unit if an event waits, now or as soon as it may be started again.
  mutating func wake(_ id: DurableID, now: Instant) {
    let unit = self.isStopping ? nil : self.owedStart(of: id)
    self.carryOut(self.names.wake(id, by: unit, isBehind: self.commits.isBehind(id), now: now))
  }

  /// The start is stored. Returns whether it happens, which is checked again.
  mutating func takeStart(of unit: String, for id: DurableID, now: Instant) -> Bool {
    guard self.owedStart(of: id) == unit else { return false }
    self.carryOut(self.names.started(unit, for: id, now: now))
    return true
  }

  mutating func unitStarted(for id: DurableID, error: String?, _ turn: inout Turn) {
    guard let unit = self.names[id]?.wake else { return }
    self.names.unitStarted(for: id, error: error)
    if let error {
      turn.log(
        .unitNotStarted,
        "\(unit, .unit) was not started for \(id.name, .durableName) of user \(id.uid, .user): \(error)")
    } else {
      turn.log(.unitStarted, "\(unit, .unit) was started for \(id.name, .durableName) of user \(id.uid, .user)")
    }
  }
}

/// How changes are committed to the store.
extension BrokerMachine {
  /// Stores waiting changes as far as there is room, and what follows from them.
  ///
  /// - Parameter slice: The most of them; `nil`: as the settings say.
  mutating func catchUp(slice: Int? = nil, now: Instant) {
    guard self.commits.hasRoom, !self.commits.owesNothing else { return }
    let slice = slice ?? self.settings.catchUpSlice
    var states: [StoreChange] = []
    var weight = 0
    while weight < slice, let subject = self.commits.takeOwed() {
      if case .name(let id) = subject {
        self.deliver(id)
        self.wake(id, now: now)
      }
      let state = self.state(of: subject)
      weight += state.weight
      states.append(state)
    }
    self.commits.catchUp(with: states)
  }

  /// The current state of the thing.
  private func state(of subject: StoreSubject) -> StoreChange {
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
    case .stoppedReceiver: .putStoppedReceiver(self.stoppedReceiver)
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
      let limit = self.clients[call.client]?.access.limit
      if let limit, !limit.allows(answer.sensitivity) { return turn.fail(call, limit.denial) }
      turn.act(.answer(call, answer))
    case .notify(let client, let notification):
      guard error == nil, let limit = self.clients[client]?.access.limit,
        limit.allows(notification.sensitivity)
      else { return }
      turn.notify(client, notification)
    case .reportWhenTaken(let client): turn.act(.reportWhenTaken(client))
    case .startUnit(let unit, let id):
      if error == nil, self.takeStart(of: unit, for: id, now: turn.now) { turn.act(.startUnit(unit, for: id)) }
    case .decide(let pending): self.carryOut(self.permissions.confirmed(pending, error: error), &turn)
    case .show(let reduced): self.show(reduced, isKept: error == nil, &turn)
    case .shown: break
    case .reportStoppedReceiver: turn.act(.reportStoppedReceiver(error: error))
    }
  }

  /// The disk takes too long.
  mutating func answerOverdue(_ turn: inout Turn) {
    let overdue = self.commits.takeOverdue(now: turn.now)
    self.carryOut(self.permissions.giveUp(overdue.decisions), &turn)
    let reason = "the disk has not taken it in \(DiskTimeout.registration.components.seconds) s, and may do so later"
    for call in overdue.calls { turn.fail(call, .notStored(reason)) }
  }

  // MARK: Reduced fixes

  /// - Parameter isKept: Whether it is stored.
  private mutating func show(_ pending: PendingReducedFix, isKept: Bool, _ turn: inout Turn) {
    let (shown, correction) = self.feeds.confirmed(
      pending.reduced, of: pending.fix, kept: pending.kept, isKept: isKept)
    if let correction { self.commits.store(correction) }
    self.show(shown, epoch: pending.epoch, to: .reduced, &turn)
  }

  /// A reduced fix is delivered once it is stored; if nothing can be stored, it is delivered anyway. The log says so
  /// already.
  mutating func releaseReducedFixes(_ turn: inout Turn) {
    guard self.commits.denial != nil else { return }
    for pending in self.commits.takeReducedFixes() { self.show(pending, isKept: false, &turn) }
  }
}
