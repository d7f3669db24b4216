import Positioning

/// All subscriptions of every kind and holder, and their number for each user.
struct SubscriptionTable: Sendable {
  /// Apart from the others, because they are many, large, and change with every fix.
  private var positions = GroupedTable<SubscriptionID, PositionSubscription>()
  private var others = GroupedTable<SubscriptionID, Subscription>()
  /// Those of clients; durable names have their own limit.
  private(set) var ofClients = UserCounts()
  private(set) var statuses = UserCounts()
  private(set) var deferred = UserCounts()
  private var deadlines = DeadlineQueue<SubscriptionID>()
  /// The needs of position subscriptions, by their feed, and of the others.
  private var needs: [FixFeedKey?: SummedNeeds<SubscriptionID>] = [:]
  /// Unchanged while the same holders have subscriptions with the same demands.
  private(set) var demandHash = 0

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

  /// How many subscriptions to visits have permission.
  var visitorCount: Int {
    self.others.allGroups.reduce(0) { count, channel in
      if case .visits(let feed?) = channel, feed.precision == .precise {
        count + self.others.count(in: channel)
      } else {
        count
      }
    }
  }

  /// The subscriptions to visits whose holders may know nothing.
  var suspendedVisitors: [SubscriptionID] { self.others.keys(in: .visits(nil)) }

  /// The holders of subscriptions to visits with permission, in their order.
  var visitors: [SubscriptionID] {
    self.others.allGroups.flatMap { channel -> [SubscriptionID] in
      if case .visits(let feed?) = channel, feed.precision == .precise { self.others.keys(in: channel) } else { [] }
    }.sorted()
  }

  // MARK: Limits

  func checkRoom(of user: UInt32, _ settings: BrokerSettings) throws(CallFailure) {
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

  // MARK: Changing

  mutating func insert(_ subscription: Subscription, of user: UInt32) {
    self.remove(subscription.id, of: user)
    if case .position(let position) = subscription {
      self.positions[position.id] = position
    } else {
      self.others[subscription.id] = subscription
    }
    self.keep(subscription.id, from: .nothing, to: subscription.claims)
    self.count(subscription, by: 1, user)
  }

  /// - Returns: the removed value; `nil`: there is none.
  @discardableResult
  mutating func remove(_ id: SubscriptionID, of user: UInt32) -> Subscription? {
    guard let old = self[id] else { return nil }
    self.keep(id, from: old.claims, to: .nothing)
    self.positions[id] = nil
    self.others[id] = nil
    self.count(old, by: -1, user)
    return old
  }

  /// Replaces the parameters of a position subscription.
  mutating func change<Result>(
    _ id: SubscriptionID, of user: UInt32, _ body: (inout PositionSubscription) -> Result
  ) -> Result? {
    let old = self.positions[id]?.parameters.mode
    let result = self.modifyPosition(id, body)
    let new = self.positions[id]?.parameters.mode
    if old == .deferred, new != .deferred { self.deferred.add(-1, of: user) }
    if old != .deferred, new == .deferred { self.deferred.add(1, of: user) }
    return result
  }

  /// Changes a position subscription in place; `nil` if there is none.
  @discardableResult
  mutating func modifyPosition<Result>(
    _ id: SubscriptionID, _ body: (inout PositionSubscription) -> Result
  ) -> Result? {
    var (old, new) = (SubscriptionClaims.nothing, SubscriptionClaims.nothing)
    let result = self.positions.modify(id) { position in
      old = position.claims
      defer { new = position.claims }
      return body(&position)
    }
    self.keep(id, from: old, to: new)
    return result
  }

  /// Puts the changed value of a subscription of another kind in place of what it was.
  mutating func update(_ subscription: Subscription) {
    guard let old = self.others[subscription.id] else { return }
    self.others[subscription.id] = subscription
    self.keep(subscription.id, from: old.claims, to: subscription.claims)
  }

  /// Changes all subscriptions of the feed in place, in order; none may move to another feed.
  mutating func forEachPosition(in feed: FixFeedKey?, _ body: (inout PositionSubscription) -> Void) {
    var changed: [(SubscriptionID, old: SubscriptionClaims, new: SubscriptionClaims)] = []
    self.positions.forEach(in: feed) { position in
      let old = position.claims
      body(&position)
      let new = position.claims
      if new != old { changed.append((position.id, old, new)) }
    }
    for (id, old, new) in changed { self.keep(id, from: old, to: new) }
  }

  /// Passes the availability to all position subscriptions; no deadline and no need changes by that.
  ///
  /// - Parameter newcomer: A new subscription, which is notified by its answer.
  mutating func availabilityChanged(
    to availability: Availability, besides newcomer: SubscriptionID?
  ) -> [(id: SubscriptionID, update: PositionUpdate)] {
    var updates: [(id: SubscriptionID, update: PositionUpdate)] = []
    self.positions.forEach { subscription in
      guard subscription.id != newcomer else { return }
      let own = subscription.feed.map { availability.seen(with: $0.precision) } ?? .denied
      if let update = subscription.availabilityChanged(to: own) { updates.append((subscription.id, update)) }
    }
    return updates
  }

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

  // MARK: Time and the receiver

  /// When `takeDue` must be asked.
  var nextDeadline: Instant? { self.deadlines.next }

  /// Takes the subscription with the soonest deadline, if it has passed. Handling it sets its next one.
  mutating func takeDue(now: Instant) -> SubscriptionID? { self.deadlines.popDue(now: now) }

  /// The daemon did not run for so long: searches, probes and heartbeats get that time.
  mutating func putOff(by gap: Duration) {
    for id in self.positions.keys { self.modifyPosition(id) { $0.putOff(by: gap) } }
    for id in self.ids(on: .headings) {
      guard case .heading(var heading) = self.others[id] else { continue }
      heading.putOff(by: gap)
      self.update(.heading(heading))
    }
  }

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

  /// Updates the tables after a change of a subscription.
  private mutating func keep(_ id: SubscriptionID, from old: SubscriptionClaims, to new: SubscriptionClaims) {
    guard old != new else { return }
    if old.deadline != new.deadline { self.deadlines.set(new.deadline, for: id) }
    if old.demand != new.demand {
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

/// The claims of a subscription: its next deadline, and its need of the receiver.
struct SubscriptionClaims: Hashable, Sendable {
  static let nothing = SubscriptionClaims()

  var deadline: Instant?
  var need = Need.none
  /// The feed that judges it, if it is one to positions.
  var feed: FixFeedKey?
  var demand: Demand?
}
