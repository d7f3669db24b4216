package import Positioning

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
  var requests = OrderedTable<CallID, PendingRequest>()
  var positions = OrderedTable<SubscriptionID, PositionSubscription>()
  var skies = OrderedTable<SubscriptionID, SkySubscription>()
  var headingRequests = OrderedTable<CallID, PendingHeading>()
  var headings = OrderedTable<SubscriptionID, HeadingSubscription>()
  var statuses = OrderedTable<SubscriptionID, StatusSubscription>()

  /// When those who subscribed to the status were told last, if anything had changed.
  var statusChecked: Instant?

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
  }

  /// What a deadline belongs to.
  enum DeadlineKey: Hashable {
    case request(CallID)
    case subscription(SubscriptionID)
    case filter
    case planner
    case status
    case heading
  }

  package init(settings: BrokerSettings, now: Instant) {
    self.settings = settings
    self.filter = FixFilter(settings: settings.fixes)
    self.headingView = HeadingView(settings: settings.headings)
    self.planner = ReceiverPlanner(linger: settings.linger)
    self.ledger = OnTimeLedger(began: now)
    self.power = PowerState(state: .unknown, since: now)
    self.availabilitySince = now
  }

  package mutating func handle(_ event: BrokerEvent, now: Instant) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .clientConnected(let client, let principal):
      self.clients[client] = Client(principal: principal)
    case .clientIntroduced(let client, let name, let purpose):
      self.clients[client]?.principal.name = name
      self.clients[client]?.principal.purpose = purpose
    case .clientDisconnected(let client):
      self.forget(client)
    case .called(let call, let what):
      self.perform(what, as: call, now: now, into: &actions)
    case .receiver(let event):
      self.received(event, now: now, into: &actions)
    case .deadlineReached:
      self.armed = nil
      self.deadlinesReached(now: now, into: &actions)
    case .stopping:
      self.stop(into: &actions)
    case .settingsChanged(let settings):
      self.settings = settings
      self.filter.change(settings.fixes)
      self.headingView.change(settings.headings)
      self.planner.change(linger: settings.linger)
    }
    self.settle(now: now, into: &actions)
    return actions
  }

  /// Brings in line what follows from the state: the receiver, what clients know of its availability, the next deadline.
  private mutating func settle(now: Instant, into actions: inout [Action]) {
    // First of all: it may end the last need.
    self.tellHeadings(now: now, into: &actions)
    self.plan(now: now, into: &actions)
    self.tellAvailability(now: now, into: &actions)
    self.tellStatus(now: now, into: &actions)
    // Nobody waits for what a receiver says that nobody needs.
    self.deadlines.set(self.planner.isOn ? self.filter.nextDeadline : nil, for: .filter)
    self.deadlines.set(self.planner.nextDeadline, for: .planner)
    if self.deadlines.next != self.armed {
      self.armed = self.deadlines.next
      actions.append(.setDeadline(self.armed))
    }
  }

  /// Turns the receiver on or releases it, as the needs and the time have it.
  ///
  /// - Parameter isAboutToBeNeeded: a need is being added.
  mutating func plan(now: Instant, isAboutToBeNeeded: Bool = false, into actions: inout [Action]) {
    let isNeeded =
      isAboutToBeNeeded || !self.requests.isEmpty || !self.skies.isEmpty
      || !self.headingRequests.isEmpty || !self.headings.isEmpty || self.positions.contains { $0.demand != nil }
    guard let isOn = self.planner.planned(isNeeded: isNeeded, now: now) else { return }
    self.ledger.receiverTurned(on: isOn, now: now)
    // Either way a session begins or ends, and it is no loss. Stragglers of the one before count for nothing in it.
    self.apply(self.filter.sessionEnded(isIntended: true), now: now, into: &actions)
    self.headingView.sessionEnded()
    actions.append(.setReceiver(on: isOn))
    actions.append(.log(.info, isOn ? "the receiver is needed" : "nobody needs the receiver any more"))
  }

  private mutating func deadlinesReached(now: Instant, into actions: inout [Action]) {
    while let key = self.deadlines.popDue(now: now) {
      switch key {
      case .filter:
        self.apply(self.filter.deadlineReached(now: now), now: now, into: &actions)
      case .planner:
        self.plan(now: now, into: &actions)
      case .status, .heading:
        // Told when all else is settled.
        break
      case .request(let call):
        _ = self.timeOut(call, now: now, into: &actions)
      case .subscription(let id):
        self.deadlineReached(of: id, now: now, into: &actions)
      }
    }
  }

  // MARK: Deadlines of requests and subscriptions

  mutating func setDeadline(_ deadline: Instant?, for call: CallID) {
    self.deadlines.set(deadline, for: .request(call))
  }

  mutating func setDeadline(_ deadline: Instant?, for subscription: SubscriptionID) {
    self.deadlines.set(deadline, for: .subscription(subscription))
  }

  mutating func setStatusDeadline(_ deadline: Instant?) { self.deadlines.set(deadline, for: .status) }

  mutating func setHeadingDeadline(_ deadline: Instant?) { self.deadlines.set(deadline, for: .heading) }

  // MARK: Clients

  /// The calls that wait for an answer, of whatever kind.
  var waitingCalls: [CallID] { self.requests.keys + self.headingRequests.keys }

  /// The subscriptions that stand, of whatever kind.
  var subscriptionIDs: [SubscriptionID] {
    self.positions.keys + self.skies.keys + self.headings.keys + self.statuses.keys
  }

  var requestCount: Int { self.requests.count + self.headingRequests.count }

  var subscriptionCount: Int {
    self.positions.count + self.skies.count + self.headings.count + self.statuses.count
  }

  /// Frees all that a client asked for, in the same turn in which it left.
  private mutating func forget(_ client: ClientID) {
    // One that has nothing left costs nothing: clients may come and go as fast as they like.
    guard let left = self.clients.removeValue(forKey: client), left.requests > 0 || left.subscriptions > 0 else {
      return
    }
    for call in self.waitingCalls where call.client == client { self.setDeadline(nil, for: call) }
    for id in self.subscriptionIDs where id.client == client { self.setDeadline(nil, for: id) }
    self.requests.removeAll { $0.client == client }
    self.headingRequests.removeAll { $0.client == client }
    self.positions.removeAll { $0.client == client }
    self.skies.removeAll { $0.client == client }
    self.headings.removeAll { $0.client == client }
    self.statuses.removeAll { $0.client == client }
  }

  private mutating func stop(into actions: inout [Action]) {
    self.isStopping = true
    for call in self.waitingCalls {
      self.setDeadline(nil, for: call)
      actions.append(.answer(call, .failed(.shuttingDown)))
    }
    for id in self.subscriptionIDs { self.setDeadline(nil, for: id) }
    self.requests.removeAll { _ in true }
    self.headingRequests.removeAll { _ in true }
    self.positions.removeAll { _ in true }
    self.skies.removeAll { _ in true }
    self.headings.removeAll { _ in true }
    self.statuses.removeAll { _ in true }
    self.planner.change(linger: .zero)
  }
}

/// How many reports came, and what became of them.
struct ReportCounts: Hashable, Sendable {
  var reports = 0
  var fixes = 0
  var rejections: [String: Int] = [:]
}
