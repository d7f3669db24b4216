import Positioning
import TestSupport

@testable import Broker

/// The laws of every world: calls and answers, permission, counts, the receiver, and memory and disk.
struct MachineInvariants: Invariant {
  /// How often events occurred.
  struct Counts {
    var answers = 0
    var precise = 0
    var reduced = 0
    var changes = 0
    var prompts = 0
  }

  var violations: [String] = []
  private(set) var counts = Counts()
  /// The calls without an answer whose client is connected.
  private(set) var waiting: Set<CallID> = []
  private var clients: Set<ClientID> = []
  /// The calls whose answers follow a commit, whether or not their clients stay.
  private var promised: Set<CallID> = []
  private var wasReceiverOn = false
  /// Until when the receiver may be on without a need.
  private var lingersUntil: Instant?
  private var wasHeld = false

  mutating func turned(_ turn: ObservedTurn, _ machine: BrokerMachine, _ store: StoreModel) {
    self.happened(turn.event)
    for action in turn.actions { self.check(action, turn) }
    self.promised = Set(machine.commits.waitingCalls)
    self.checkCalls(machine)
    self.checkPermission(machine)
    if !machine.isStopping { self.checkCounts(machine) }
    self.checkReceiver(turn, machine)
    self.checkDeadlines(turn, machine)
    for difference in machine.differences(from: store) { self.expect(false, difference) }
  }

  mutating func killed() {
    self.waiting = []
    self.clients = []
    self.promised = []
    self.wasReceiverOn = false
  }

  // MARK: Calls and answers

  private mutating func happened(_ event: BrokerEvent) {
    switch event {
    case .clientConnected(let client, _): self.clients.insert(client)
    case .clientLeft(let client), .clientDisconnected(let client):
      self.clients.remove(client)
      self.waiting = self.waiting.filter { $0.client != client }
    case .called(let call, _): self.waiting.insert(call)
    case .clientIntroduced, .receiver, .clockReported, .deadlineReached, .gapEnded, .taken, .storeChanged,
      .storeUnopened, .storeOpened,
      .stored, .unitStarted, .stoppedReceiverChanged, .ownersLearned, .settingsChanged, .stopping, .promptAnswered:
      break
    }
  }

  private mutating func check(_ action: Action, _ turn: ObservedTurn) {
    switch action {
    case .answer(let call, let answer):
      self.counts.answers += 1
      self.count(answer.sensitivity)
      let isPromised = self.promised.remove(call) != nil
      let isThere = self.clients.contains(call.client)
      // The client may have left before the commit.
      self.expect(isThere || isPromised || turn.isCommitted, "an answer to a client that left: \(call)")
      self.expect(
        self.waiting.remove(call) != nil || !isThere, "\(call) was answered twice, or never asked: \(answer)")
    case .notify(let client, let notification):
      self.expect(
        self.clients.contains(client) || turn.isCommitted, "a notification to a client that left: \(notification)")
      self.count(notification.sensitivity)
      if case .authorization(let new, let previous) = notification {
        self.counts.changes += 1
        self.expect(new != previous, "a change to the same")
      }
    case .ask: self.counts.prompts += 1
    case .setReceiver(let on):
      self.expect(on != self.wasReceiverOn, "the receiver is set to \(on) twice")
      self.wasReceiverOn = on
    case .allowSaving, .askClock, .setDeadline, .store, .reportWhenTaken, .reportStoppedReceiver, .startUnit, .log,
      .clear,
      .withdraw, .inUse,
      .end:
      break
    }
  }

  private mutating func count(_ sensitivity: Sensitivity) {
    switch sensitivity {
    case .open: break
    case .reduced: self.counts.reduced += 1
    case .precise: self.counts.precise += 1
    }
  }

  private mutating func checkCalls(_ machine: BrokerMachine) {
    // A change that is stored continues though its client leaves.
    let storing = machine.commits.waitingCalls.count {
      machine.clients[$0.client] != nil
    }
    let (waiting, unanswered) = (machine.requestCount + storing, self.waiting.count)
    self.expect(waiting == unanswered, "\(waiting) wait, \(unanswered) have no answer")
    self.expect(Set(machine.clients.ids) == self.clients, "the machine forgot a client, or kept one")
  }

  // MARK: Permission

  private mutating func checkPermission(_ machine: BrokerMachine) {
    let feeds = machine.clients.all.map(\.access.feed) + machine.names.all.map(\.feed)
    for key in machine.feeds.allKeys {
      let (holders, seeing) = (machine.feeds.viewers(of: key), feeds.count { $0 == key })
      self.expect(holders == seeing, "\(holders) of a feed that \(seeing) see")
    }
    for subscription in machine.positions {
      self.expect(subscription.feed == machine.feed(of: subscription.id.holder), "a subscription in another's feed")
      self.expect(
        (subscription.state == .suspended) == (subscription.feed == nil), "suspended against its permission")
    }
    for request in machine.requests {
      self.expect(request.feed == machine.feed(of: .client(request.asker.client)), "a request in another's feed")
    }
    for awaiting in machine.awaitingCalls {
      let uid = machine.clients[awaiting.call.client]?.principal.uid
      self.expect(uid.map { machine.prompts.open[$0] != nil } ?? false, "waits for an answer to no question")
    }
    for open in machine.prompts.open.values {
      self.expect(open.isAnswered || !open.agents.isEmpty, "a question that nobody has")
      // The agent that answered may leave before the answer is stored.
      let isAnyGone = open.agents.contains { !machine.prompts.agents.contains($0) }
      self.expect(open.isAnswered || !isAnyGone, "a question to one who is no agent")
    }
    for name in machine.names.all where name.feed == nil && !machine.isWaiting(name) {
      let isOpen = name.inbox.events.allSatisfy {
        Notification.durable(name: name.id.name, $0).sensitivity == .open
      }
      self.expect(isOpen, "events wait for somebody who may know nothing")
    }
  }

  // MARK: Counts

  private mutating func checkCounts(_ machine: BrokerMachine) {
    let holdings = machine.holdings.total
    func expect(_ counted: Int, _ there: Int, _ what: String) {
      self.expect(counted == there, "\(counted) \(what) are counted, and there are \(there)")
    }
    let deferred = machine.positions.count { $0.parameters.mode == .deferred }
    expect(holdings.deferred, deferred, "deferred subscriptions")
    let regions = machine.feeds.allKeys.reduce(0) { $0 + machine.feeds.regionCount(in: $1) }
    expect(holdings.regions, regions, "regions")
    expect(holdings.requests, machine.requestCount, "requests")
    let own = machine.subscriptionIDs.count { $0.holder.client != nil }
    expect(holdings.subscriptions, own, "subscriptions")
    expect(holdings.statuses, machine.statuses.count, "status subscriptions")
    let demands = machine.calls.demands.reduce(0) { $0 &+ $1.hashValue }
    self.expect(machine.calls.demandHash == demands, "the hash of the calls' demands is another one")
    let subscribed = machine.subscriptions.demands.reduce(0) { $0 &+ $1.hashValue }
    self.expect(machine.subscriptions.demandHash == subscribed, "the hash of the subscriptions' demands is another one")
  }

  // MARK: The receiver and the timer

  private mutating func checkReceiver(_ turn: ObservedTurn, _ machine: BrokerMachine) {
    let linger = machine.settings.power.linger
    let needs = machine.needs(now: turn.now)
    let isNeeded = needs.isNeeded
    let isSoon = needs.nextDue.map { $0 - turn.now < linger + machine.settings.power.minimumOff } ?? false
    // A call may need it only in this turn.
    let isCalled = if case .called = turn.event { true } else { false }
    let isHeld = isNeeded || isSoon
    if isHeld || self.wasHeld || isCalled { self.lingersUntil = turn.now + linger }
    self.wasHeld = isHeld
    // After a search without a fix it is off for a while.
    let isPaused = machine.planner.isSearching
    self.expect(turn.isReceiverOn || !isNeeded || isPaused, "the receiver is needed and off")
    let isLingering = self.lingersUntil.map { turn.now < $0 } ?? false
    self.expect(!turn.isReceiverOn || isHeld || isLingering, "the receiver is on for nobody")
  }

  private mutating func checkDeadlines(_ turn: ObservedTurn, _ machine: BrokerMachine) {
    if turn.event == .deadlineReached, let armed = turn.armed {
      let isOver = armed <= turn.now && !machine.isWorkLeft(now: turn.now)
      self.expect(!isOver, "a deadline that has passed is armed again")
    }
    if machine.clients.isEmpty, machine.names.isEmpty, !turn.isReceiverOn {
      let known = [machine.usage.nextDeadline, machine.commits.nextDeadline]
      let isKnown = turn.armed == known.compactMap { $0 }.min()
      self.expect(
        turn.armed == nil || isKnown,
        "a timer is armed for nobody, \(turn.armed.map { $0 - turn.now } ?? .zero) after \(turn.event)")
    }
    guard machine.commits.isEmpty, machine.commits.owesNothing, !machine.isStopping else { return }
    // A start that is due is on its way to the disk, or has a deadline.
    for name in machine.names.all where name.isStartOwed {
      guard let unit = name.wake, machine.mayWake(unit, name.principal) else { continue }
      let target = WakeTarget(uid: name.id.uid, unit: unit)
      let due = machine.names.nextStart(of: target).map { max($0, turn.now) } ?? turn.now
      self.expect(
        turn.armed.map { $0 <= due } ?? false, "\(unit) is to be started for \(name.id), and nothing is armed")
    }
  }

  /// Nothing was granted for a while.
  mutating func withdrawn(_ daemon: VirtualDaemon) {
    self.expect(!daemon.isReceiverOn, "the receiver is on for nobody")
    let unanswered = self.waiting.count
    self.expect(unanswered == 0, "\(unanswered) calls were never answered")
  }

  /// No client is connected, nothing is registered, and the linger is over.
  mutating func idle(_ daemon: VirtualDaemon) {
    let machine = daemon.machine
    self.expect(machine.names.isEmpty && machine.clients.isEmpty, "not everybody left")
    self.expect(
      daemon.deadline == nil && !daemon.isReceiverOn && !machine.needs(now: daemon.now).isNeeded, "busy for nobody")
  }
}
