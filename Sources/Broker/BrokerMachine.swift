package import Positioning
import ReceiverPorts

/// All decisions of the daemon: a value that takes an event and the time, and returns what is to be done.
///
/// It owns the requests and subscriptions of all clients, the filter that turns reports into fixes, and the plan of the
/// receiver. It reads no clock and touches nothing, so that a year of it runs in seconds, and the same events always
/// give the same actions.
package struct BrokerMachine: Sendable {
  var settings: BrokerSettings
  var filter: FixFilter
  var skyView = SkyView()
  var headingView: HeadingView
  var planner: ReceiverPlanner
  var ledger: OnTimeLedger

  /// The newest fix with the satellites that it used.
  var current: Fix?
  var source = SourceState.idle
  var power: PowerState
  var devices: [ReceiverDevice] = []
  var gpsdVersion: String?
  var reconnects = 0
  var lastError: Status.LastError?
  var counts = ReportCounts()
  /// The availability that any client would be told, and since when.
  var availability = Availability.poweredDown
  var availabilitySince: Instant

  var clients: [ClientID: Client] = [:]
  /// Those who have left, and are still written what waits for them.
  var leaving: [ClientID: Client] = [:]
  /// The clients of each user.
  var userClients = Grouping<ClientID, UInt32>()
  /// What each user holds.
  var holdings = HoldingsLedger()
  var requests = ViewedTable<CallID, PendingRequest>()
  var positions = ViewedTable<SubscriptionID, PositionSubscription>()
  var skies = OwnedTable<SubscriptionID, SkySubscription>()
  var headingRequests = OwnedTable<CallID, PendingHeading>()
  var headings = OwnedTable<SubscriptionID, HeadingSubscription>()
  var statuses = OwnedTable<SubscriptionID, StatusSubscription>()
  /// Who needs the receiver, now or later.
  var needs = NeedLedger<NeedKey>()
  /// What those ask of it who need it, one by one.
  var demands = DemandLedger<NeedKey>()
  /// What clients get to see of the fixes, by what they may know.
  var views = FixViews()
  /// Takes the precision from fixes for those who may know the position roughly.
  var disguise: Disguise
  /// The newest reduced fix that is kept.
  var newestReduced: Fix?
  var visits = ViewedTable<SubscriptionID, VisitSubscription>()
  var visitDetector = VisitDetector()
  var visitKeeper = VisitKeeper()
  var visitLook: ProbeSchedule?

  /// What outlives its clients, by user and name.
  var names = OwnedTable<DurableID, DurableName>()
  var holders: [ClientID: DurableID] = [:]
  var nextHolder: UInt64 = 0
  /// The greatest number that an event of a removed name had, for each user.
  var retired: [UInt32: UInt64] = [:]
  /// When units were started last for events.
  var wakes = WakeLedger()
  /// What is on its way to the disk.
  var commits: CommitLedger
  /// What is owed to the disk.
  var behind = CatchUpList()
  /// What persons and administrators decided, and the master switch.
  var permissions: PermissionBook
  /// What is told once it is kept.
  var awaitingStore: [UInt64: AwaitedChange] = [:]
  var nextConfirmation: UInt64 = 0
  var desk = PromptDesk()
  var agents: Set<ClientID> = []
  /// Calls that wait for a person's answer.
  var parked = OwnedTable<CallID, ParkedCall>()
  var usage = UsageLedger()

  /// What the start has the store keep, with the first turn.
  private(set) var startChanges: [StoreChange] = []

  /// When those who subscribed to the status were told last, if anything had changed.
  var statusChecked: Instant?
  var statusBoard = StatusBoard()
  var statusRounds = StatusRounds()
  /// How often a client that asks for something said who it is.
  var introductions = 0

  /// The view whose work comes first, so that each has its turn.
  var firstView = 0

  /// How many deadlines are dealt with in a turn.
  private static let turnDeadlines = 256

  var toldHeading: ToldHeading?
  /// Whether the log says that the model of the magnetic field is over.
  var isWarnedOfModel = false

  /// Whether the daemon stops: nothing is begun any more.
  private(set) var isStopping = false

  private var deadlines = DeadlineQueue<DeadlineKey>()
  private var armed: Instant?

  struct Client: Sendable {
    var principal: Principal
    var nextSubscription = 1
    var requests = 0
    var subscriptions = 0
    var regions = 0
    /// Of its polygons.
    var corners = 0
    var access: Access
    /// A person's answer that holds for this connection alone.
    var decision: Decision?
  }

  /// What a deadline belongs to.
  enum DeadlineKey: Hashable {
    case request(CallID)
    case subscription(SubscriptionID)
    case wake(DurableID)
    case regions(FixViewKey?)
    case view(FixViewKey)
    case visits
    case prompt(UInt32)
    case permissions
    case usage
    case commits
    case filter
    case planner
    case status
    case heading
  }

  /// Who may need the receiver.
  enum NeedKey: Hashable {
    case request(CallID)
    case subscription(SubscriptionID)
    case regions(FixViewKey?)
    case visits
  }

  /// - Parameters:
  ///   - stored: what lasted from before.
  ///   - seed: what nobody can guess, for the disguise of positions.
  package init(settings: BrokerSettings, stored: StoredState = StoredState(), seed: UInt64 = 0, now: Instant) {
    self.settings = settings
    self.commits = CommitLedger(limit: settings.maxUnstored)
    self.filter = FixFilter(settings: settings.fixes)
    self.headingView = HeadingView(settings: settings.headings)
    self.planner = ReceiverPlanner(linger: settings.linger, minimumOff: settings.minimumOff)
    self.ledger = OnTimeLedger(began: now)
    self.power = PowerState(state: .unknown, since: now)
    self.availabilitySince = now
    self.disguise =
      stored.disguise.map { Disguise(restoring: $0, seed: seed) } ?? Disguise(seed: seed, now: now)
    // That of an earlier boot may be of any age: it is not told as if it were the newest.
    self.newestReduced = stored.disguise?.told.flatMap { $0.arrival.isBeforeBoot ? nil : $0 }
    self.permissions = PermissionBook(
      decisions: stored.decisions, isOn: stored.isEnabled, unread: stored.unread, fallback: settings.access.fallback)
    var turn = Turn(now: now)
    self.restore(stored, &turn)
    // Kept before anything is told by it: a daemon that is started again is not to have another.
    if stored.disguise == nil { turn.store(.putDisguise(self.disguise.snapshot)) }
    self.startChanges = turn.changes
  }

  package mutating func handle(_ event: BrokerEvent, now: Instant) -> [Action] {
    var turn = Turn(now: now, changes: self.startChanges)
    self.startChanges = []
    switch event {
    case .clientConnected(let client, let principal):
      self.admit(client, principal, &turn)
    case .clientIntroduced(let client, let name, let purpose):
      self.clients[client]?.principal.name = name
      self.clients[client]?.principal.purpose = purpose
      if let client = self.clients[client], client.requests + client.subscriptions + client.regions > 0 {
        self.introductions += 1
      }
    case .clientLeft(let client):
      self.leaving[client] = self.clients[client]
      self.forget(client, &turn)
    case .clientDisconnected(let client):
      self.leaving[client] = nil
      self.forget(client, &turn)
    case .called(let call, let what):
      self.perform(what, as: call, &turn)
    case .receiver(let event):
      self.received(event, &turn)
    case .deadlineReached:
      self.armed = nil
      self.deadlinesReached(&turn)
      self.goOn(&turn)
    case .taken(let client):
      self.taken(by: client, &turn)
    case .storeChanged(let trouble):
      self.commits.trouble = trouble
      self.carryOut(self.permissions.storeChanged(trouble: trouble), &turn)
    case .stored(let number, let trouble):
      self.stored(number, trouble: trouble, &turn)
    case .unitStarted(let id, let trouble):
      self.unitStarted(for: id, trouble: trouble, &turn)
    case .confirmed(let number, let trouble):
      self.confirmed(number, trouble: trouble, &turn)
    case .promptAnswered(let prompt, let agent, let answer):
      self.answered(prompt, by: agent, answer, &turn)
    case .stopping:
      self.stop(&turn)
    case .ownersLearned(let owners):
      self.learn(owners, &turn)
      for uid in owners.keys.sorted() { self.reconsider(user: uid, &turn) }
    case .settingsChanged(let settings, let owners):
      self.settings = settings
      self.permissions.fallback = settings.access.fallback
      self.filter.change(settings.fixes)
      self.headingView.change(settings.headings)
      self.planner.change(linger: settings.linger, minimumOff: settings.minimumOff)
      self.learn(owners, &turn)
      self.reconsider(&turn)
    }
    self.settle(&turn)
    return turn.actions
  }

  /// Brings in line what follows from the state: the receiver, what clients know of its availability, the next deadline.
  private mutating func settle(_ turn: inout Turn) {
    self.releaseReducedFixes(&turn)
    self.catchUp(&turn)
    // First of all that follows: it may end the last need.
    self.tellHeadings(&turn)
    self.plan(&turn)
    self.tellAvailability(&turn)
    self.noteUsage(&turn)
    self.noteDemands()
    self.tellStatus(&turn)
    // Nobody waits for what a receiver says that nobody needs.
    self.deadlines.set(self.planner.isOn ? self.filter.nextDeadline : nil, for: .filter)
    self.deadlines.set(self.planner.nextDeadline, for: .planner)
    let kept = self.commit(&turn)
    self.deadlines.set(self.commits.nextDeadline, for: .commits)
    let next = self.isWorkLeft(now: turn.now) ? min(self.armed ?? turn.now, turn.now) : self.deadlines.next
    if next != self.armed {
      self.armed = next
      turn.act(.setDeadline(self.armed))
    }
    turn.act(kept)
  }

  /// Whether something goes on in the next turn, so that this one is short.
  func isWorkLeft(now: Instant) -> Bool {
    !self.statusRounds.isOver || self.views.allKeys.contains { self.views[$0].regions.isWorkLeft(now: now) }
  }

  /// Turns the receiver on or releases it, as the needs and the time have it.
  mutating func plan(_ turn: inout Turn) {
    let isOn = self.planner.planned(isNeeded: self.needs.isNeeded, nextDue: self.needs.nextDue, now: turn.now)
    guard let isOn else { return }
    self.ledger.receiverTurned(on: isOn, now: turn.now)
    // Either way a session begins or ends, and it is no loss. Stragglers of the one before count for nothing in it.
    self.apply(self.filter.sessionEnded(isIntended: true), &turn)
    self.headingView.sessionEnded()
    turn.act(.setReceiver(on: isOn))
    turn.log(.info, isOn ? "the receiver is needed" : "nobody needs the receiver any more")
  }

  private mutating func deadlinesReached(_ turn: inout Turn) {
    var left = Self.turnDeadlines
    while left > 0, let key = self.deadlines.popDue(now: turn.now) {
      left -= 1
      switch key {
      case .filter:
        self.apply(self.filter.deadlineReached(now: turn.now), &turn)
      case .planner:
        self.plan(&turn)
      case .status, .heading, .usage:
        // Told when all else is settled.
        break
      case .request(let call):
        _ = self.timeOut(call, &turn)
      case .subscription(let id):
        self.deadlineReached(of: id, &turn)
      case .commits:
        self.answerOverdue(&turn)
      case .wake(let id):
        self.wake(id, &turn)
      case .regions(let view):
        self.regionDeadlineReached(in: view, &turn)
      case .view(let view):
        self.refreshNeeds(in: view, &turn)
      case .prompt(let uid):
        self.endPrompt(of: uid, &turn)
      case .permissions:
        self.carryOut(self.permissions.deadlineReached(now: turn.now), &turn)
      case .visits:
        self.visitDeadlineReached(&turn)
      }
    }
  }

  /// The one gate through which everything passes that a client is told unasked.
  mutating func tell(_ notification: Notification, to client: ClientID, _ turn: inout Turn) {
    if client.isDurable {
      self.post(notification, of: client, &turn)
    } else {
      turn.notify(client, notification)
    }
  }

  // MARK: Deadlines and needs

  mutating func setDeadline(_ deadline: Instant?, for key: DeadlineKey) { self.deadlines.set(deadline, for: key) }

  /// Keeps when a subscription wants to be asked, and what it needs, as they follow from its state.
  mutating func refresh(_ id: SubscriptionID, _ turn: inout Turn) {
    let subscription = self.positions[id]
    self.deadlines.set(subscription?.nextDeadline, for: .subscription(id))
    self.need(subscription?.need ?? .none, in: subscription?.view, for: .subscription(id), &turn)
  }

  // MARK: Clients

  /// The calls that wait for an answer, of whatever kind.
  private var waitingCalls: [CallID] { self.requests.keys + self.headingRequests.keys + self.parked.keys }

  /// Those of one client.
  func waitingCalls(of client: ClientID) -> [CallID] {
    self.requests.keys(of: client) + self.headingRequests.keys(of: client) + self.parked.keys(of: client)
  }

  /// The subscriptions that stand, of whatever kind.
  var subscriptionIDs: [SubscriptionID] {
    self.positions.keys + self.skies.keys + self.headings.keys + self.statuses.keys + self.visits.keys
  }

  /// Those of one client, or of a durable name.
  func subscriptionIDs(of holder: ClientID) -> [SubscriptionID] {
    self.positions.keys(of: holder) + self.skies.keys(of: holder) + self.headings.keys(of: holder)
      + self.statuses.keys(of: holder) + self.visits.keys(of: holder)
  }

  var requestCount: Int { self.requests.count + self.headingRequests.count + self.parked.count }

  var subscriptionCount: Int {
    self.positions.count + self.skies.count + self.headings.count + self.statuses.count + self.visits.count
  }

  /// Frees all that a client asked for, in the same turn in which it left.
  private mutating func forget(_ client: ClientID, _ turn: inout Turn) {
    // One that has nothing left costs nothing: clients may come and go as fast as they like.
    guard let left = self.clients.removeValue(forKey: client) else { return }
    let user = left.principal.uid
    self.userClients.remove(client)
    self.holdings.change(user) {
      $0.requests -= left.requests
      $0.subscriptions -= left.subscriptions
    }
    self.views.join(left.access.view, by: -1)
    if self.agents.remove(client) != nil { self.agentLeft(client, &turn) }
    for id in self.detach(client, of: user, &turn) { self.wake(id, &turn) }
    if left.regions > 0 {
      self.forgetRegions(of: client, user: user, count: left.regions, corners: left.corners, &turn)
    }
    guard left.requests > 0 || left.subscriptions > 0 else { return }
    for call in self.waitingCalls(of: client) {
      self.setDeadline(nil, for: .request(call))
      self.needs.set(.none, for: .request(call))
    }
    self.requests.removeAll(of: client)
    self.headingRequests.removeAll(of: client)
    self.parked.removeAll(of: client)
    for id in self.subscriptionIDs(of: client) { self.remove(id, of: user, &turn) }
  }

  private mutating func stop(_ turn: inout Turn) {
    self.isStopping = true
    // While there still is what is owed to the disk.
    self.catchUp(slice: .max, &turn)
    for call in self.waitingCalls {
      self.setDeadline(nil, for: .request(call))
      self.needs.set(.none, for: .request(call))
      turn.answer(call, .failed(.shuttingDown))
    }
    self.requests.removeAll()
    self.headingRequests.removeAll()
    self.parked.removeAll()
    for id in self.positions.keys {
      let batches = self.positions.modify(id) { $0.flush(.ended, now: turn.now) } ?? []
      self.tell(batches, &turn)
    }
    self.keepVisits(isPressing: true, &turn)
    for id in self.subscriptionIDs { self.forgetSubscription(id, &turn) }
    for view in self.views.allKeys {
      self.views.modify(view) { $0.regions = RegionMonitor() }
      self.refreshRegions(in: view, &turn)
    }
    self.planner.change(linger: .zero, minimumOff: .zero)
  }
}
