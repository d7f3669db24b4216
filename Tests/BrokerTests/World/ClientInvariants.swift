import Geodesy
import Positioning
import TestSupport

@testable import Broker

/// The laws for clients with full access, by a small model of their requests and needs.
struct ClientInvariants: Invariant {
  private struct Pending {
    let asked: RequestInfo.Asked
    let began: Instant
    let deadline: Instant
  }

  var violations: [String] = []
  private var settings: BrokerSettings
  /// Calls of this turn without an answer yet, except requests for a fix or a heading.
  private var asked: Set<CallID> = []
  private var pending: [CallID: Pending] = [:]
  private var subscriptions: [SubscriptionID: ExpectedSubscription] = [:]
  private var headings: [SubscriptionID: ExpectedHeading] = [:]
  private var hadNeed = false
  private var lingersUntil: Instant?
  private var newest: Instant?
  private(set) var answers = 0
  private(set) var satisfied = 0
  private(set) var fixes = 0
  private(set) var losses = 0
  private(set) var headingsDelivered = 0
  private(set) var headingsUnavailable = 0

  init(settings: BrokerSettings) { self.settings = settings }

  mutating func turned(_ turn: ObservedTurn, _ machine: BrokerMachine, _ store: StoreModel) {
    let (event, now) = (turn.event, turn.now)
    self.happened(event, now: now)
    var wasNeeded = false
    for action in turn.actions {
      switch action {
      case .answer(let call, let answer):
        self.answered(call, answer, event: event, now: now)
        if case .called(call, .subscribe(let parameters, _, _)) = event, parameters.mode == .continuous,
          case .subscription(.begun) = answer
        {
          wasNeeded = true
        }
      case .notify(let client, let notification): self.notified(client, notification, now: now)
      case .setReceiver, .allowSaving, .askClock, .setDeadline, .store, .reportWhenTaken, .reportStoppedReceiver,
        .startUnit, .log,
        .clear, .ask,
        .withdraw,
        .inUse, .end:
        break
      }
    }
    self.checkCalls(event, now: now, machine: machine)
    self.checkReceiver(turn, wasNeeded: wasNeeded, machine)
    if let current = machine.current {
      self.expect(newest.map { $0 <= current.arrival } ?? true, "the current fix went back in arrival")
      self.newest = current.arrival
    }
    for (id, subscription) in self.subscriptions {
      self.expect(
        subscription.knownAvailability.map { $0 == machine.availability } ?? true,
        "\(id) knows the availability \(String(describing: subscription.knownAvailability)), not \(machine.availability)"
      )
    }
  }

  mutating func killed() {
    self.pending = [:]
    self.subscriptions = [:]
    self.headings = [:]
    (self.hadNeed, self.lingersUntil, self.newest) = (false, nil, nil)
  }

  private mutating func happened(_ event: BrokerEvent, now: Instant) {
    switch event {
    case .clientLeft(let client), .clientDisconnected(let client):
      self.pending = self.pending.filter { $0.key.client != client }
      self.subscriptions = self.subscriptions.filter { $0.key.holder.client != client }
      self.headings = self.headings.filter { $0.key.holder.client != client }
    case .called(let call, .getFix(let request, _)):
      self.asked(.fix(request), timeout: request.timeout, as: call, now: now)
    case .called(let call, .getHeading(let request, _)):
      self.asked(.heading(request), timeout: request.timeout, as: call, now: now)
    case .called(let call, _): self.asked.insert(call)
    case .settingsChanged(let settings, owners: _): self.settings = settings
    case .clientConnected, .clientIntroduced, .receiver, .clockReported, .deadlineReached, .gapEnded, .taken,
      .storeChanged,
      .storeUnopened, .storeOpened, .stored, .unitStarted, .stoppedReceiverChanged,
      .ownersLearned,
      .stopping, .promptAnswered:
      break
    }
  }

  private mutating func asked(_ asked: RequestInfo.Asked, timeout: Duration, as call: CallID, now: Instant) {
    let limit = self.settings.maxRequestTime
    self.pending[call] = Pending(
      asked: asked, began: now, deadline: now + (timeout == .zero ? limit : min(timeout, limit)))
  }

  // MARK: Answers

  private mutating func answered(_ call: CallID, _ answer: Answer, event: BrokerEvent, now: Instant) {
    self.answers += 1
    if case .failed(.cancelled) = answer {
      guard case .called(let canceller, .cancelRequest(call, _)) = event, canceller.client == call.client else {
        return self.expect(false, "\(call) was cancelled by somebody else")
      }
    }
    if let pending = self.pending.removeValue(forKey: call) {
      switch (pending.asked, answer) {
      case (.fix(let request), .fix(let outcome)): self.judge(outcome, of: request, pending, now: now)
      case (.heading(let request), .heading(let outcome)):
        self.judge(outcome, of: request, pending, event: event, now: now)
      case (.heading, .failed(.noHeading)): self.headingsUnavailable += 1
      case (_, .failed): break
      case (_, _): self.expect(false, "\(answer) does not answer \(pending.asked)")
      }
    } else {
      self.asked.remove(call)
    }
    switch (event, answer) {
    case (.called(call, .subscribe(let parameters, _, _)), .subscription(.begun(let info))):
      self.subscriptions[self.id(info, of: call)] = ExpectedSubscription(parameters: parameters, info: info, now: now)
    case (.called(call, .subscribeSky), .subscription(.begun(let info))),
      (.called(call, .subscribeStatus), .subscription(.begun(let info))):
      self.subscriptions[self.id(info, of: call)] = ExpectedSubscription(info: info)
    case (.called(call, .subscribeHeading(let parameters, _)), .subscription(.begun(let info))):
      self.headings[self.id(info, of: call)] = ExpectedHeading(parameters: parameters, info: info)
    case (.called(call, .updateSubscription(_, let change, _)), .subscription(.changed(let info))):
      self.subscriptions[self.id(info, of: call)]?.changed(change, info: info, now: now)
    case (.called(call, .cancelSubscription(let number, _)), .subscription(.changed(let info))):
      self.expect(info.number == number, "another subscription was cancelled")
      self.subscriptions[self.id(info, of: call)] = nil
      self.headings[self.id(info, of: call)] = nil
    default: break
    }
  }

  private func id(_ info: SubscriptionInfo, of call: CallID) -> SubscriptionID {
    SubscriptionID(client: call.client, number: info.number)
  }

  private mutating func judge(
    _ outcome: HeadingResult, of request: HeadingRequest, _ pending: Pending, event: BrokerEvent, now: Instant
  ) {
    guard let heading = outcome.heading else {
      let isCompleted = if case .called(_, .completeRequest) = event { true } else { false }
      return self.expect(isCompleted || now >= pending.deadline, "a heading was not waited for")
    }
    self.headingsDelivered += 1
    self.expect(
      heading.arrival >= pending.began || heading.age(at: now) <= request.maximumAge, "a heading that is too old")
    if let complaint = heading.complaint { self.expect(false, complaint) }
  }

  private mutating func judge(_ outcome: FixResult, of request: FixRequest, _ pending: Pending, now: Instant) {
    let accuracy = outcome.fix?.horizontalAccuracy ?? .infinity
    let demand = request.demand(.precise)
    let maximumAge = request.maximumAge ?? demand.maximumAge
    let age = outcome.fix?.age(at: now) ?? .zero
    let acceptable = (request.acceptableAccuracy ?? demand).meters
    if outcome.isSatisfied {
      self.satisfied += 1
      self.expect(outcome.status == .success && accuracy <= demand.meters, "satisfied with \(accuracy)")
      let isNew = outcome.fix.map { $0.arrival >= pending.began } ?? false
      self.expect(isNew || age <= maximumAge, "satisfied with a fix that is too old")
    } else {
      self.expect((accuracy <= acceptable) == (outcome.status == .success), "\(outcome.status) with \(accuracy)")
      let isNew = outcome.fix.map { $0.arrival >= pending.began } ?? false
      self.expect(isNew || age <= maximumAge, "ended with a fix that is too old")
    }
    let achieved = outcome.fix.flatMap { AccuracyLevel.achieved(accuracy: $0.horizontalAccuracy, age: age) }
    self.expect(outcome.achievedAccuracy == achieved, "a wrong level")
    self.expect(outcome.elapsed == now - pending.began, "a wrong time elapsed")
  }

  private mutating func checkCalls(_ event: BrokerEvent, now: Instant, machine: BrokerMachine) {
    self.expect(self.asked.isEmpty, "no answer in the same turn")
    for (call, pending) in self.pending {
      let isLate = event == .deadlineReached ? pending.deadline <= now : pending.deadline < now
      self.expect(!isLate, "\(call) is late")
    }
    let subscriptions = self.subscriptions.count + self.headings.count
    self.expect(machine.subscriptionCount == subscriptions, "the machine forgot a subscription, or kept one")
    self.expect(!self.headings.values.contains { $0.isUnavailable }, "unavailable, and not ended")
  }

  // MARK: Events

  private mutating func notified(_ client: ClientID, _ notification: Notification, now: Instant) {
    let id: SubscriptionID
    switch notification {
    case .position(let subscription, _): id = subscription
    case .heading(let subscription, _): id = subscription
    case .sky(let subscription, _), .status(let subscription, _, _), .ended(let subscription, _),
      .visit(let subscription, _):
      id = subscription
    case .region, .durable, .durableOverflow, .durableEnded, .authorization, .prompted: return
    }
    self.expect(id.holder.client == client, "a notification to another client")
    guard self.subscriptions[id] != nil || self.headings[id] != nil else {
      return self.expect(false, "an event before the reply, or after the end: \(notification)")
    }
    switch notification {
    case .position(_, let update):
      if update.fix != nil { self.fixes += 1 }
      if update.reason == .lost { self.losses += 1 }
      if let complaint = self.subscriptions[id]?.received(update, now: now) {
        self.expect(false, "\(id): \(complaint)")
      }
    case .heading(_, let update):
      if update.heading != nil { self.headingsDelivered += 1 }
      if let complaint = self.headings[id]?.received(update, now: now) { self.expect(false, "\(id): \(complaint)") }
    case .sky, .status, .visit, .region, .durable, .durableOverflow, .durableEnded, .authorization, .prompted: break
    case .ended(_, let reason):
      self.expect(
        (reason == .unavailable) == (self.headings[id]?.isUnavailable ?? false), "\(id) ended as \(reason)")
      if reason == .unavailable { self.headingsUnavailable += 1 }
      self.subscriptions[id] = nil
      self.headings[id] = nil
    }
  }

  // MARK: The receiver

  /// Whether the receiver is on follows from the needs, the end of the last one, and the time; while it is off, only
  /// clients' own timers are armed.
  private mutating func checkReceiver(_ turn: ObservedTurn, wasNeeded: Bool, _ machine: BrokerMachine) {
    let now = turn.now
    let isNeeded =
      !self.pending.isEmpty || !self.headings.isEmpty || self.subscriptions.values.contains { $0.isNeed }
    if case .settingsChanged(let settings, owners: _) = turn.event, settings.power.linger == .zero {
      self.lingersUntil = nil
    }
    if isNeeded {
      self.lingersUntil = nil
    } else if self.hadNeed || wasNeeded {
      self.lingersUntil = now + self.settings.power.linger
    }
    if let until = self.lingersUntil, until <= now { self.lingersUntil = nil }
    self.hadNeed = isNeeded
    let isExpected = isNeeded || self.lingersUntil != nil
    // After a search without a fix it is off for a while, and needed.
    let isPaused = !turn.isReceiverOn && isNeeded && machine.planner.isSearching
    self.expect(
      turn.isReceiverOn == isExpected || isPaused, "the receiver should be \(isExpected), needed: \(isNeeded)")
    guard !turn.isReceiverOn, !isPaused, !self.subscriptions.values.contains(where: \.isTimed) else { return }
    // A change of the status soon after another is sent a moment later.
    let isStatusDue = self.subscriptions.values.contains(where: \.isStatus)
    let isSoon = turn.armed.map { $0 - now <= StatusReporter.interval } ?? true
    let isShown = turn.armed.map { $0 - now <= PositionUsage.grace && !machine.usage.inUse.isEmpty } ?? false
    self.expect(turn.armed == nil || isShown || isStatusDue && isSoon, "a timer is armed while idle")
  }
}
