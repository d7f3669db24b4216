import Positioning
import TestSupport

@testable import Broker

/// The laws for clients that register, send commands and acknowledge, and for the stored state, through kills.
struct DurableInvariants: Invariant {
  var violations: [String] = []
  private(set) var batches = 0
  private(set) var pauses = 0
  private(set) var acquisitions = 0
  var durableEvents = 0
  var regionEvents = 0
  var visits = 0
  var overflows = 0
  var starts = 0
  /// When each unit was started last.
  var startedAt: [WakeTarget: Instant] = [:]

  /// The users of clients.
  var clients: [ClientID: UInt32] = [:]
  /// The same of clients that left, whose changes may be stored all the same.
  var left: [ClientID: UInt32] = [:]
  /// The calls without an answer; those with an answer after a commit stay when their client leaves.
  private var open: [CallID: (call: Call, asked: Instant, turn: Int)] = [:]
  private(set) var turns = 0
  private var promised: Set<CallID> = []
  private var subscriptions: [SubscriptionID: ExpectedFollower] = [:]
  /// The regions of clients, not of names.
  var regions: [ClientID: [String: ExpectedRegion]] = [:]
  /// The subscription whose client has just requested its batch.
  private var flushed: SubscriptionID?
  /// The names whose stored state is uncertain: a call timed out, or got no answer.
  var uncertain: Set<DurableID> = []
  /// The users whose numbers of removed names' events are uncertain, for the same reason.
  var unknownNumbers: Set<UInt32> = []

  var names: [DurableID: ExpectedName] = [:]
  /// The newest dropped event of names that are in no answer yet.
  var lostEarly: [DurableID: UInt64] = [:]
  /// The newest event that a removed name had, by user.
  var retired: [UInt32: UInt64] = [:]
  /// The stored states of regions and visits, by the stored events.
  var stored: [DurableID: [String: ExpectedRegion]] = [:]
  var storedVisits: [DurableID: ExpectedVisits] = [:]
  /// The names with a stored change whose search has no stored outcome.
  var searching: Set<DurableID> = []

  // MARK: Events

  mutating func turned(_ turn: ObservedTurn, _ machine: BrokerMachine, _ store: StoreModel) {
    self.turns += 1
    self.happened(turn.event, now: turn.now)
    for action in turn.actions {
      switch action {
      case .answer(let call, let answer):
        self.answered(call, answer, isCommitted: turn.isCommitted, now: turn.now)
      case .notify(let client, let notification):
        self.notified(client, notification, isCommitted: turn.isCommitted)
      case .startUnit(let unit, let id): self.started(unit, for: id, store: store, now: turn.now)
      case .setReceiver, .allowSaving, .askClock, .setDeadline, .store, .reportWhenTaken, .reportStoppedReceiver, .log,
        .clear,
        .ask, .withdraw,
        .inUse, .end:
        break
      }
    }
    if case .taken(let client) = turn.event { self.took(client, turn.actions, machine: machine) }
    if turn.event == .stopping { self.subscriptions = [:] }
    self.promised = Set(machine.commits.waitingCalls)
    self.checkRequests(now: turn.now)
    self.checkSubscriptions(machine)
  }

  private mutating func happened(_ event: BrokerEvent, now: Instant) {
    self.flushed = nil
    switch event {
    case .clientConnected(let client, let principal): self.clients[client] = principal.uid
    case .clientLeft(let client), .clientDisconnected(let client):
      self.left[client] = self.clients.removeValue(forKey: client)
      self.open = self.open.filter { $0.key.client != client || self.promised.contains($0.key) }
      self.subscriptions = self.subscriptions.filter { $0.key.holder.client != client }
      self.regions[client] = nil
      for id in self.names.keys where self.names[id]?.attachment?.client == client {
        self.names[id]?.attachment = nil
      }
    case .called(let call, let what):
      self.open[call] = (what, now, self.turns)
      if case .commandSubscription(let number, .flush, _) = what {
        self.flushed = SubscriptionID(client: call.client, number: number)
      }
    case .stopping:
      // Nothing of subscriptions and regions is sent any more, except their last batches.
      self.regions = [:]
    case .clientIntroduced, .receiver, .clockReported, .deadlineReached, .gapEnded, .taken, .storeChanged,
      .storeUnopened, .storeOpened,
      .stored, .unitStarted, .stoppedReceiverChanged, .ownersLearned,
      .settingsChanged, .promptAnswered:
      break
    }
  }

  /// The result of a client's report that it has taken all.
  private mutating func took(_ client: ClientID, _ actions: [Action], machine: BrokerMachine) {
    guard machine.commits.isEmpty, actions.contains(.reportWhenTaken(client)) else { return }
    let isSent = actions.contains { if case .notify(client, _) = $0 { true } else { false } }
    self.expect(isSent, "\(client) is waited for, and was sent nothing")
  }

  // MARK: Answers

  private mutating func answered(_ call: CallID, _ answer: Answer, isCommitted: Bool, now: Instant) {
    let isOverdue = self.promised.remove(call) != nil && !isCommitted
    guard let (asked, since, turn) = self.open.removeValue(forKey: call) else {
      return self.expect(false, "\(call) was answered twice, or never asked: \(answer)")
    }
    switch (asked, answer) {
    case (_, .failed): if isOverdue { self.doubted(asked, of: call) }
    case (.subscribe, .subscription(.begun(let info))), (.subscribeVisits, .subscription(.begun(let info))):
      let id = SubscriptionID(client: call.client, number: info.number)
      self.expect(self.subscriptions[id] == nil, "\(id) twice")
      self.subscriptions[id] = ExpectedFollower(now: now)
    case (.commandSubscription(_, let order, _), .subscription(.changed(let info))):
      self.subscriptions[SubscriptionID(client: call.client, number: info.number)]?.commanded(order)
    case (.cancelSubscription, .subscription(.changed(let info))):
      self.subscriptions[SubscriptionID(client: call.client, number: info.number)] = nil
    case (.addRegion(let region, durable: nil, _), .region):
      self.regions[call.client, default: [:]][region.id, default: ExpectedRegion(region: region)]
        .replaced(by: region)
    case (.removeRegion(let id, durable: nil, _), .region): self.regions[call.client]?[id] = nil
    case (.getFix, .fix), (.updateSubscription, .subscription(.changed)), (.listSubscriptions, .subscriptions),
      (.regionState, .region), (.listRegions, .regions):
      break
    case (_, _):
      self.answeredOfNames(
        asked, since: since, turn: turn, as: call, answer, isCommitted: isCommitted, now: now)
    }
  }

  // MARK: Notifications

  private mutating func notified(_ client: ClientID, _ notification: Notification, isCommitted: Bool) {
    // The client may have left before the commit.
    if isCommitted, self.clients[client] == nil { return }
    switch notification {
    case .position(let id, let update): self.notified(client, id, update)
    case .visit(let id, let visit):
      self.visits += 1
      if let complaint = self.subscriptions[id]?.received(visit) { self.expect(false, "\(id): \(complaint)") }
      self.expect(id.holder.client == client && self.subscriptions[id] != nil, "a visit to nobody")
    case .ended(let id, let reason):
      self.expect(reason == .expired, "\(id) ended as \(reason)")
      self.expect(self.subscriptions.removeValue(forKey: id) != nil, "\(id) ended twice")
    case .region(let event):
      self.regionEvents += 1
      guard let complaint = self.regions[client]?[event.id]?.received(event) else {
        self.expect(self.regions[client]?[event.id] != nil, "an event of no region: \(event)")
        if event.kind == .expired { self.regions[client]?[event.id] = nil }
        return
      }
      self.expect(false, complaint)
    case .durable(let name, let event): self.notified(client, name, event)
    case .durableOverflow(let name, let dropped): self.overflowed(client, name, dropped)
    case .durableEnded(let name, _): self.detached(client, name)
    case .authorization, .prompted: break
    case .sky, .heading, .status: self.expect(false, "nobody asked for \(notification)")
    }
  }

  private mutating func notified(_ client: ClientID, _ id: SubscriptionID, _ update: PositionUpdate) {
    if !update.fixes.isEmpty { self.batches += 1 }
    if update.reason == .paused { self.pauses += 1 }
    if update.reason == .acquired { self.acquisitions += 1 }
    self.expect(
      id.holder.client == client && self.subscriptions[id] != nil, "an update before the answer, or after the end")
    let complaint = self.subscriptions[id]?.received(update, isFlushed: self.flushed == id)
    if let complaint { self.expect(false, "\(id): \(complaint)") }
  }

  // MARK: The daemon

  mutating func killed() {
    for (call, asked) in self.open { self.doubted(asked.call, of: call) }
    self.clients = [:]
    self.open = [:]
    self.promised = []
    self.subscriptions = [:]
    self.regions = [:]
    for id in self.names.keys { self.names[id]?.attachment = nil }
  }

  /// A call without an answer waits for a fix, or for the disk.
  private mutating func checkRequests(now: Instant) {
    for (call, asked) in self.open where !self.promised.contains(call) {
      guard case .getFix(let request, _) = asked.call else {
        self.expect(false, "no answer to \(asked.call) in the same turn, nor promised")
        continue
      }
      self.expect(now <= asked.asked + request.timeout, "\(call) is late")
    }
  }

  private mutating func checkSubscriptions(_ machine: BrokerMachine) {
    let held = machine.subscriptionIDs.filter { $0.holder.client != nil }
    self.expect(Set(held) == Set(self.subscriptions.keys), "the machine forgot a subscription, or kept one")
    for (id, subscription) in self.subscriptions where subscription.isPaused {
      self.expect(machine.subscriptions[id]?.claims.need != .now, "\(id) is paused and needs the receiver")
    }
  }
}
