import Positioning

/// The machines of which the broker is composed, each with its own state, and the operations that need several of them.
///
/// An operation of one machine alone is in that machine. Calls and events are in the extensions, one for each subject.
struct BrokerParts: Sendable {
  /// When the daemon started.
  let began: Instant
  private let passing = PassedByAddress()
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
  /// Everything that outlives its clients.
  var names: DurableNames
  var commits: Commits
  var status = StatusReporter()
  var idle = IdleWatch()
  /// Whether the daemon stops: nothing new begins.
  private(set) var isStopping = false
  /// Whether the offset of fuzzed locations was not known when the daemon started.
  private let isFuzzerNew: Bool

  /// Restores the stored state.
  init(settings: BrokerSettings, stored: StoredState, seed: UInt64, _ turn: inout Turn) {
    self.began = turn.now
    self.settings = settings
    self.receiver = ReceiverSide(settings: settings, now: turn.now)
    self.demand = DemandPlanner(policy: settings.power, memory: stored.receiver, now: turn.now)
    self.isFuzzerNew = stored.fuzzer == nil
    self.permissions = PermissionBook(
      decisions: stored.decisions, isOn: stored.isEnabled, unread: stored.unread, fallback: settings.access.fallback)
    self.feeds = Feeds(restoring: stored.fuzzer, seed: seed, now: turn.now)
    self.visits = VisitWatch(restoring: stored.visitMemory)
    self.names = DurableNames(restoring: stored, now: turn.now)
    self.commits = Commits(limit: settings.maxUnstored)
    self.restore(stored, &turn)
    // Stored before it is used, so that a restarted daemon does not use another one.
    if stored.fuzzer == nil { turn.store(.putFuzzer(self.feeds.fuzzer)) }
  }

  /// The store is open, after the daemon has served without it: what it holds is taken over. No durable name was added
  /// meanwhile, and what was decided meanwhile is stored now.
  mutating func storeOpened(_ stored: StoredState, _ turn: inout Turn) {
    self.commits.setUnopened(nil)
    self.commits.setError(nil, now: turn.now)
    let changed = self.permissions.restore(stored.decisions, isOn: stored.isEnabled, unread: stored.unread)
    if self.isFuzzerNew, let fuzzer = stored.fuzzer {
      self.feeds.restore(fuzzer, now: turn.now)
    } else {
      turn.store(.putFuzzer(self.feeds.fuzzer))
    }
    self.demand.restore(stored.receiver)
    self.names = DurableNames(restoring: stored, now: turn.now)
    self.restore(stored, &turn)
    self.carryOut(changed + self.permissions.storeChanged(error: nil), &turn)
    if let memory = stored.visitMemory { self.restoreVisits(memory, &turn) }
    turn.log(
      .storeRecovered,
      "the store is open, and what it holds is taken over: \(stored.names.count) of durable names, "
        + "\(stored.decisions.count) of decisions about users")
  }

  /// The settings have changed; `owners`: the present users of stored data.
  mutating func change(_ settings: BrokerSettings, _ owners: [UInt32: OwnerAccount], _ turn: inout Turn) {
    self.settings = settings
    self.permissions.change(settings.access.fallback)
    self.receiver.change(settings)
    self.demand.change(settings.power)
    self.updateOwners(owners, &turn)
    self.reconsider(&turn)
  }

  /// Whether work is left for the next turn, so that this one is short.
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

  /// The feed of a client or a durable name; `nil`: none.
  func feed(of holder: Holder) -> FixFeedKey? {
    switch holder {
    case .client(let id): self.clients[id]?.access.feed
    case .durable(let id): self.names[id]?.feed
    }
  }

  func isPrecise(_ holder: Holder) -> Bool { self.feed(of: holder)?.precision == .precise }

  /// The principal of a client, or of a durable name's user.
  func principal(of holder: Holder) -> Principal? {
    switch holder {
    case .client(let id): self.clients[id]?.principal
    case .durable(let id): self.names[id].map { Principal(uid: id.uid, user: $0.user, name: id.name) }
    }
  }

  // MARK: Notifying

  /// All notifications of holders pass through here.
  mutating func notify(_ holder: Holder, _ notification: Notification, _ turn: inout Turn) {
    switch holder {
    case .client(let id): turn.notify(id, notification)
    case .durable(let id): self.post(notification, to: id, &turn)
    }
  }

  /// Sends the deliveries of a position subscription, in order.
  mutating func notify(_ id: SubscriptionID, _ updates: [PositionUpdate], _ turn: inout Turn) {
    for update in updates { self.notify(id.holder, .position(id, update), &turn) }
  }

  // MARK: The end

  mutating func stop(_ turn: inout Turn) {
    self.isStopping = true
    self.commits.stop()
    // While changes still wait for room in the store.
    self.catchUp(slice: .max, &turn)
    for call in self.calls.ids {
      _ = self.remove(call)
      turn.fail(call, .shuttingDown)
    }
    for id in self.subscriptions.ids { self.notify(id, self.flush(id, now: turn.now), &turn) }
    self.keepVisits(isPressing: true, &turn)
    self.keepReceiverMemory(isPressing: true, &turn)
    for id in self.subscriptions.ids { self.remove(id, &turn) }
    self.feeds.removeAllRegions()
    self.demand.change(.immediate)
  }
}
