package import Positioning
import ReceiverPorts

/// All decisions of the daemon: a value that takes an event and the time, and returns actions.
///
/// It reads no clock and does nothing itself, so that a year of it runs in seconds, and the same events always give the
/// same actions. It is composed of smaller machines, each with its own state. It hands each event to those that it
/// concerns, and settles what follows from their new state: the extensions have what takes several of them.
package struct BrokerMachine: Sendable {
  /// When the daemon started.
  let began: Instant
  private let passing = PassedByAddress()
  private(set) var settings: BrokerSettings
  var clients = ClientTable()
  var calls = PendingCalls()
  var subscriptions = Subscriptions()
  var receiver: ReceiverSide
  var demand: DemandPlanner
  var clock: ClockKeeper
  var permissions: Permissions
  var prompts = PromptQueue()
  var usage = PositionUsage()
  var usageLog = UsageLog()
  /// How many calls were refused for want of permission.
  var denials = 0
  var feeds: Feeds
  var visits: VisitWatch
  /// Everything that outlives its clients.
  var names: DurableNames
  var commits: Commits
  var status = StatusReporter()
  var idle = IdleWatch()
  /// The receiver that its rung has turned off, if that has changed since the daemon started.
  private(set) var stoppedReceiver: StoppedReceiver?
  /// Whether the daemon stops: nothing new begins.
  private(set) var isStopping = false
  /// Whether the offset of fuzzed locations was not known when the daemon started.
  private let isFuzzerNew: Bool
  /// The last deadline that was set.
  private var armed: Instant?

  /// - Parameters:
  ///   - stored: The stored state.
  ///   - seed: An unpredictable number, for the fuzzing of positions.
  package init(settings: BrokerSettings, stored: StoredState = StoredState(), seed: UInt64 = 0, now: Instant) {
    self.began = now
    self.settings = settings
    self.receiver = ReceiverSide(settings: settings, now: now)
    self.demand = DemandPlanner(policy: settings.power, memory: stored.receiver, now: now)
    self.clock = ClockKeeper(settings.clock)
    self.isFuzzerNew = stored.fuzzer == nil
    self.permissions = Permissions(
      decisions: stored.decisions, isOn: stored.isEnabled, unread: stored.unread, fallback: settings.access.fallback)
    self.feeds = Feeds(restoring: stored.fuzzer, seed: seed, now: now)
    self.visits = VisitWatch(restoring: stored.visitMemory)
    self.names = DurableNames(restoring: stored, now: now)
    self.commits = Commits(limit: settings.maxUnstored)
    self.restore(stored, now: now)
    // Stored before it is used, so that a restarted daemon does not use another one.
    if stored.fuzzer == nil { self.commits.store(.putFuzzer(self.feeds.fuzzer)) }
  }

  package mutating func handle(_ event: BrokerEvent, now: Instant) -> [Action] {
    var turn = Turn(now: now)
    self.route(event, &turn)
    self.settle(&turn)
    return turn.actions
  }

  // MARK: Events

  private mutating func route(_ event: BrokerEvent, _ turn: inout Turn) {
    switch event {
    case .clientConnected(let client, let principal): self.admit(client, principal, &turn)
    case .clientIntroduced(let client, let name, let purpose):
      self.introduce(client, name: name, purpose: purpose)
    case .clientLeft(let client): self.forget(client, isWritten: true, &turn)
    case .clientDisconnected(let client): self.forget(client, isWritten: false, &turn)
    case .called(let call, let what): self.perform(what, as: call, &turn)
    case .receiver(let event): self.received(event, &turn)
    case .clockReported(let figure): self.clock.reported(figure, now: turn.now)
    case .deadlineReached:
      self.armed = nil
      self.deadlinesReached(&turn)
      self.continueWork(&turn)
    case .gapEnded(let gap): self.putOff(by: gap, now: turn.now)
    case .taken(let client): self.taken(by: client)
    case .storeChanged(let error): self.storeChanged(error: error, &turn)
    case .storeUnopened(let reason): self.storeUnopened(because: reason, &turn)
    case .storeOpened(let stored): self.storeOpened(stored, &turn)
    case .stored(let number, let error): self.stored(number, error: error, &turn)
    case .stoppedReceiverChanged(let stopped): self.store(stopped)
    case .unitStarted(let id, let error): self.unitStarted(for: id, error: error, &turn)
    case .promptAnswered(let prompt, let agent, let answer):
      self.answered(prompt, by: agent, answer, &turn)
    case .stopping: self.stop(&turn)
    case .ownersLearned(let owners):
      self.updateOwners(owners, &turn)
      for uid in owners.keys.sorted() { self.reconsider(user: uid, &turn) }
    case .settingsChanged(let settings, let owners): self.change(settings, owners, &turn)
    }
  }

  // MARK: Settings and the store

  /// The store is open, after the daemon has served without it: what it holds is taken over. No durable name was added
  /// meanwhile, and what was decided meanwhile is stored now.
  mutating func storeOpened(_ stored: StoredState, _ turn: inout Turn) {
    self.commits.setUnopened(nil)
    self.commits.setError(nil, now: turn.now)
    let changed = self.permissions.restore(stored.decisions, isOn: stored.isEnabled, unread: stored.unread)
    if self.isFuzzerNew, let fuzzer = stored.fuzzer {
      self.feeds.restore(fuzzer, now: turn.now)
    } else {
      self.commits.store(.putFuzzer(self.feeds.fuzzer))
    }
    self.demand.restore(stored.receiver)
    self.names = DurableNames(restoring: stored, now: turn.now)
    self.restore(stored, now: turn.now)
    self.carryOut(changed + self.permissions.storeChanged(error: nil, awaited: []), &turn)
    if let memory = stored.visitMemory { self.carryOut(self.visits.restore(memory, now: turn.now), &turn) }
    turn.log(
      .storeRecovered,
      "the store is open, and what it holds is taken over: \(stored.names.count) of durable names, "
        + "\(stored.decisions.count) of decisions about users")
  }

  /// The rung that turns the receiver off waits until this is stored.
  private mutating func store(_ stopped: StoppedReceiver?) {
    self.stoppedReceiver = stopped
    self.commits.store(.putStoppedReceiver(stopped))
    self.commits.follow(.reportStoppedReceiver)
  }

  /// The settings have changed; `owners`: the present users of stored data.
  mutating func change(_ settings: BrokerSettings, _ owners: [UInt32: OwnerAccount], _ turn: inout Turn) {
    self.settings = settings
    self.permissions.change(settings.access.fallback)
    self.receiver.change(settings)
    self.demand.change(settings.power)
    self.clock.change(settings.clock)
    self.updateOwners(owners, &turn)
    self.reconsider(&turn)
  }

  // MARK: Settling

  /// Brings everything that follows from the state in line: the receiver, the availability that clients know, the next
  /// deadline.
  private mutating func settle(_ turn: inout Turn) {
    self.releaseReducedFixes(&turn)
    self.catchUp(now: turn.now)
    // First, because it may end the last need.
    self.reportHeadings(&turn)
    self.plan(&turn)
    if let port = self.clock.takeQuestion() { turn.act(.askClock(port: port)) }
    self.reportAvailability(&turn)
    self.noteUsage(&turn)
    self.reportStatus(&turn)
    let (batch, followers) = self.commits.commit(now: turn.now)
    let isOver = self.idle.note(
      isIdle: self.isIdle, limit: self.settings.exitWhenIdle, now: turn.now)
    let next =
      self.isWorkLeft(now: turn.now) ? min(self.armed ?? turn.now, turn.now) : self.nextDeadline(now: turn.now)
    if next != self.armed {
      self.armed = next
      turn.act(.setDeadline(next))
    }
    if let batch {
      let action = Action.store(batch.number, batch.changes)
      // A denial is in the file beside the store that is not open before it is answered as being in force.
      if self.commits.unopened != nil { turn.actFirst(action) } else { turn.act(action) }
    }
    turn.act(followers.compactMap(\.action))
    if isOver { turn.act(.end) }
  }

  /// Whether work is left for the next turn, so that this one is short.
  func isWorkLeft(now: Instant) -> Bool {
    !self.status.isOver || self.feeds.isWorkLeft(now: now)
  }

  // MARK: The end

  mutating func stop(_ turn: inout Turn) {
    self.isStopping = true
    self.commits.stop()
    // While changes still wait for room in the store.
    self.catchUp(slice: .max, now: turn.now)
    for call in self.calls.ids {
      _ = self.remove(call)
      turn.fail(call, .shuttingDown)
    }
    self.carryOut(self.subscriptions.flushAll(now: turn.now), &turn)
    if let memory = self.visits.keep(isPressing: true, now: turn.now) { self.commits.store(memory) }
    self.keepReceiverMemory(isPressing: true, now: turn.now)
    self.subscriptions.removeAll()
    self.refreshVisits(now: turn.now)
    self.feeds.removeAllRegions()
    self.clock.stop()
    self.demand.change(.immediate)
  }
}

/// When the machines need the next call. Each has its own deadlines; those that have passed are handled in order of
/// time, across all machines.
extension BrokerMachine {
  /// The most deadlines that one turn handles.
  private static let turnDeadlines = 256

  /// The owner of a deadline. Of two at the same moment the one that is listed first is handled first.
  private enum DeadlineOwner: CaseIterable {
    case calls, subscriptions, wakes, regions, prompts, commits, visits, clock, filter, planner
  }

  /// The soonest of all.
  func nextDeadline(now: Instant) -> Instant? {
    // Deadlines of reports that follow when everything else is settled, and of the feeds' next fixes, for which the
    // receiver is planned again.
    self.earliest().map(\.deadline).earlier(self.usage.nextDeadline).earlier(self.status.nextDeadline)
      .earlier(self.headingDeadline(now: now)).earlier(self.feedDeadline(now: now))
      .earlier(self.idle.nextDeadline(after: self.settings.exitWhenIdle))
  }

  mutating func deadlinesReached(_ turn: inout Turn) {
    var left = Self.turnDeadlines
    while left > 0, let due = self.earliest(), due.deadline <= turn.now {
      left -= 1
      self.deadlineReached(of: due.owner, &turn)
    }
  }

  private func earliest() -> (owner: DeadlineOwner, deadline: Instant)? {
    var earliest: (owner: DeadlineOwner, deadline: Instant)?
    for owner in DeadlineOwner.allCases {
      guard let deadline = self.nextDeadline(of: owner) else { continue }
      if earliest.map({ deadline < $0.deadline }) ?? true { earliest = (owner, deadline) }
    }
    return earliest
  }

  private func nextDeadline(of owner: DeadlineOwner) -> Instant? {
    switch owner {
    case .calls: self.calls.nextDeadline
    case .subscriptions: self.subscriptions.nextDeadline
    case .wakes: self.names.nextDeadline
    case .regions: self.feeds.nextDeadline
    case .prompts: self.prompts.nextDeadline
    case .visits: self.visits.nextDeadline
    case .clock: self.clock.nextDeadline
    // Reports of a receiver that nobody needs are ignored.
    case .filter: self.demand.isOn ? self.receiver.nextDeadline : nil
    case .planner: self.demand.nextDeadline
    case .commits: self.commits.nextDeadline
    }
  }

  private mutating func deadlineReached(of owner: DeadlineOwner, _ turn: inout Turn) {
    let now = turn.now
    switch owner {
    case .calls: if let call = self.calls.takeDue(now: now) { _ = self.timeOut(call, &turn) }
    case .subscriptions: self.carryOut(self.subscriptionDeadlineReached(now: now), &turn)
    case .wakes: if let id = self.names.takeDue(now: now) { self.wake(id, now: turn.now) }
    case .regions: self.carryOut(self.feeds.deadlineReached(now: now, effort: &turn.effort), &turn)
    case .prompts: self.carryOut(self.prompts.deadlineReached(now: now), &turn)
    case .visits: self.visits.deadlineReached(now: now)
    case .clock: self.clock.deadlineReached(now: now)
    case .filter: self.take(self.receiver.deadlineReached(now: now), &turn)
    case .planner: self.plan(&turn)
    case .commits: self.answerOverdue(&turn)
    }
  }
}

/// Time in which the daemon did not run.
///
/// Nobody searched, waited or served then. So every deadline that limits a search or a wait is put off: those of searches
/// and probes, of requests, of the disk, of a person's answer, of lingers and heartbeats. Others stay: how old something
/// is, that a fix is lost, when the next probe is due, and when a duration ends.
extension BrokerMachine {
  mutating func putOff(by gap: Duration, now: Instant) {
    self.calls.putOff(by: gap)
    self.subscriptions.putOff(by: gap)
    self.prompts.putOff(by: gap)
    self.visits.putOff(by: gap)
    self.clock.putOff(by: gap)
    self.feeds.putOff(by: gap, now: now)
    self.demand.putOff(by: gap, now: now)
    self.commits.putOff(by: gap)
    self.idle.putOff(by: gap)
  }
}

/// Who the holders are, what they may know, and what follows for them.
extension BrokerMachine {
  func user(of client: ClientID) -> UInt32 { self.clients[client]?.principal.uid ?? .max }

  func user(of holder: Holder) -> UInt32 {
    switch holder {
    case .client(let id): self.user(of: id)
    case .durable(let id): id.uid
    }
  }

  /// The feed of a client or a durable name; `nil`: none.
  func feed(of holder: Holder) -> FixFeedKey? { Self.feed(of: holder, self.clients, self.names) }

  static func feed(of holder: Holder, _ clients: ClientTable, _ names: DurableNames) -> FixFeedKey? {
    switch holder {
    case .client(let id): clients[id]?.access.feed
    case .durable(let id): names[id]?.feed
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

  mutating func carryOut(_ effects: [HolderEffect], _ turn: inout Turn) {
    for effect in effects {
      switch effect {
      case .notify(let client, let notification): turn.notify(client, notification)
      case .post(let content, let name): self.post(content, to: name, now: turn.now)
      case .store(let change): self.commits.store(change)
      }
    }
  }
}

extension BrokerMachine {
  /// Whether nothing needs the daemon: nobody is connected, nothing is registered under a durable name, no event waits
  /// for the start of a unit, no clock is kept, and the receiver is neither on nor turned off in a way that only positiond ends.
  /// Before the store is open nobody knows what is registered.
  var isIdle: Bool {
    self.commits.unopened == nil && self.clients.isEmpty && self.subscriptions.count == 0
      && self.feeds.holdings.regions.total == 0
      && self.names.nextDeadline == nil && !self.clock.keepsTime && !self.demand.isOn && !self.receiver.power.isHeld
  }
}

extension PowerState {
  /// Whether the daemon turns the receiver on or off, or has turned it off and must turn it on again.
  fileprivate var isHeld: Bool {
    switch self.state {
    case .on, .turningOn, .turningOff: true
    case .released, .unknown: false
    // gpsd opens a receiver for whoever watches it.
    case .off: self.rung != .watch
    }
  }
}

/// Makes the compiler pass the value that contains this by its address.
///
/// It passes a value whose layout it knows by copying it for each call of a method that only reads it, even if the value
/// has several kilobytes. The layout of an existential it leaves to the runtime, so that the whole has to stay in its
/// place.
struct PassedByAddress: Sendable {
  private let unused: any Sendable = ()
}
