import Positioning

/// The subscriptions of every kind and holder: what each delivers, and when it ends.
struct Subscriptions: Sendable {
  /// Apart from the others, because they are many, large, and change with every fix.
  private var positions = GroupedTable<SubscriptionID, PositionSubscription>()
  private var others = GroupedTable<SubscriptionID, Subscription>()
  private var users: [Holder: UInt32] = [:]
  /// Those of clients; durable names have their own limit.
  private(set) var ofClients = UserCounts()
  private(set) var statuses = UserCounts()
  private(set) var deferred = UserCounts()
  private var deadlines = DeadlineQueue<SubscriptionID>()
  /// The needs of position subscriptions, by their feed, and of the others.
  private var needs: [FixFeedKey?: SummedNeeds<SubscriptionID>] = [:]
  /// Unchanged while the same holders have subscriptions with the same demands.
  private(set) var demandHash = 0
  private(set) var allowances = SavingAllowances()

  // MARK: Reading

  var count: Int { self.positions.count + self.others.count }
  var ids: [SubscriptionID] { self.positions.keys + self.others.keys }

  func ids(of holder: Holder) -> [SubscriptionID] { self.positions.keys(of: holder) + self.others.keys(of: holder) }

  func count(of holder: Holder) -> Int { self.positions.count(of: holder) + self.others.count(of: holder) }

  /// The subscriptions of other kinds.
  func ids(on channel: Subscription.Channel) -> [SubscriptionID] { self.others.keys(in: channel) }

  func hasAny(on channel: Subscription.Channel) -> Bool { self.others.count(in: channel) > 0 }

  subscript(id: SubscriptionID) -> Subscription? {
    self.others[id] ?? self.positions[id].map { .position($0) }
  }

  func position(_ id: SubscriptionID) -> PositionSubscription? { self.positions[id] }

  /// Those of the subscriptions to visits with permission.
  private var visitChannels: [Subscription.Channel] {
    self.others.allGroups.filter { if case .visits(let feed?) = $0 { feed.precision == .precise } else { false } }
  }

  /// How many subscriptions to visits have permission.
  var visitorCount: Int { self.visitChannels.reduce(0) { $0 + self.others.count(in: $1) } }

  /// The subscriptions to visits whose holders may know nothing.
  var suspendedVisitors: [SubscriptionID] { self.others.keys(in: .visits(nil)) }

  /// The subscriptions to visits with permission, in the order of their holders.
  private var visitors: [SubscriptionID] { self.visitChannels.flatMap { self.others.keys(in: $0) }.sorted() }

  // MARK: Limits

  /// Whether the client may have another one.
  func checkRoom(for client: ClientID, of user: UInt32, _ settings: BrokerSettings) throws(CallFailure) {
    let limit = settings.maxSubscriptionsPerClient
    guard self.count(of: .client(client)) < limit else {
      throw .limitExceeded(name: "max-subscriptions-per-client", value: limit)
    }
    try settings.subscriptionLimit.checkRoom(in: self.ofClients, of: user)
  }

  func checkRoomForStatus(of user: UInt32, _ settings: BrokerSettings) throws(CallFailure) {
    let limit = settings.maxStatusPerUser
    guard self.statuses[user] < limit else {
      throw .limitExceeded(name: "max-status-subscriptions-per-user", value: limit)
    }
  }

  /// Whether the user may have a subscription with these parameters, in place of another.
  func check(
    _ parameters: SubscriptionParameters, replacing old: SubscriptionParameters?, of user: UInt32,
    _ settings: BrokerSettings
  ) throws(CallFailure) {
    do throws(InvalidParameter) { try parameters.check() } catch { throw CallFailure(error) }
    guard parameters.mode == .deferred, old?.mode != .deferred else { return }
    try settings.deferredLimit.checkRoom(in: self.deferred, of: user)
  }

  // MARK: Beginning

  mutating func begin(_ subscription: Subscription, of user: UInt32) {
    self.remove(subscription.id)
    self.users[subscription.id.holder] = user
    if case .position(let position) = subscription {
      self.positions[position.id] = position
    } else {
      self.others[subscription.id] = subscription
    }
    self.keep(subscription.id, from: .nothing, to: subscription.claims)
    self.count(subscription, by: 1, user)
  }

  /// Its answer says that it began, with this availability.
  mutating func begun(_ id: SubscriptionID, with availability: Availability) {
    _ = self.modifyPosition(id) { position in
      position.begin(with: availability)
      return []
    }
  }

  /// The first deliveries after the answer, among them perhaps the newest fix of the holder's feed.
  mutating func deliverFirst(
    to id: SubscriptionID, newest: Fix?, epoch: Int, heading: HeadingReading, now: Instant
  ) -> [HolderEffect] {
    let replayed = self.modifyPosition(id) { position in
      (newest.flatMap { position.replay($0, epoch: epoch, now: now) }).map { [$0] } ?? []
    }
    return replayed + self.report(heading, to: id, now: now)
  }

  // MARK: The receiver

  /// A fix of the feed.
  mutating func fixed(_ fix: Fix, epoch: Int, in feed: FixFeedKey, now: Instant) -> [HolderEffect] {
    var effects: [HolderEffect] = []
    var expired: [SubscriptionID] = []
    self.forEachPosition(in: feed) { position in
      guard !position.isExpired(now: now) else { return expired.append(position.id) }
      let updates = position.fixed(fix, epoch: epoch, now: now)
      position.add(updates, to: &effects)
      if position.isExpired(now: now) { expired.append(position.id) }
    }
    for id in expired { effects += self.end(id, reason: .expired, now: now) }
    return effects
  }

  /// No deadline and no need changes by that.
  ///
  /// - Parameter newcomer: A new subscription, whose answer has it.
  mutating func availabilityChanged(to new: Availability, besides newcomer: SubscriptionID?) -> [HolderEffect] {
    var effects: [HolderEffect] = []
    self.positions.forEach { position in
      guard position.id != newcomer else { return }
      let own = position.feed.map { new.seen(with: $0.precision) } ?? .denied
      if let update = position.availabilityChanged(to: own) { position.add([update], to: &effects) }
    }
    return effects
  }

  /// The sky of a cycle.
  mutating func received(_ sky: Sky, cycle: Int) -> [HolderEffect] {
    self.ids(on: .sky).compactMap { id in
      guard case .sky(var subscription) = self.others[id], !subscription.isSuspended,
        let sky = subscription.received(sky, cycle: cycle), let client = id.holder.client
      else { return nil }
      self.update(.sky(subscription))
      return .notify(client, .sky(id, sky))
    }
  }

  mutating func headingChanged(to reading: HeadingReading, now: Instant) -> [HolderEffect] {
    self.ids(on: .headings).flatMap { self.report(reading, to: $0, now: now) }
  }

  /// One subscription to headings gets it, if it is news to it.
  private mutating func report(_ reading: HeadingReading, to id: SubscriptionID, now: Instant) -> [HolderEffect] {
    guard case .heading(var heading) = self.others[id], !heading.isSuspended,
      let delivered = heading.received(reading.heading, reading.state, now: now)
    else { return [] }
    return self.update(heading, by: delivered, now: now)
  }

  /// - Parameter delivered: What it delivers; `nil`: nothing.
  private mutating func update(
    _ heading: HeadingSubscription, by delivered: HeadingUpdate?, now: Instant
  ) -> [HolderEffect] {
    self.update(.heading(heading))
    guard let delivered, let client = heading.id.holder.client else { return [] }
    let end = delivered.state == .unavailable ? self.end(heading.id, reason: .unavailable, now: now) : []
    return [.notify(client, .heading(heading.id, delivered))] + end
  }

  /// The device has come to a place, or left it.
  mutating func visited(_ visit: Visit) -> [HolderEffect] {
    self.visitors.compactMap { id in
      guard case .visits(var subscription) = self.others[id] else { return nil }
      subscription.updates += 1
      self.update(.visits(subscription))
      return switch id.holder {
      case .client(let client): .notify(client, .visit(id, visit))
      case .durable(let name): .post(.visit(visit), to: name)
      }
    }
  }

  /// A client was notified of the status at this revision.
  mutating func notified(_ id: SubscriptionID, of revision: Int) {
    guard case .status(var subscription) = self.others[id] else { return }
    subscription.notified(revision)
    self.update(.status(subscription))
  }

  // MARK: Time

  /// When to call `deadlineReached` for the subscription that `takeDue` returns.
  var nextDeadline: Instant? { self.deadlines.next }

  /// Takes the subscription with the soonest deadline, if it has passed. `deadlineReached` sets its next one.
  mutating func takeDue(now: Instant) -> SubscriptionID? { self.deadlines.popDue(now: now) }

  /// What happens because time has passed, such as the newest fix of the holder's feed once more, as a heartbeat.
  mutating func deadlineReached(
    of id: SubscriptionID, newest: Fix?, heading: () -> HeadingReading, now: Instant
  ) -> [HolderEffect] {
    if case .heading(var subscription) = self.others[id] {
      let delivered = subscription.heartbeat(heading().heading, now: now)
      return self.update(subscription, by: delivered, now: now)
    }
    var isExpired = false
    let effects = self.modifyPosition(id) { position in
      isExpired = position.isExpired(now: now)
      return isExpired ? [] : position.deadlineReached(current: newest, now: now)
    }
    return isExpired ? self.end(id, reason: .expired, now: now) : effects + self.endExpired(id, now: now)
  }

  /// Ends a position subscription that has delivered as often as requested, or whose time is over.
  mutating func endExpired(_ id: SubscriptionID, now: Instant) -> [HolderEffect] {
    self.positions[id]?.isExpired(now: now) ?? false ? self.end(id, reason: .expired, now: now) : []
  }

  /// The daemon did not run for so long: searches, probes and heartbeats get that time.
  mutating func putOff(by gap: Duration) {
    for id in self.positions.keys {
      _ = self.modifyPosition(id) { position in
        position.putOff(by: gap)
        return []
      }
    }
    for id in self.ids(on: .headings) {
      guard case .heading(var heading) = self.others[id] else { continue }
      heading.putOff(by: gap)
      self.update(.heading(heading))
    }
  }

  // MARK: Changes by the holder

  mutating func change(
    _ id: SubscriptionID, to parameters: SubscriptionParameters, renewsDuration: Bool, now: Instant
  ) -> [HolderEffect] {
    self.change(id) { $0.change(to: parameters, renewsDuration: renewsDuration, now: now) }
  }

  /// A durable name registers its subscription again, in the same mode.
  mutating func register(
    again id: SubscriptionID, _ parameters: SubscriptionParameters, availability: Availability, now: Instant
  ) -> [HolderEffect] {
    self.change(id) { $0.register(again: parameters, availability: availability, now: now) }
  }

  mutating func execute(
    _ command: SubscriptionCommand, for id: SubscriptionID, availability: Availability, lastFix: Instant?, now: Instant
  ) -> [HolderEffect] {
    self.change(id) { $0.execute(command, availability: availability, lastFix: lastFix, now: now) }
  }

  private mutating func change(
    _ id: SubscriptionID, _ body: (inout PositionSubscription) -> [PositionUpdate]
  ) -> [HolderEffect] {
    let name = id.holder.durable
    let (mode, before) = (self.positions[id]?.parameters.mode, name.flatMap { _ in self.positions[id]?.stored })
    var effects = self.modifyPosition(id, body)
    guard let changed = self.positions[id] else { return effects }
    if let user = self.users[id.holder], (mode == .deferred) != (changed.parameters.mode == .deferred) {
      self.deferred.add(mode == .deferred ? -1 : 1, of: user)
    }
    if let name, changed.stored != before { effects.append(.store(.putPosition(name, changed.stored))) }
    return effects
  }

  // MARK: Permission

  /// The holder's permission has changed.
  ///
  /// - Parameters:
  ///   - keepsStates: Whether its subscriptions continue from their present state, now or later.
  ///   - availability: The holder's.
  mutating func move(
    _ holder: Holder, to feed: FixFeedKey?, keepsStates: Bool, availability: Availability, heading: HeadingReading,
    now: Instant
  ) -> [HolderEffect] {
    let isSuspended = feed?.precision != .precise
    return self.ids(of: holder).flatMap { id -> [HolderEffect] in
      switch self.others[id] {
      case .sky(var sky):
        sky.suspend(isSuspended)
        self.update(.sky(sky))
        return []
      case .heading(var subscription):
        let delivered = subscription.suspend(isSuspended, heading, now: now)
        return self.update(subscription, by: delivered, now: now)
      case .visits(var visits):
        visits.feed = feed
        self.update(.visits(visits))
        return []
      case .status: return []
      case .position, nil:
        return self.modifyPosition(id) { position in
          position.move(to: feed, keepsStates: keepsStates, availability: availability, now: now).map { [$0] } ?? []
        }
      }
    }
  }

  // MARK: Ending

  /// Its client cancels it. The collected fixes are delivered while it still exists.
  mutating func cancel(_ id: SubscriptionID, now: Instant) -> [HolderEffect] {
    defer { self.remove(id) }
    return self.flush(id, now: now)
  }

  /// Ends one that its client did not cancel, and notifies the client.
  mutating func end(_ id: SubscriptionID, reason: EndReason, now: Instant) -> [HolderEffect] {
    var effects = self.flush(id, now: now)
    // A client that attaches to the name later must learn of the end. A subscription that is replaced does not end: it
    // goes on in another mode.
    if reason == .expired, id.holder.durable != nil, let position = self.positions[id] {
      position.add([position.ended], to: &effects)
    }
    self.remove(id)
    switch id.holder {
    case .durable(let name): effects.append(.store(.removePosition(name)))
    case .client(let client): effects.append(.notify(client, .ended(id, reason)))
    }
    return effects
  }

  /// The daemon stops: what was collected is delivered.
  mutating func flushAll(now: Instant) -> [HolderEffect] { self.positions.keys.flatMap { self.flush($0, now: now) } }

  mutating func removeAll() { for id in self.ids { self.remove(id) } }

  /// The holder is gone.
  ///
  /// - Returns: Whether it had any.
  mutating func removeAll(of holder: Holder) -> Bool {
    guard self.users[holder] != nil else { return false }
    for id in self.ids(of: holder) { self.remove(id) }
    return true
  }

  /// The batch of a position subscription.
  private mutating func flush(_ id: SubscriptionID, now: Instant) -> [HolderEffect] {
    self.modifyPosition(id) { $0.flush(.ended, now: now) }
  }

  private mutating func remove(_ id: SubscriptionID) {
    guard let old = self[id], let user = self.users[id.holder] else { return }
    self.keep(id, from: old.claims, to: .nothing)
    self.positions[id] = nil
    self.others[id] = nil
    self.count(old, by: -1, user)
    if self.count(of: id.holder) == 0 { self.users[id.holder] = nil }
  }

  // MARK: The receiver's work

  /// The needs of the subscriptions that wait for the feed's fixes; `nil`: of those that wait for something else.
  func needs(in feed: FixFeedKey?) -> Needs { self.needs[feed]?.together ?? Needs() }

  /// What the subscriptions demand of the receiver.
  var demands: [ReceiverDemand] {
    self.positions.compactMap { Self.demand($0.claims, of: $0.id, "position.subscribe") }
      + self.others.compactMap { Self.demand($0.claims, of: $0.id, $0.method) }
  }

  func demands(of holder: Holder) -> [ReceiverDemand] {
    self.ids(of: holder).compactMap { id in self[id].flatMap { Self.demand($0.claims, of: id, $0.method) } }
  }

  private static func demand(_ claims: SubscriptionClaims, of id: SubscriptionID, _ method: String) -> ReceiverDemand? {
    claims.demand.map { ReceiverDemand(holder: id.holder, method: method, demand: $0) }
  }

  // MARK: The tables

  private mutating func count(_ subscription: Subscription, by count: Int, _ user: UInt32) {
    switch subscription {
    case .position(let position):
      if position.parameters.mode == .deferred { self.deferred.add(count, of: user) }
      if position.id.holder.client != nil { self.ofClients.add(count, of: user) }
    case .status:
      self.statuses.add(count, of: user)
      self.ofClients.add(count, of: user)
    case .visits(let visits): if visits.id.holder.client != nil { self.ofClients.add(count, of: user) }
    case .sky, .heading: self.ofClients.add(count, of: user)
    }
  }

  /// Changes a position subscription in place; its holder gets the updates.
  private mutating func modifyPosition(
    _ id: SubscriptionID, _ body: (inout PositionSubscription) -> [PositionUpdate]
  ) -> [HolderEffect] {
    var (old, new) = (SubscriptionClaims.nothing, SubscriptionClaims.nothing)
    var effects: [HolderEffect] = []
    self.positions.modify(id) { position in
      old = position.claims
      let updates = body(&position)
      position.add(updates, to: &effects)
      new = position.claims
    }
    self.keep(id, from: old, to: new)
    return effects
  }

  /// Puts the changed value of a subscription of another kind in place of what it was.
  private mutating func update(_ subscription: Subscription) {
    guard let old = self.others[subscription.id] else { return }
    self.others[subscription.id] = subscription
    self.keep(subscription.id, from: old.claims, to: subscription.claims)
  }

  /// Changes all subscriptions of the feed in place, in order; none may move to another feed.
  private mutating func forEachPosition(in feed: FixFeedKey, _ body: (inout PositionSubscription) -> Void) {
    var changed: [(SubscriptionID, old: SubscriptionClaims, new: SubscriptionClaims)] = []
    self.positions.forEach(in: feed) { position in
      let old = position.claims
      body(&position)
      let new = position.claims
      if new != old { changed.append((position.id, old, new)) }
    }
    for (id, old, new) in changed { self.keep(id, from: old, to: new) }
  }

  /// Updates the tables after a change of a subscription.
  private mutating func keep(_ id: SubscriptionID, from old: SubscriptionClaims, to new: SubscriptionClaims) {
    guard old != new else { return }
    if old.deadline != new.deadline { self.deadlines.set(new.deadline, for: id) }
    if old.demand != new.demand {
      self.allowances.change(from: old.demand, to: new.demand)
      let method = self.others[id]?.method ?? "position.subscribe"
      self.demandHash &-= Self.demand(old, of: id, method)?.hashValue ?? 0
      self.demandHash &+= Self.demand(new, of: id, method)?.hashValue ?? 0
    }
    guard old.need != new.need || old.feed != new.feed else { return }
    if old.feed == new.feed { return self.need(id, in: new.feed, from: old.need, to: new.need) }
    self.need(id, in: old.feed, from: old.need, to: .none)
    self.need(id, in: new.feed, from: .none, to: new.need)
  }

  private mutating func need(_ id: SubscriptionID, in feed: FixFeedKey?, from old: Need, to new: Need) {
    self.needs[feed, default: SummedNeeds()].change(id, from: old, to: new)
    if self.needs[feed]?.isEmpty ?? false { self.needs[feed] = nil }
  }
}

extension PositionSubscription {
  /// Adds the updates, as its holder gets them. A change without a fix is of no use to a client that attaches to a
  /// durable name later, except the end of what it waits for.
  fileprivate func add(_ updates: [PositionUpdate], to effects: inout [HolderEffect]) {
    switch self.id.holder {
    case .client(let client):
      for update in updates { effects.append(.notify(client, .position(self.id, update))) }
    case .durable(let name):
      for update in updates {
        let isEnd = update.reason == .acquisitionFailed || update.reason == .expired
        guard isEnd || update.fix != nil || !update.fixes.isEmpty else { continue }
        effects.append(.store(.putPosition(name, self.stored)))
        effects.append(.post(.position(update), to: name))
      }
    }
  }
}

/// The claims of a subscription: its next deadline, and its need of the receiver.
struct SubscriptionClaims: Hashable, Sendable {
  static let nothing = SubscriptionClaims()

  var deadline: Instant?
  var need = Need.none
  /// The feed that judges it, if it is one to positions.
  var feed: FixFeedKey?
  var demand: Demand?
}
