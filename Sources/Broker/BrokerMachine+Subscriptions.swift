import Positioning

/// Subscriptions: how they begin, are steered, and end.
extension BrokerMachine {
  /// The number of the client's next subscription, or the answer that it has too many.
  mutating func newSubscription(of call: CallID, into actions: inout [Action]) -> SubscriptionID? {
    let limit = self.settings.maxSubscriptionsPerClient
    guard let client = self.clients[call.client], client.subscriptions < limit else {
      actions.append(.answer(call, .failed(.limitExceeded(name: "max-subscriptions-per-client", value: limit))))
      return nil
    }
    let userLimit = self.settings.maxSubscriptionsPerUser
    guard self.holdings[client.principal.uid].subscriptions < userLimit else {
      actions.append(.answer(call, .failed(.limitExceeded(name: "max-subscriptions-per-user", value: userLimit))))
      return nil
    }
    guard self.holdings.total.subscriptions < self.settings.maxSubscriptions else {
      let limit = self.settings.maxSubscriptions
      actions.append(.answer(call, .failed(.limitExceeded(name: "max-subscriptions", value: limit))))
      return nil
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

  mutating func subscribeStatus(as call: CallID, now: Instant, into actions: inout [Action]) {
    let limit = self.settings.maxStatusPerUser
    let user = self.user(of: call.client)
    guard self.holdings[user].statuses < limit else {
      return actions.append(
        .answer(call, .failed(.limitExceeded(name: "max-status-subscriptions-per-user", value: limit))))
    }
    guard let id = self.newSubscription(of: call, into: &actions) else { return }
    self.statuses[id] = StatusSubscription(id: id)
    self.statusRounds.join(id)
    self.holdings.change(user) { $0.statuses += 1 }
    self.answerSubscribed(id, as: call, now: now, into: &actions)
  }

  mutating func subscribe(
    _ parameters: SubscriptionParameters, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    if let failure = self.refusal(of: parameters, user: self.user(of: call.client)) {
      return actions.append(.answer(call, .failed(failure)))
    }
    guard let id = self.newSubscription(of: call, into: &actions) else { return }
    // The receiver is planned first, so that the answer tells the availability that follows from this subscription.
    var consequences: [Action] = []
    let view = self.view(of: call.client)
    self.need(self.new(id, parameters, now: now).need, in: view, for: .subscription(id), now: now)
    self.plan(now: now, into: &consequences)
    self.tellAvailability(now: now, into: &consequences)
    let subscription = self.new(id, parameters, now: now)
    self.insert(subscription, now: now)
    actions.append(.answer(call, .subscribed(subscription.info)))
    actions += consequences
    let (current, epoch) = (self.views[view].current, self.views[view].epoch)
    if let current, let update = self.positions.modify(id, { $0.replay(current, epoch: epoch, now: now) }) ?? nil {
      self.tell([update], now: now, into: &actions)
    }
    self.settle(id, now: now, into: &actions)
  }

  private func new(_ id: SubscriptionID, _ parameters: SubscriptionParameters, now: Instant) -> PositionSubscription {
    PositionSubscription(
      id: id, parameters: parameters, view: self.view(of: id.client), availability: self.availability(of: id.client),
      lastFix: self.current?.arrival, now: now)
  }

  /// Why a subscription with these parameters cannot be had; `nil` where it can.
  func refusal(of parameters: SubscriptionParameters, replacing old: SubscriptionParameters? = nil, user: UInt32)
    -> CallFailure?
  {
    do throws(InvalidParameter) { try parameters.check() } catch { return CallFailure(error) }
    guard parameters.mode == .deferred, old?.mode != .deferred else { return nil }
    let (limit, userLimit) = (self.settings.maxDeferred, self.settings.maxDeferredPerUser)
    if self.holdings[user].deferred >= userLimit {
      return .limitExceeded(name: "max-deferred-per-user", value: userLimit)
    }
    return self.holdings.total.deferred < limit ? nil : .limitExceeded(name: "max-deferred", value: limit)
  }

  mutating func answerSubscribed(_ id: SubscriptionID, as call: CallID, now: Instant, into actions: inout [Action]) {
    var consequences: [Action] = []
    self.plan(now: now, into: &consequences)
    self.tellAvailability(now: now, into: &consequences)
    guard let info = self.info(id) else { return }
    actions.append(.answer(call, .subscribed(info)))
    actions += consequences
  }

  mutating func update(
    number: Int, _ change: SubscriptionChange, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    let id = SubscriptionID(client: call.client, number: number)
    guard let subscription = self.positions[id] else {
      return actions.append(.answer(call, .failed(self.failure(id))))
    }
    let user = self.user(of: call.client)
    let parameters: SubscriptionParameters
    do throws(InvalidParameter) {
      parameters = try subscription.parameters.changed(by: change)
    } catch {
      return actions.append(.answer(call, .failed(CallFailure(error))))
    }
    if let failure = self.refusal(of: parameters, replacing: subscription.parameters, user: user) {
      return actions.append(.answer(call, .failed(failure)))
    }
    self.countDeferred(subscription.parameters, by: -1, user: user)
    self.countDeferred(parameters, by: 1, user: user)
    self.steer(id, as: call, now: now, into: &actions) { subscription, _ in
      subscription.change(to: parameters, renewsDuration: change.duration != nil, now: now)
    }
  }

  mutating func steer(
    number: Int, _ order: SubscriptionOrder, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    let id = SubscriptionID(client: call.client, number: number)
    guard self.positions[id] != nil else {
      return actions.append(.answer(call, .failed(self.failure(id))))
    }
    let lastFix = self.current?.arrival
    self.steer(id, as: call, now: now, into: &actions) { subscription, availability in
      subscription.steer(order, availability: availability, lastFix: lastFix, now: now)
    }
  }

  /// Changes a subscription, and answers with what follows for it and for the receiver; then comes what it tells.
  private mutating func steer(
    _ id: SubscriptionID, as call: CallID, now: Instant, into actions: inout [Action],
    _ change: (inout PositionSubscription, Availability) -> [PositionUpdate]
  ) {
    let availability = self.availability(of: id.client)
    let before = self.positions[id]?.stored
    let updates = self.positions.modify(id) { change(&$0, availability) } ?? []
    self.refresh(id, now: now)
    var consequences: [Action] = []
    self.tell(updates, now: now, into: &consequences)
    self.plan(now: now, into: &consequences)
    self.tellAvailability(now: now, into: &consequences)
    guard let info = self.info(id) else { return }
    if id.client.isDurable, let name = self.holders[id.client] {
      if let stored = self.positions[id]?.stored, stored != before { self.changes.append(.putPosition(name, stored)) }
      self.committed.append(.answer(call, .durableSubscribed(name: name.name, info.state, info.availability)))
    } else {
      actions.append(.answer(call, .subscription(info)))
    }
    actions += consequences
    self.settle(id, now: now, into: &actions)
  }

  /// The same for one that is durable.
  mutating func steer(
    name: String, _ order: SubscriptionOrder, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    guard let position = self.ownName(name, of: call)?.position, self.positions[position] != nil else {
      return actions.append(.answer(call, .failed(.noDurable(name: name))))
    }
    let lastFix = self.current?.arrival
    self.steer(position, as: call, now: now, into: &actions) { subscription, availability in
      subscription.steer(order, availability: availability, lastFix: lastFix, now: now)
    }
  }

  mutating func cancelSubscription(number: Int, as call: CallID, now: Instant, into actions: inout [Action]) {
    let id = SubscriptionID(client: call.client, number: number)
    guard var info = self.info(id) else {
      return actions.append(.answer(call, .failed(.noSubscription(number: number))))
    }
    // What it collected is delivered while it still stands.
    let batches = self.positions.modify(id) { $0.flush(.ended, now: now) } ?? []
    self.tell(batches, now: now, into: &actions)
    info.state = .ended
    self.remove(id, now: now)
    actions.append(.answer(call, .subscription(info)))
  }

  /// Ends a subscription that its client did not cancel, and tells it.
  mutating func end(_ id: SubscriptionID, reason: SubscriptionEnd, now: Instant, into actions: inout [Action]) {
    guard self.info(id) != nil else { return }
    let batches = self.positions.modify(id) { $0.flush(.ended, now: now) } ?? []
    self.tell(batches, now: now, into: &actions)
    self.remove(id, now: now)
    if let name = self.holders[id.client] {
      self.changes.append(.removePosition(name))
    } else {
      self.tell(.ended(id, reason), to: id.client, now: now, into: &actions)
    }
  }

  mutating func deadlineReached(of id: SubscriptionID, now: Instant, into actions: inout [Action]) {
    guard let subscription = self.positions[id] else {
      return self.headingDeadlineReached(of: id, now: now, into: &actions)
    }
    if subscription.isExpired(now: now) { return self.end(id, reason: .expired, now: now, into: &actions) }
    let current = self.views[subscription.view].current
    let updates = self.positions.modify(id) { $0.deadlineReached(current: current, now: now) } ?? []
    self.tell(updates, now: now, into: &actions)
    self.settle(id, now: now, into: &actions)
  }

  /// After something happened to a subscription: its end, or else its next deadline and its need.
  private mutating func settle(_ id: SubscriptionID, now: Instant, into actions: inout [Action]) {
    guard let subscription = self.positions[id] else { return }
    if subscription.isExpired(now: now) {
      self.end(id, reason: .expired, now: now, into: &actions)
    } else {
      self.refresh(id, now: now)
    }
  }

  /// Tells what subscriptions deliver, in order.
  mutating func tell(_ updates: [PositionUpdate], now: Instant, into actions: inout [Action]) {
    for update in updates {
      self.tell(.position(update), to: update.subscription.client, now: now, into: &actions)
    }
  }

  // MARK: The tables

  func user(of client: ClientID) -> UInt32 {
    self.clients[client]?.principal.uid ?? self.holders[client]?.uid ?? .max
  }

  mutating func insert(_ subscription: PositionSubscription, now: Instant) {
    self.positions[subscription.id] = subscription
    self.countDeferred(subscription.parameters, by: 1, user: self.user(of: subscription.id.client))
    self.refresh(subscription.id, now: now)
  }

  private mutating func countDeferred(_ parameters: SubscriptionParameters, by difference: Int, user: UInt32) {
    guard parameters.mode == .deferred else { return }
    self.holdings.change(user) { $0.deferred += difference }
  }

  mutating func remove(_ id: SubscriptionID, now: Instant) {
    self.remove(id, of: self.user(of: id.client), now: now)
    self.countSubscriptions(-1, of: id.client)
  }

  mutating func remove(_ id: SubscriptionID, of user: UInt32, now: Instant) {
    if let position = self.positions[id] { self.countDeferred(position.parameters, by: -1, user: user) }
    if self.statuses[id] != nil { self.holdings.change(user) { $0.statuses -= 1 } }
    self.forgetSubscription(id, now: now)
  }

  /// Takes a subscription from the tables and from the needs.
  mutating func forgetSubscription(_ id: SubscriptionID, now: Instant) {
    self.setDeadline(nil, for: .subscription(id))
    self.needs.set(.none, for: .subscription(id))
    self.positions[id] = nil
    self.skies[id] = nil
    self.headings[id] = nil
    self.statuses[id] = nil
    guard self.visits[id] != nil else { return }
    self.visits[id] = nil
    self.refreshVisits(now: now)
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

  /// Why nothing can be done to a subscription that is none of positions.
  private func failure(_ id: SubscriptionID) -> CallFailure {
    self.info(id).map { .wrongKind(number: id.number, $0.kind) } ?? .noSubscription(number: id.number)
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
