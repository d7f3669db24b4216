import Positioning

/// Subscriptions: their beginning, commands and end.
extension BrokerMachine {
  // MARK: Beginning

  mutating func subscribe(
    _ parameters: SubscriptionParameters, as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    try self.subscriptions.check(parameters, replacing: nil, of: self.user(of: asker.client), self.settings)
    let id = try self.newSubscription(of: asker.id)
    self.insert(.position(self.position(id, parameters, now: turn.now)))
    return asker.begun(id)
  }

  func position(_ id: SubscriptionID, _ parameters: SubscriptionParameters, now: Instant) -> PositionSubscription {
    PositionSubscription(
      id: id, parameters: parameters, feed: self.feed(of: id.holder), availability: self.availability(of: id.holder),
      lastFix: self.receiver.current?.arrival, now: now)
  }

  mutating func subscribeStatus(
    as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    try self.subscriptions.checkRoomForStatus(of: self.user(of: asker.client), self.settings)
    let id = try self.newSubscription(of: asker.id)
    self.insert(.status(StatusSubscription(id: id)))
    self.status.join(id)
    return asker.begun(id)
  }

  mutating func subscribeSky(
    minInterval: Duration, isPassive: Bool, as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    let id = try self.newSubscription(of: asker.id)
    self.insert(.sky(SkySubscription(id: id, minInterval: minInterval, isPassive: isPassive)))
    return asker.begun(id)
  }

  /// The number of the client's next subscription.
  mutating func newSubscription(of call: CallID) throws(CallFailure) -> SubscriptionID {
    let limit = self.settings.maxSubscriptionsPerClient
    guard self.subscriptions.count(of: .client(call.client)) < limit else {
      throw .limitExceeded(name: "max-subscriptions-per-client", value: limit)
    }
    try self.subscriptions.checkRoom(of: self.user(of: call.client), self.settings)
    return SubscriptionID(client: call.client, number: self.clients.takeSubscriptionNumber(of: call.client))
  }

  /// The first deliveries of a new subscription.
  mutating func deliverFirst(to id: SubscriptionID, _ turn: inout Turn) {
    switch self.subscriptions[id] {
    case .position(let subscription):
      let (current, epoch, now) = (
        self.feeds.current(in: subscription.feed), self.feeds.epoch(in: subscription.feed), turn.now
      )
      let update = self.subscriptions.modifyPosition(id) { position in
        current.flatMap { position.replay($0, epoch: epoch, now: now) }
      }
      if let update = update ?? nil { self.notify(id, [update], &turn) }
    case .heading:
      self.report(self.receiver.heading(now: turn.now), to: id, &turn)
    case .sky, .status, .visits, nil: break
    }
  }

  // MARK: Commands

  mutating func updateSubscription(
    number: Int, _ change: SubscriptionChange, as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    let subscription = try self.position(number: number, of: asker.id)
    let parameters: SubscriptionParameters
    do throws(InvalidParameter) {
      parameters = try subscription.parameters.changed(by: change)
    } catch {
      throw CallFailure(error)
    }
    try self.subscriptions.check(
      parameters, replacing: subscription.parameters, of: self.user(of: asker.client), self.settings)
    return self.change(subscription.id, as: asker, &turn) { position, _, now in
      position.change(to: parameters, renewsDuration: change.duration != nil, now: now)
    }
  }

  mutating func execute(
    number: Int, _ command: SubscriptionCommand, as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    self.execute(try self.position(number: number, of: asker.id).id, command, as: asker, &turn)
  }

  /// A command for the position registration of a durable name.
  mutating func execute(
    name: String, _ command: SubscriptionCommand, as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard let id = self.ownName(name, of: asker.id)?.position, self.subscriptions[id] != nil else {
      throw .noDurable(name: name)
    }
    return self.execute(id, command, as: asker, &turn)
  }

  private mutating func execute(
    _ id: SubscriptionID, _ command: SubscriptionCommand, as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) -> Answering {
    let lastFix = self.receiver.current?.arrival
    return self.change(id, as: asker, &turn) { position, availability, now in
      position.execute(command, availability: availability, lastFix: lastFix, now: now)
    }
  }

  /// The client's subscription with this number, which must be one to positions.
  private func position(number: Int, of call: CallID) throws(CallFailure) -> PositionSubscription {
    let id = SubscriptionID(client: call.client, number: number)
    if let position = self.subscriptions.position(id) { return position }
    throw self.info(id).map { .wrongKind(number: number, $0.kind) } ?? .noSubscription(number: number)
  }

  /// Changes a subscription; its updates follow the answer.
  mutating func change(
    _ id: SubscriptionID, as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn,
    _ body: (inout PositionSubscription, Availability, Instant) -> [PositionUpdate]
  ) -> Answering {
    turn.placeAnswer(after: self.commits.newFollowers.count)
    let (availability, now) = (self.availability(of: id.holder), turn.now)
    let before = self.subscriptions.position(id)?.stored
    let updates = self.subscriptions.change(id, of: self.user(of: id.holder)) { body(&$0, availability, now) } ?? []
    self.notify(id, updates, &turn)
    if let name = id.holder.durable, let stored = self.subscriptions.position(id)?.stored, stored != before {
      self.commits.store(.putPosition(name, stored))
    }
    return asker.changed(id)
  }

  // MARK: Time

  mutating func deadlineReached(of id: SubscriptionID, _ turn: inout Turn) {
    guard let subscription = self.subscriptions.position(id) else {
      return self.headingDeadlineReached(of: id, &turn)
    }
    if subscription.isExpired(now: turn.now) { return self.end(id, reason: .expired, &turn) }
    let current = self.feeds.current(in: subscription.feed)
    let updates = self.subscriptions.modifyPosition(id) { position in
      position.deadlineReached(current: current, now: turn.now)
    }
    self.notify(id, updates ?? [], &turn)
    self.settle(id, &turn)
  }

  /// After an event of a position subscription, which may have been its last one.
  mutating func settle(_ id: SubscriptionID, _ turn: inout Turn) {
    if self.subscriptions.position(id)?.isExpired(now: turn.now) ?? false { self.end(id, reason: .expired, &turn) }
  }

  // MARK: Ending

  mutating func cancelSubscription(
    number: Int, as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    let id = SubscriptionID(client: asker.client, number: number)
    guard var info = self.info(id) else { throw .noSubscription(number: number) }
    // The collected fixes are delivered while the subscription still exists.
    self.notify(id, self.flush(id, now: turn.now), &turn)
    info.state = .ended
    self.remove(id, &turn)
    return asker.now(.changed(info))
  }

  /// Ends a subscription that its client did not cancel, and notifies the client.
  mutating func end(_ id: SubscriptionID, reason: EndReason, _ turn: inout Turn) {
    guard self.subscriptions[id] != nil else { return }
    self.notify(id, self.flush(id, now: turn.now), &turn)
    // Whoever attaches to the name later must know. One that is replaced goes on in another mode.
    if reason == .expired, id.holder.durable != nil, let position = self.subscriptions.position(id) {
      self.notify(id, [position.ended], &turn)
    }
    self.remove(id, &turn)
    switch id.holder {
    case .durable(let name): self.commits.store(.removePosition(name))
    case .client(let client): turn.notify(client, .ended(id, reason))
    }
  }

  /// The batch of a position subscription.
  mutating func flush(_ id: SubscriptionID, now: Instant) -> [PositionUpdate] {
    self.subscriptions.modifyPosition(id) { position in position.flush(.ended, now: now) } ?? []
  }

  // MARK: The table

  mutating func insert(_ subscription: Subscription) {
    self.subscriptions.insert(subscription, of: self.user(of: subscription.id.holder))
  }

  mutating func remove(_ id: SubscriptionID, _ turn: inout Turn) {
    self.remove(id, of: self.user(of: id.holder), &turn)
  }

  mutating func remove(_ id: SubscriptionID, of user: UInt32, _ turn: inout Turn) {
    if case .visits? = self.subscriptions.remove(id, of: user) { self.refreshVisits(&turn) }
  }

  func subscriptionInfos(of holder: Holder) -> [SubscriptionInfo] {
    self.subscriptions.ids(of: holder).sorted().compactMap { self.info($0) }
  }

  func info(_ id: SubscriptionID) -> SubscriptionInfo? {
    self.subscriptions[id]?.info(availability: self.availability(of: id.holder))
  }
}
