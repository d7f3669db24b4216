import Positioning

/// Subscriptions: how they begin, are steered, and end.
extension BrokerMachine {
  /// The number of the client's next subscription.
  mutating func newSubscription(of call: CallID) throws(CallFailure) -> SubscriptionID {
    let (limit, userLimit) = (self.settings.maxSubscriptionsPerClient, self.settings.maxSubscriptionsPerUser)
    guard let client = self.clients[call.client], client.subscriptions < limit else {
      throw .limitExceeded(name: "max-subscriptions-per-client", value: limit)
    }
    guard self.holdings[client.principal.uid].subscriptions < userLimit else {
      throw .limitExceeded(name: "max-subscriptions-per-user", value: userLimit)
    }
    guard self.holdings.total.subscriptions < self.settings.maxSubscriptions else {
      throw .limitExceeded(name: "max-subscriptions", value: self.settings.maxSubscriptions)
    }
    self.clients[call.client]?.nextSubscription += 1
    self.countSubscriptions(1, of: call.client)
    return SubscriptionID(client: call.client, number: client.nextSubscription)
  }

  private mutating func countSubscriptions(_ difference: Int, of client: ClientID) {
    guard let user = self.clients[client]?.principal.uid else { return }
    self.clients[client]?.subscriptions += difference
    self.holdings.change(user) { $0.subscriptions += difference }
  }

  mutating func subscribeStatus(as call: CallID) throws(CallFailure) -> Reply {
    let limit = self.settings.maxStatusPerUser
    let user = self.user(of: call.client)
    guard self.holdings[user].statuses < limit else {
      throw .limitExceeded(name: "max-status-subscriptions-per-user", value: limit)
    }
    let id = try self.newSubscription(of: call)
    self.statuses[id] = StatusSubscription(id: id)
    self.statusRounds.join(id)
    self.holdings.change(user) { $0.statuses += 1 }
    return .begun(id)
  }

  mutating func subscribeSky(minInterval: Duration, as call: CallID) throws(CallFailure) -> Reply {
    let id = try self.newSubscription(of: call)
    self.skies[id] = SkySubscription(id: id, minInterval: minInterval)
    self.needs.set(.now, for: .subscription(id))
    return .begun(id)
  }

  mutating func subscribe(
    _ parameters: SubscriptionParameters, as call: CallID, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    try self.check(parameters, user: self.user(of: call.client))
    let id = try self.newSubscription(of: call)
    self.insert(
      PositionSubscription(
        id: id, parameters: parameters, view: self.view(of: id.client), availability: self.availability(of: id.client),
        lastFix: self.current?.arrival, now: turn.now), &turn)
    return .begun(id)
  }

  /// What a new subscription is told at once: what there is already.
  mutating func deliverFirst(to id: SubscriptionID, _ turn: inout Turn) {
    if let subscription = self.positions[id] {
      let (current, epoch) = (self.views[subscription.view].current, self.views[subscription.view].epoch)
      if let current, let update = self.positions.modify(id, { $0.replay(current, epoch: epoch, now: turn.now) }) ?? nil
      {
        self.tell([update], &turn)
      }
    } else if self.headings[id] != nil {
      let (heading, state) = (self.headingView.heading(now: turn.now), self.headingView.state(now: turn.now))
      if let update = self.headings.modify(id, { $0.told(heading, state, now: turn.now) }) ?? nil {
        self.tell(.heading(update), to: id.client, &turn)
      }
      self.setDeadline(self.headings[id]?.nextDeadline, for: .subscription(id))
    }
  }

  /// Whether the user may have a subscription with these parameters.
  func check(
    _ parameters: SubscriptionParameters, replacing old: SubscriptionParameters? = nil, user: UInt32
  ) throws(CallFailure) {
    do throws(InvalidParameter) { try parameters.check() } catch { throw CallFailure(error) }
    guard parameters.mode == .deferred, old?.mode != .deferred else { return }
    let (limit, userLimit) = (self.settings.maxDeferred, self.settings.maxDeferredPerUser)
    guard self.holdings[user].deferred < userLimit else {
      throw .limitExceeded(name: "max-deferred-per-user", value: userLimit)
    }
    guard self.holdings.total.deferred < limit else { throw .limitExceeded(name: "max-deferred", value: limit) }
  }

  mutating func updateSubscription(
    number: Int, _ change: SubscriptionChange, as call: CallID, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    let subscription = try self.position(number: number, of: call)
    let user = self.user(of: call.client)
    let parameters: SubscriptionParameters
    do throws(InvalidParameter) {
      parameters = try subscription.parameters.changed(by: change)
    } catch {
      throw CallFailure(error)
    }
    try self.check(parameters, replacing: subscription.parameters, user: user)
    self.countDeferred(subscription.parameters, by: -1, user: user)
    self.countDeferred(parameters, by: 1, user: user)
    return self.change(subscription.id, &turn) { subscription, _, now in
      subscription.change(to: parameters, renewsDuration: change.duration != nil, now: now)
    }
  }

  mutating func steer(
    number: Int, _ order: SubscriptionOrder, as call: CallID, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    let subscription = try self.position(number: number, of: call)
    let lastFix = self.current?.arrival
    return self.change(subscription.id, &turn) { subscription, availability, now in
      subscription.steer(order, availability: availability, lastFix: lastFix, now: now)
    }
  }

  /// The same for one that is durable.
  mutating func steer(
    name: String, _ order: SubscriptionOrder, as call: CallID, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    guard let position = self.ownName(name, of: call)?.position, self.positions[position] != nil else {
      throw .noDurable(name: name)
    }
    let lastFix = self.current?.arrival
    return self.change(position, &turn) { subscription, availability, now in
      subscription.steer(order, availability: availability, lastFix: lastFix, now: now)
    }
  }

  /// Changes a subscription, and tells what follows after the answer.
  private mutating func change(
    _ id: SubscriptionID, _ turn: inout Turn,
    _ change: (inout PositionSubscription, Availability, Instant) -> [PositionUpdate]
  ) -> Reply {
    turn.placeAnswer()
    let (availability, now) = (self.availability(of: id.client), turn.now)
    let before = self.positions[id]?.stored
    let updates = self.positions.modify(id) { change(&$0, availability, now) } ?? []
    self.refresh(id, &turn)
    self.tell(updates, &turn)
    if let name = self.holders[id.client], let stored = self.positions[id]?.stored, stored != before {
      turn.store(.putPosition(name, stored))
    }
    return .changed(id)
  }

  mutating func cancelSubscription(number: Int, as call: CallID, _ turn: inout Turn) throws(CallFailure) -> Reply {
    let id = SubscriptionID(client: call.client, number: number)
    guard var info = self.info(id) else { throw .noSubscription(number: number) }
    // What it collected is delivered while it still stands.
    let batches = self.positions.modify(id) { $0.flush(.ended, now: turn.now) } ?? []
    self.tell(batches, &turn)
    info.state = .ended
    self.remove(id, &turn)
    return .now(.subscription(info))
  }

  /// Ends a subscription that its client did not cancel, and tells it.
  mutating func end(_ id: SubscriptionID, reason: SubscriptionEnd, _ turn: inout Turn) {
    guard self.info(id) != nil else { return }
    let batches = self.positions.modify(id) { $0.flush(.ended, now: turn.now) } ?? []
    self.tell(batches, &turn)
    self.remove(id, &turn)
    if let name = self.holders[id.client] {
      turn.store(.removePosition(name))
    } else {
      self.tell(.ended(id, reason), to: id.client, &turn)
    }
  }

  mutating func deadlineReached(of id: SubscriptionID, _ turn: inout Turn) {
    guard let subscription = self.positions[id] else {
      return self.headingDeadlineReached(of: id, &turn)
    }
    if subscription.isExpired(now: turn.now) { return self.end(id, reason: .expired, &turn) }
    let current = self.views[subscription.view].current
    let updates = self.positions.modify(id) { $0.deadlineReached(current: current, now: turn.now) } ?? []
    self.tell(updates, &turn)
    self.settle(id, &turn)
  }

  /// After something happened to a subscription: its end, or else its next deadline and its need.
  mutating func settle(_ id: SubscriptionID, _ turn: inout Turn) {
    guard let subscription = self.positions[id] else { return }
    if subscription.isExpired(now: turn.now) {
      self.end(id, reason: .expired, &turn)
    } else {
      self.refresh(id, &turn)
    }
  }

  /// Tells what subscriptions deliver, in order.
  mutating func tell(_ updates: [PositionUpdate], _ turn: inout Turn) {
    for update in updates {
      self.tell(.position(update), to: update.subscription.client, &turn)
    }
  }

  // MARK: The tables

  func user(of client: ClientID) -> UInt32 {
    self.clients[client]?.principal.uid ?? self.holders[client]?.uid ?? .max
  }

  mutating func insert(_ subscription: PositionSubscription, _ turn: inout Turn) {
    self.positions[subscription.id] = subscription
    self.countDeferred(subscription.parameters, by: 1, user: self.user(of: subscription.id.client))
    self.refresh(subscription.id, &turn)
  }

  private mutating func countDeferred(_ parameters: SubscriptionParameters, by difference: Int, user: UInt32) {
    guard parameters.mode == .deferred else { return }
    self.holdings.change(user) { $0.deferred += difference }
  }

  mutating func remove(_ id: SubscriptionID, _ turn: inout Turn) {
    self.remove(id, of: self.user(of: id.client), &turn)
    self.countSubscriptions(-1, of: id.client)
  }

  mutating func remove(_ id: SubscriptionID, of user: UInt32, _ turn: inout Turn) {
    if let position = self.positions[id] { self.countDeferred(position.parameters, by: -1, user: user) }
    if self.statuses[id] != nil { self.holdings.change(user) { $0.statuses -= 1 } }
    self.forgetSubscription(id, &turn)
  }

  /// Takes a subscription from the tables and from the needs.
  mutating func forgetSubscription(_ id: SubscriptionID, _ turn: inout Turn) {
    self.setDeadline(nil, for: .subscription(id))
    self.needs.set(.none, for: .subscription(id))
    self.positions[id] = nil
    self.skies[id] = nil
    self.headings[id] = nil
    self.statuses[id] = nil
    guard self.visits[id] != nil else { return }
    self.visits[id] = nil
    self.refreshVisits(&turn)
  }

  func subscriptions(of client: ClientID) -> [SubscriptionInfo] {
    self.subscriptionIDs(of: client).sorted().compactMap { self.info($0) }
  }

  func info(_ id: SubscriptionID) -> SubscriptionInfo? {
    if let position = self.positions[id] { return position.info }
    let availability = self.availability(of: id.client)
    if let sky = self.skies[id] {
      return SubscriptionInfo(
        id: id, kind: .sky(minInterval: sky.minInterval), state: self.isPrecise(id.client) ? .delivering : .suspended,
        availability: availability, updates: sky.updates)
    }
    if let heading = self.headings[id] {
      var info = heading.info(availability: availability)
      if !self.isPrecise(id.client) { info.state = .suspended }
      return info
    }
    if let visits = self.visits[id] {
      return SubscriptionInfo(
        id: id, kind: .visits, state: self.isPrecise(id.client) ? .waiting : .suspended, availability: availability,
        updates: visits.updates)
    }
    return self.statuses[id].map {
      SubscriptionInfo(id: id, kind: .status, state: .delivering, availability: availability, updates: $0.updates)
    }
  }

  /// The client's subscription of that number, which must be one to positions.
  private func position(number: Int, of call: CallID) throws(CallFailure) -> PositionSubscription {
    let id = SubscriptionID(client: call.client, number: number)
    if let position = self.positions[id] { return position }
    throw self.info(id).map { .wrongKind(number: number, $0.kind) } ?? .noSubscription(number: number)
  }
}

extension PositionSubscription {
  mutating func steer(
    _ order: SubscriptionOrder, availability: Availability, lastFix: Instant?, now: Instant
  ) -> [PositionUpdate] {
    switch order {
    case .pause: self.pause()
    case .resume: self.resume(availability: availability, lastFix: lastFix, now: now)
    case .acquire: self.acquire(now: now)
    case .flush: self.flush(.flush, now: now)
    }
  }
}
