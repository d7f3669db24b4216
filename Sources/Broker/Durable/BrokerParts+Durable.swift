import Positioning

/// Durable names: registrations that outlive their clients, with events that wait for one.
extension BrokerParts {
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

  /// The same for a name that must exist.
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
    let isNew = self.names[id] == nil
    var name = self.names[id] ?? self.names.new(id, user: principal?.user)
    if isNew {
      name.groups = principal?.holderGroups ?? []
      name.feed = self.holderAccess(of: name).feed
      name.keptFeed = name.feed
      self.enter(name.feed, &turn)
      turn.store(.putName(id, user: name.user, wake: request.wake))
      turn.store(.setFeed(id, name.feed))
      name.wake = request.wake
      self.names.put(name)
    } else {
      if let wake = request.wake, wake != name.wake {
        self.names.modify(id) { $0.wake = wake }
        turn.store(.putName(id, user: name.user, wake: wake))
      }
      self.adopt(id, by: call, &turn)
    }
    return self.names[id] ?? name
  }

  /// A client of the user connects: its groups are taken for the user's.
  mutating func adopt(_ id: DurableID, by call: CallID, _ turn: inout Turn) {
    guard let groups = self.clients[call.client]?.principal.holderGroups else { return }
    self.names.modify(id) { ($0.groups, $0.isSuspended) = (groups, false) }
    self.reconsider(id, &turn)
    self.wake(id, &turn)
  }

  mutating func subscribe(
    _ parameters: SubscriptionParameters, durable request: DurableRequest, as asker: Asker<SubscriptionAnswer>,
    _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    let user = self.user(of: asker.client)
    let old = self.subscriptions.position(DurableName(id: DurableID(uid: user, name: request.name), user: nil).position)
    guard parameters.mode == .significant || parameters.mode == .deferred else {
      throw .invalid(parameter: "durable", expected: "mode significant or deferred with it")
    }
    try self.subscriptions.check(parameters, replacing: old?.parameters, of: user, self.settings)
    try self.check(request, as: asker.id)
    let name = self.name(for: request, as: asker.id, &turn)
    // A program that registers again whenever it starts must get no event by that.
    if let old, old.parameters.mode == parameters.mode {
      return self.change(name.position, as: asker, &turn) { position, availability, now in
        position.register(again: parameters, availability: availability, now: now)
      }
    }
    if old != nil { self.end(name.position, reason: .replaced, &turn) }
    let subscription = self.position(name.position, parameters, now: turn.now)
    self.insert(.position(subscription))
    turn.store(.putPosition(name.id, subscription.stored))
    return asker.begun(name.position)
  }

  // MARK: Events

  /// Puts an event of a registration into the name's inbox.
  mutating func post(_ notification: Notification, to id: DurableID, _ turn: inout Turn) {
    switch notification {
    case .position(let subscription, let update):
      // A change without a fix is of no use to a client that attaches later, except the end of what it waits for.
      let isEnd = update.reason == .acquisitionFailed || update.reason == .expired
      guard isEnd || update.fix != nil || !update.fixes.isEmpty,
        let position = self.subscriptions.position(subscription)
      else { return }
      turn.store(.putPosition(id, position.stored))
      self.add(.position(update), to: id, &turn)
    case .region(let event): self.add(.region(event), to: id, &turn)
    case .visit(_, let visit): self.add(.visit(visit), to: id, &turn)
    case .sky, .heading, .status, .ended, .durable, .durableOverflow, .durableEnded, .authorization, .prompted: break
    }
  }

  private mutating func add(_ content: DurableContent, to id: DurableID, _ turn: inout Turn) {
    guard var name = self.names[id] else { return }
    let through = name.inbox.append(content, at: turn.now, limits: self.settings.inbox)
    if let event = name.inbox.events.last { turn.store(.putEvent(id, event)) }
    if let through { turn.store(.overflow(id, through: through, dropped: name.inbox.dropped)) }
    self.names.put(name)
    guard let attachment = name.attachment else { return self.wake(id, &turn) }
    if !attachment.isCatchingUp { self.deliver(id, &turn) }
  }

  /// Sends the attached client the events that it does not have: new ones at once, waiting ones a few at a time.
  mutating func deliver(_ id: DurableID, _ turn: inout Turn) {
    guard var name = self.names[id], var attachment = name.attachment else { return }
    // An event is sent once it is stored.
    guard !self.commits.isBehind(id) else { return self.commits.owe(id) }
    if name.inbox.dropped > 0, attachment.isToBeNotified(ofDropsThrough: name.inbox.droppedThrough) {
      attachment.isOverflowReported = true
      turn.afterCommit(
        .notify(attachment.client, .durableOverflow(name: id.name, dropped: name.inbox.dropped)))
      turn.store(.overflow(id, through: 0, dropped: 0))
      name.inbox.overflowReported()
    }
    let events = name.inbox.events(from: attachment.next, atMost: DurableName.window, fixes: DurableName.windowFixes)
    for event in events { turn.afterCommit(.notify(attachment.client, .durable(name: id.name, event))) }
    // If no later event is left, none waits: the client may have acknowledged events that it was not sent.
    attachment.next = (events.last?.id ?? name.inbox.lastEvent) + 1
    let isMore = attachment.next <= name.inbox.lastEvent
    if isMore { turn.afterCommit(.reportWhenTaken(attachment.client)) }
    attachment.isCatchingUp = isMore
    name.attachment = attachment
    self.names.put(name)
  }

  /// A client has taken the waiting events that it was sent.
  mutating func taken(by client: ClientID, _ turn: inout Turn) {
    for id in self.names.ids(attachedTo: client, of: self.user(of: client))
    where self.names[id]?.attachment?.isCatchingUp == true {
      self.deliver(id, &turn)
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
      self.takeBack(id, from: older, &turn)
      if older != call.client { turn.notify(older, .durableEnded(name: name, .replaced)) }
    }
    // Attached first, so that no unit is started for events that this client takes.
    self.names.modify(id) { name in
      name.attachment = DurableName.Attachment(client: call.client, next: 0, isCatchingUp: false)
    }
    if let sinceEvent { self.acknowledge(id, through: sinceEvent, &turn) }
    self.adopt(id, by: call, &turn)
    self.names.modify(id) { $0.attachment?.next = $0.inbox.events.first?.id ?? $0.inbox.lastEvent + 1 }
    let info = self.durableInfo(found, listing: Self.listedRegions, now: turn.now)
    turn.placeAnswer()
    self.deliver(id, &turn)
    // Neither the attachment nor its acknowledgement must be stored: unacknowledged events are delivered again.
    return asker.now(info)
  }

  mutating func acknowledge(
    name: String, event: UInt64, as asker: Asker<DurableInfo>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    let found = try self.existingName(name, of: asker.id)
    try found.check(event, parameter: "event")
    self.acknowledge(found.id, through: event, &turn)
    return asker.afterCommit(self.durableInfo(found, listing: 0, now: turn.now))
  }

  private mutating func acknowledge(_ id: DurableID, through event: UInt64, _ turn: inout Turn) {
    turn.store(.acknowledge(id, through: event))
    let limit = self.settings.inbox.events
    self.names.modify(id) { name in
      name.inbox.acknowledge(through: event)
      // Once the client keeps up again, further drops are reported again.
      if name.inbox.events.count <= limit / 2 { name.attachment?.isOverflowReported = false }
    }
    self.wake(id, &turn)
  }

  func durables(of client: ClientID, now: Instant) -> [DurableInfo] {
    guard let principal = self.clients[client]?.principal else { return [] }
    // All names share one answer.
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
      turn.afterCommit(.notify(client, .durableEnded(name: name, .cancelled)))
    }
    self.forgetName(found, &turn)
    return asker.afterCommit(info)
  }

  /// Removes a name with all that belongs to it.
  mutating func forgetName(_ name: DurableName, _ turn: inout Turn) {
    turn.store(.removeName(name.id))
    for subscription in self.subscriptions.ids(of: name.holder) { self.remove(subscription, &turn) }
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
  private mutating func takeBack(_ id: DurableID, from client: ClientID, _ turn: inout Turn) {
    let lost = self.commits.dropDeliveries(of: id.name, to: client)
    guard lost > 0, var name = self.names[id] else { return }
    name.inbox.overflowNotReported(lost)
    self.names.put(name)
    turn.store(.overflow(id, through: 0, dropped: name.inbox.dropped))
  }

  /// The client has left: events that it did not acknowledge wait again, and may start the unit as new ones do.
  ///
  /// - Returns: The names that it was attached to.
  mutating func detach(_ client: ClientID, of user: UInt32, _ turn: inout Turn) -> [DurableID] {
    let ids = self.names.ids(attachedTo: client, of: user)
    for id in ids {
      self.takeBack(id, from: client, &turn)
      self.names.modify(id) { name in
        name.attachment = nil
        name.wokenThrough = 0
      }
    }
    return ids
  }

  // MARK: Restoring

  mutating func restore(_ stored: StoredState, _ turn: inout Turn) {
    for target in stored.wakeStarts.keys.sorted() where self.names.wakeStarts[target] == nil {
      turn.store(.removeWakeStart(target))
    }
    for kept in stored.names {
      var name = self.names.new(kept.id, user: kept.user)
      name.groups = kept.groups
      name.wake = kept.wake
      name.isSuspended = !kept.isOwnerKnown
      name.feed = self.holderAccess(of: name).feed
      // The name is not notified while it waits, and loses nothing.
      name.keptFeed = self.isWaiting(name) ? kept.feed : name.feed
      // States and events of a permission that was withdrawn meanwhile are removed.
      let isSame = kept.feed == name.keptFeed
      if !isSame { turn.store(.setFeed(kept.id, name.keptFeed)) }
      if let last = kept.events.last, !isSame { turn.store(.acknowledge(kept.id, through: last.id)) }
      name.inbox = Inbox(events: isSame ? kept.events : [], lastEvent: kept.lastEvent, dropped: kept.dropped)
      self.names.put(name)
      self.enter(name.feed, &turn)
      if var position = kept.position {
        if !isSame, position.lastDelivered != nil {
          position.lastDelivered = nil
          turn.store(.putPosition(kept.id, position))
        }
        self.insert(
          .position(
            PositionSubscription(
              id: name.position, restoring: position, feed: name.feed, availability: self.availability(of: name.holder),
              now: turn.now)))
      }
      self.restore(kept.regions, of: name.holder, isKnown: isSame, &turn)
      if kept.hasVisits { self.insertVisits(name.visits, &turn) }
      // Events from just before the daemon ended may not have started the unit.
      if name.isStartOwed, name.wake != nil { self.names.setWake(at: turn.now, for: kept.id) }
    }
  }
}

extension DurableName {
  /// Whether there was an event with this number.
  fileprivate func check(_ event: UInt64, parameter: String) throws(CallFailure) {
    guard event > self.inbox.lastEvent else { return }
    throw .invalid(parameter: parameter, expected: "at most \(self.inbox.lastEvent), the newest event's number")
  }
}

extension DurableName.Attachment {
  /// Whether the client must be notified of dropped events now. If it was never sent them, there is a gap in what it
  /// gets, so it is notified at once. If it was sent them and did not acknowledge them, it is notified once.
  fileprivate func isToBeNotified(ofDropsThrough newest: UInt64) -> Bool {
    !self.isOverflowReported || newest >= self.next
  }
}
