import Positioning

/// All subscriptions that stand, of every kind and holder, and how many each user has.
struct SubscriptionTable: Sendable {
  /// Apart from the others: they are many, large, and change with every fix.
  private var positions = GroupedTable<SubscriptionID, PositionSubscription>()
  private var others = GroupedTable<SubscriptionID, Subscription>()
  /// Those of clients; durable names have their own limit.
  private(set) var ofClients = Tally()
  private(set) var statuses = Tally()
  private(set) var deferred = Tally()

  // MARK: Reading

  var count: Int { self.positions.count + self.others.count }
  var ids: [SubscriptionID] { self.positions.keys + self.others.keys }

  func ids(of holder: Holder) -> [SubscriptionID] { self.positions.keys(of: holder) + self.others.keys(of: holder) }

  func count(of holder: Holder) -> Int { self.positions.count(of: holder) + self.others.count(of: holder) }

  /// Those that are judged by the fixes of the feed; `nil`: by none.
  func positions(in feed: FixFeedKey?) -> [SubscriptionID] { self.positions.keys(in: feed) }

  /// Those of other kinds.
  func ids(on channel: Subscription.Channel) -> [SubscriptionID] { self.others.keys(in: channel) }

  func hasAny(on channel: Subscription.Channel) -> Bool { self.others.count(in: channel) > 0 }

  subscript(id: SubscriptionID) -> Subscription? {
    self.others[id] ?? self.positions[id].map { .position($0) }
  }

  func position(_ id: SubscriptionID) -> PositionSubscription? { self.positions[id] }

  /// How many wait for visits that may know them.
  var visitorCount: Int {
    self.others.allGroups.reduce(0) { count, channel in
      if case .visits(let feed?) = channel, feed.precision == .precise {
        count + self.others.count(in: channel)
      } else {
        count
      }
    }
  }

  /// Whether what is learned of visits is to outlive the daemon.
  var hasDurableVisitor: Bool {
    self.others.allGroups.contains { channel in
      guard case .visits = channel else { return false }
      return self.others.contains(in: channel) { $0.holder.durable != nil }
    }
  }

  /// Those who wait for visits and may know them, in the order in which they came.
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
    self.tally(subscription, by: 1, user)
  }

  mutating func remove(_ id: SubscriptionID, of user: UInt32) {
    guard let old = self[id] else { return }
    self.positions[id] = nil
    self.others[id] = nil
    self.tally(old, by: -1, user)
  }

  /// Gives a position subscription other parameters.
  mutating func change<Result>(
    _ id: SubscriptionID, of user: UInt32, _ body: (inout PositionSubscription) -> Result
  ) -> Result? {
    let old = self.positions[id]?.parameters.mode
    let result = self.positions.modify(id, body)
    let new = self.positions[id]?.parameters.mode
    if old == .deferred, new != .deferred { self.deferred.add(-1, of: user) }
    if old != .deferred, new == .deferred { self.deferred.add(1, of: user) }
    return result
  }

  /// Changes one to positions in place; `nil`: there is none.
  @discardableResult
  mutating func modifyPosition<Result>(
    _ id: SubscriptionID, _ body: (inout PositionSubscription) -> Result
  ) -> Result? {
    self.positions.modify(id, body)
  }

  /// Changes one of another kind; `nil`: there is none.
  @discardableResult
  mutating func modify<Kind: SubscriptionKind, Result>(
    _ id: SubscriptionID, _ body: (inout Kind) -> Result
  ) -> Result? {
    self.others.modify(id) { entry -> Result? in
      guard var kind = Kind(entry) else { return nil }
      defer { entry = kind.subscription }
      return body(&kind)
    } ?? nil
  }

  /// Changes in place all that are judged by the fixes of the feed, in order; none comes into another feed by it.
  mutating func forEachPosition(in feed: FixFeedKey?, _ body: (inout PositionSubscription) -> Void) {
    self.positions.forEach(in: feed, body)
  }

  /// The same with all to positions.
  mutating func forEachPosition(_ body: (inout PositionSubscription) -> Void) { self.positions.forEach(body) }

  private mutating func tally(_ subscription: Subscription, by count: Int, _ user: UInt32) {
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
}
