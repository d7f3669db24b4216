import Positioning

/// The machines that the broker is composed of, each with its own state, and what takes several of them.
///
/// What concerns one machine alone is in that machine. What clients ask, and what events bring about, stands in the
/// extensions, one for each subject.
struct BrokerParts: Sendable {
  /// When the daemon started.
  let began: Instant
  private(set) var settings: BrokerSettings
  var clients = ClientTable()
  var calls = PendingCalls()
  var subscriptions = SubscriptionTable()
  var receiver: ReceiverSide
  var demand: DemandPlanner
  var permissions: PermissionBook
  var prompts = PromptQueue()
  var usage = UsageLedger()
  var feeds: Feeds
  var visits: VisitWatch
  /// What outlives its clients.
  var names: DurableNames
  var commits: Commits
  var status = StatusReporter()
  /// Whether the daemon stops: nothing is begun any more.
  private(set) var isStopping = false

  /// What lasted from before stands again.
  init(settings: BrokerSettings, stored: StoredState, seed: UInt64, _ turn: inout Turn) {
    self.began = turn.now
    self.settings = settings
    self.receiver = ReceiverSide(settings: settings, now: turn.now)
    self.demand = DemandPlanner(settings: settings, now: turn.now)
    self.permissions = PermissionBook(
      decisions: stored.decisions, isOn: stored.isEnabled, unread: stored.unread, fallback: settings.access.fallback)
    self.feeds = Feeds(restoring: stored.fuzzer, seed: seed, now: turn.now)
    self.visits = VisitWatch(restoring: stored.visitMemory)
    self.names = DurableNames(restoring: stored, now: turn.now)
    self.commits = Commits(limit: settings.maxUnstored)
    self.restore(stored, &turn)
    // Kept before anything is told by it: a daemon that is started again is not to have another.
    if stored.fuzzer == nil { turn.store(.putFuzzer(self.feeds.fuzzer)) }
  }

  /// The administrator changed something; `owners`: who the users are now for whom something is kept.
  mutating func change(_ settings: BrokerSettings, _ owners: [UInt32: NameOwner], _ turn: inout Turn) {
    self.settings = settings
    self.permissions.change(settings.access.fallback)
    self.receiver.change(settings)
    self.demand.change(linger: settings.linger, minimumOff: settings.minimumOff)
    self.learn(owners, &turn)
    self.reconsider(&turn)
  }

  /// Whether something goes on in the next turn, so that this one is short.
  func isWorkLeft(now: Instant) -> Bool {
    !self.status.isOver || self.feeds.isWorkLeft(now: now)
  }

  // MARK: Holders

  func user(of client: ClientID) -> UInt32 { self.clients[client]?.principal.uid ?? .max }

  func user(of holder: Holder) -> UInt32 {
    switch holder {
    case .client(let id): self.user(of: id)
    case .durable(let id): id.uid
    }
  }

  /// Which fixes a client, or a durable name, sees; `nil`: none.
  func feed(of holder: Holder) -> FixFeedKey? {
    switch holder {
    case .client(let id): self.clients[id]?.access.feed
    case .durable(let id): self.names[id]?.feed
    }
  }

  func isPrecise(_ holder: Holder) -> Bool { self.feed(of: holder)?.precision == .precise }

  /// Who a client is, or whose a durable name is, called by it.
  func principal(of holder: Holder) -> Principal? {
    switch holder {
    case .client(let id): self.clients[id]?.principal
    case .durable(let id): self.names[id].map { Principal(uid: id.uid, user: $0.user, name: id.name) }
    }
  }

  // MARK: Telling

  /// The one gate through which everything passes that a holder is told unasked.
  mutating func notify(_ holder: Holder, _ notification: Notification, _ turn: inout Turn) {
    switch holder {
    case .client(let id): turn.notify(id, notification)
    case .durable(let id): self.post(notification, to: id, &turn)
    }
  }

  /// Tells what a position subscription delivers, in order.
  mutating func notify(_ id: SubscriptionID, _ updates: [PositionUpdate], _ turn: inout Turn) {
    for update in updates { self.notify(id.holder, .position(id, update), &turn) }
  }

  // MARK: The end

  mutating func stop(_ turn: inout Turn) {
    self.isStopping = true
    self.commits.stop()
    // While there still is what is owed to the disk.
    self.catchUp(slice: .max, &turn)
    for call in self.calls.ids {
      _ = self.remove(call)
      turn.answer(call, .failed(.shuttingDown))
    }
    for id in self.subscriptions.ids { self.notify(id, self.flush(id, now: turn.now), &turn) }
    self.keepVisits(isPressing: true, &turn)
    for id in self.subscriptions.ids { self.remove(id, &turn) }
    self.feeds.removeAllRegions()
    self.demand.change(linger: .zero, minimumOff: .zero)
  }
}
