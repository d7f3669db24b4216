import Positioning

/// Subscriptions: the calls that begin, change and end them, and the effects of their deliveries.
extension BrokerMachine {
  // MARK: Beginning

  mutating func subscribe(
    _ parameters: SubscriptionParameters, as asker: Asker<SubscriptionAnswer>, now: Instant
  ) throws(CallFailure) -> Answering {
    try self.subscriptions.check(parameters, replacing: nil, of: self.user(of: asker.client), self.settings)
    let id = try self.newSubscription(of: asker.id)
    self.begin(.position(self.position(id, parameters, now: now)))
    return asker.begun(id)
  }

  func position(_ id: SubscriptionID, _ parameters: SubscriptionParameters, now: Instant) -> PositionSubscription {
    PositionSubscription(
      id: id, parameters: parameters, feed: self.feed(of: id.holder), availability: self.availability(of: id.holder),
      lastFix: self.receiver.current?.arrival, now: now)
  }

  mutating func subscribeStatus(as asker: Asker<SubscriptionAnswer>) throws(CallFailure) -> Answering {
    try self.subscriptions.checkRoomForStatus(of: self.user(of: asker.client), self.settings)
    let id = try self.newSubscription(of: asker.id)
    self.begin(.status(StatusSubscription(id: id)))
    self.status.join(id)
    return asker.begun(id)
  }

  mutating func subscribeSky(
    minInterval: Duration, isPassive: Bool, as asker: Asker<SubscriptionAnswer>
  ) throws(CallFailure) -> Answering {
    let id = try self.newSubscription(of: asker.id)
    self.begin(.sky(SkySubscription(id: id, minInterval: minInterval, isPassive: isPassive)))
    return asker.begun(id)
  }

  mutating func subscribeHeading(
    _ parameters: HeadingParameters, as asker: Asker<SubscriptionAnswer>, now: Instant
  ) throws(CallFailure) -> Answering {
    let state = self.receiver.heading(now: now).state
    guard state != .unavailable else { throw .noHeading }
    let id = try self.newSubscription(of: asker.id)
    self.begin(.heading(HeadingSubscription(id: id, parameters: parameters, state: state, now: now)))
    return asker.begun(id)
  }

  /// The number of the client's next subscription.
  mutating func newSubscription(of call: CallID) throws(CallFailure) -> SubscriptionID {
    try self.subscriptions.checkRoom(for: call.client, of: self.user(of: call.client), self.settings)
    return SubscriptionID(client: call.client, number: self.clients.takeSubscriptionNumber(of: call.client))
  }

  mutating func begin(_ subscription: Subscription) {
    self.subscriptions.begin(subscription, of: self.user(of: subscription.id.holder))
  }

  /// The first deliveries of a new subscription.
  mutating func deliverFirst(to id: SubscriptionID, now: Instant) -> [HolderEffect] {
    let feed = self.feed(of: id.holder)
    return self.subscriptions.deliverFirst(
      to: id, newest: self.feeds.current(in: feed), epoch: self.feeds.epoch(in: feed),
      heading: self.receiver.heading(now: now), now: now)
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
    let effects = self.subscriptions.change(
      subscription.id, to: parameters, renewsDuration: change.duration != nil, now: turn.now)
    return self.changed(subscription.id, effects, as: asker, &turn)
  }

  mutating func execute(
    _ command: SubscriptionCommand, for id: SubscriptionID, as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) -> Answering {
    let effects = self.subscriptions.execute(
      command, for: id, availability: self.availability(of: id.holder), lastFix: self.receiver.current?.arrival,
      now: turn.now)
    return self.changed(id, effects, as: asker, &turn)
  }

  /// The client's subscription with this number, which must be one to positions.
  func position(number: Int, of call: CallID) throws(CallFailure) -> PositionSubscription {
    let id = SubscriptionID(client: call.client, number: number)
    if let position = self.subscriptions.position(id) { return position }
    throw self.info(id).map { .wrongKind(number: number, $0.kind) } ?? .noSubscription(number: number)
  }

  /// The position registration of a durable name.
  func position(ofName name: String, of call: CallID) throws(CallFailure) -> SubscriptionID {
    guard let id = self.ownName(name, of: call)?.position, self.subscriptions[id] != nil else {
      throw .noDurable(name: name)
    }
    return id
  }

  /// A subscription has changed; its updates follow the answer.
  mutating func changed(
    _ id: SubscriptionID, _ effects: [HolderEffect], as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) -> Answering {
    turn.placeAnswer(after: self.commits.newFollowers.count)
    self.carryOut(effects, &turn)
    return asker.changed(id)
  }

  mutating func cancelSubscription(
    number: Int, as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    let id = SubscriptionID(client: asker.client, number: number)
    guard var info = self.info(id) else { throw .noSubscription(number: number) }
    self.carryOut(self.subscriptions.cancel(id, now: turn.now), &turn)
    self.refreshVisits(now: turn.now)
    info.state = .ended
    return asker.now(.changed(info))
  }

  func subscriptionInfos(of holder: Holder) -> [SubscriptionInfo] {
    self.subscriptions.ids(of: holder).sorted().compactMap { self.info($0) }
  }

  func info(_ id: SubscriptionID) -> SubscriptionInfo? {
    self.subscriptions[id]?.info(availability: self.availability(of: id.holder))
  }

  // MARK: Time

  mutating func subscriptionDeadlineReached(now: Instant) -> [HolderEffect] {
    guard let id = self.subscriptions.takeDue(now: now) else { return [] }
    return self.subscriptions.deadlineReached(
      of: id, newest: self.feeds.current(in: self.feed(of: id.holder)),
      heading: { self.receiver.heading(now: now) }, now: now)
  }
}
