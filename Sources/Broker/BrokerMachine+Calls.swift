import Positioning

/// What clients ask, and how it is answered.
extension BrokerMachine {
  mutating func perform(_ what: Call, as call: CallID, now: Instant, into actions: inout [Action]) {
    // A client that left gets no answer, and whatever it asked for is nobody's need.
    guard self.clients[call.client] != nil else { return }
    guard !self.isStopping else { return actions.append(.answer(call, .failed(.shuttingDown))) }
    switch what {
    case .getFix(let request):
      self.getFix(request, as: call, now: now, into: &actions)
    case .lastFix:
      actions.append(.answer(call, .lastFix(self.lastFix(now: now))))
    case .subscribe(let parameters):
      self.subscribe(parameters, as: call, now: now, into: &actions)
    case .updateSubscription(let number, let change):
      self.update(number: number, change, as: call, now: now, into: &actions)
    case .cancelSubscription(let number):
      self.cancelSubscription(number: number, as: call, into: &actions)
    case .listSubscriptions:
      actions.append(.answer(call, .subscriptions(self.subscriptions(of: call.client))))
    case .completeRequest(let target):
      self.complete(target, as: call, now: now, into: &actions)
    case .cancelRequest(let target):
      self.cancel(target, as: call, into: &actions)
    case .listRequests:
      actions.append(.answer(call, .requests(self.requests(of: call.client, now: now))))
    case .sky:
      actions.append(.answer(call, .sky(self.skyView.sky)))
    case .subscribeSky(let minInterval):
      guard let id = self.newSubscription(of: call, into: &actions) else { return }
      self.skies[id] = SkySubscription(id: id, minInterval: minInterval)
      self.answerSubscribed(id, as: call, now: now, into: &actions)
    case .getHeading(let request):
      self.getHeading(request, as: call, now: now, into: &actions)
    case .subscribeHeading(let parameters):
      self.subscribeHeading(parameters, as: call, now: now, into: &actions)
    case .status:
      actions.append(.answer(call, .status(self.status(now: now))))
    case .subscribeStatus:
      guard let id = self.newSubscription(of: call, into: &actions) else { return }
      self.statuses[id] = StatusSubscription(id: id)
      self.answerSubscribed(id, as: call, now: now, into: &actions)
    }
  }

  // MARK: One-shot requests

  /// Whether the client may have one more request that waits; else it is answered that it may not.
  func hasRoomForRequest(_ call: CallID, into actions: inout [Action]) -> Bool {
    let limit = self.settings.maxRequestsPerClient
    if let client = self.clients[call.client], client.requests < limit { return true }
    actions.append(.answer(call, .failed(.limitExceeded(name: "max-requests-per-client", value: limit))))
    return false
  }

  private mutating func getFix(_ request: FixRequest, as call: CallID, now: Instant, into actions: inout [Action]) {
    guard self.hasRoomForRequest(call, into: &actions) else { return }
    var pending = PendingRequest(call: call, request: request, now: now, maxRequestTime: self.settings.maxRequestTime)
    let cached = self.current.flatMap { pending.cached($0, now: now) }
    self.requests[call] = pending
    self.clients[call.client]?.requests += 1
    if let cached { return self.finish(pending, with: cached, now: now, into: &actions) }
    self.setDeadline(pending.deadline, for: call)
  }

  /// The one place where a request is answered with what it asked for.
  mutating func finish(
    _ request: PendingRequest, with outcome: PendingRequest.Outcome, now: Instant, into actions: inout [Action]
  ) {
    self.drop(request.call)
    let maximumAge = PendingRequest.maximumAge(request.request)
    var answer = FixOutcome(
      status: .success, isSatisfied: false, fix: nil, achievedAccuracy: nil, isFromCache: false,
      elapsed: now - request.began, diagnostics: self.diagnostics(maximumAge: maximumAge, now: now))
    switch outcome {
    case .satisfied(let fix, let isFromCache):
      answer.fix = fix
      answer.isSatisfied = true
      answer.isFromCache = isFromCache
    case .acceptable(let fix):
      answer.fix = fix
      answer.isFromCache = fix.arrival < request.began
    case .timedOut(let fix):
      answer.status = .timedOut
      answer.fix = fix
      answer.isFromCache = fix.map { $0.arrival < request.began } ?? false
    }
    answer.achievedAccuracy = answer.fix?.achievedAccuracy(at: now)
    actions.append(.answer(request.call, .fix(answer)))
  }

  mutating func drop(_ call: CallID) {
    self.setDeadline(nil, for: call)
    self.requests[call] = nil
    self.headingRequests[call] = nil
    self.clients[call.client]?.requests -= 1
  }

  private mutating func complete(_ target: CallID, as call: CallID, now: Instant, into actions: inout [Action]) {
    let isCompleted = target.client == call.client && self.timeOut(target, now: now, into: &actions)
    actions.append(.answer(call, .request(isCompleted ? .completed : .unknown)))
  }

  /// Answers a call that waits with the best so far; whether there is such a call.
  mutating func timeOut(_ call: CallID, now: Instant, into actions: inout [Action]) -> Bool {
    guard let request = self.requests[call] else { return self.timeOutHeading(call, into: &actions) }
    self.finish(request, with: request.completed(now: now), now: now, into: &actions)
    return true
  }

  private mutating func cancel(_ target: CallID, as call: CallID, into actions: inout [Action]) {
    let isWaiting = self.requests[target] != nil || self.headingRequests[target] != nil
    guard isWaiting, target.client == call.client else {
      return actions.append(.answer(call, .request(.unknown)))
    }
    self.drop(target)
    actions.append(.answer(target, .failed(.cancelled)))
    actions.append(.answer(call, .request(.cancelled)))
  }

  /// The oldest first.
  private func requests(of client: ClientID, now: Instant) -> [RequestInfo] {
    let all = self.requests.all.map { $0.info(now: now) } + self.headingRequests.all.map { $0.info(now: now) }
    return all.filter { $0.call.client == client }.sorted { $0.call.serial < $1.call.serial }
  }

  private func lastFix(now: Instant) -> LastFix {
    LastFix(
      fix: self.current, achievedAccuracy: self.current?.achievedAccuracy(at: now),
      availability: self.facts.availability(maximumAge: AccuracyLevel.city.maximumAge, now: now))
  }

  // MARK: Subscriptions

  /// The number of the client's next subscription, or the answer that it has too many.
  mutating func newSubscription(of call: CallID, into actions: inout [Action]) -> SubscriptionID? {
    let limit = self.settings.maxSubscriptionsPerClient
    guard let client = self.clients[call.client], client.subscriptions < limit else {
      actions.append(.answer(call, .failed(.limitExceeded(name: "max-subscriptions-per-client", value: limit))))
      return nil
    }
    self.clients[call.client]?.nextSubscription += 1
    self.clients[call.client]?.subscriptions += 1
    return SubscriptionID(client: call.client, number: client.nextSubscription)
  }

  private mutating func subscribe(
    _ parameters: SubscriptionParameters, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    guard let id = self.newSubscription(of: call, into: &actions) else { return }
    // The receiver is planned first, so that the answer tells the availability that follows from this subscription.
    var consequences: [Action] = []
    self.plan(now: now, isAboutToBeNeeded: parameters.mode == .continuous, into: &consequences)
    self.tellAvailability(now: now, into: &consequences)
    let subscription = PositionSubscription(
      id: id, parameters: parameters, availability: self.availability, now: now)
    self.positions[id] = subscription
    actions.append(.answer(call, .subscribed(subscription.info)))
    actions += consequences
    let epoch = self.filter.currentEpoch
    if let current, let update = self.positions.modify(id, { $0.replay(current, epoch: epoch, now: now) }) ?? nil {
      actions.append(.notify(id.client, .position(update)))
    }
    guard let replayed = self.positions[id] else { return }
    if replayed.isExpired(now: now) {
      self.end(id, reason: .expired, into: &actions)
    } else {
      self.setDeadline(replayed.nextDeadline, for: id)
    }
  }

  mutating func answerSubscribed(
    _ id: SubscriptionID, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    var consequences: [Action] = []
    self.plan(now: now, into: &consequences)
    self.tellAvailability(now: now, into: &consequences)
    guard let info = self.info(id) else { return }
    actions.append(.answer(call, .subscribed(info)))
    actions += consequences
  }

  private mutating func update(
    number: Int, _ change: SubscriptionChange, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    let id = SubscriptionID(client: call.client, number: number)
    guard self.positions[id] != nil else {
      return actions.append(.answer(call, .failed(.noSubscription(number: number))))
    }
    _ = self.positions.modify(id) { $0.change(change, now: now) }
    // As with a new subscription, the answer tells what follows for the receiver, and comes before it.
    var consequences: [Action] = []
    self.plan(now: now, into: &consequences)
    self.tellAvailability(now: now, into: &consequences)
    guard let subscription = self.positions[id] else { return }
    actions.append(.answer(call, .subscription(subscription.info)))
    actions += consequences
    if subscription.isExpired(now: now) {
      self.end(id, reason: .expired, into: &actions)
    } else {
      self.setDeadline(subscription.nextDeadline, for: id)
    }
  }

  private mutating func cancelSubscription(number: Int, as call: CallID, into actions: inout [Action]) {
    let id = SubscriptionID(client: call.client, number: number)
    guard var info = self.info(id) else {
      return actions.append(.answer(call, .failed(.noSubscription(number: number))))
    }
    info.state = .ended
    self.remove(id)
    actions.append(.answer(call, .subscription(info)))
  }

  /// Ends a subscription that its client did not cancel, and tells it.
  mutating func end(_ id: SubscriptionID, reason: SubscriptionEnd, into actions: inout [Action]) {
    guard self.info(id) != nil else { return }
    self.remove(id)
    actions.append(.notify(id.client, .ended(id, reason)))
  }

  mutating func deadlineReached(of id: SubscriptionID, now: Instant, into actions: inout [Action]) {
    guard let subscription = self.positions[id] else {
      return self.headingDeadlineReached(of: id, now: now, into: &actions)
    }
    if subscription.isExpired(now: now) { return self.end(id, reason: .expired, into: &actions) }
    let current = self.current
    if let update = self.positions.modify(id, { $0.heartbeat(current: current, now: now) }) ?? nil {
      actions.append(.notify(id.client, .position(update)))
    }
    guard let next = self.positions[id] else { return }
    if next.isExpired(now: now) { return self.end(id, reason: .expired, into: &actions) }
    self.setDeadline(next.nextDeadline, for: id)
  }

  private mutating func remove(_ id: SubscriptionID) {
    self.setDeadline(nil, for: id)
    self.positions[id] = nil
    self.skies[id] = nil
    self.headings[id] = nil
    self.statuses[id] = nil
    self.clients[id.client]?.subscriptions -= 1
  }

  private func subscriptions(of client: ClientID) -> [SubscriptionInfo] {
    let ids = self.subscriptionIDs.filter { $0.client == client }
    return ids.sorted().compactMap { self.info($0) }
  }

  private func info(_ id: SubscriptionID) -> SubscriptionInfo? {
    if let position = self.positions[id] { return position.info }
    if let sky = self.skies[id] {
      return SubscriptionInfo(
        id: id, kind: .sky(minInterval: sky.minInterval), state: .delivering, availability: self.availability,
        updates: sky.updates)
    }
    if let heading = self.headings[id] { return heading.info(availability: self.availability) }
    return self.statuses[id].map {
      SubscriptionInfo(
        id: id, kind: .status, state: .delivering, availability: self.availability, updates: $0.updates)
    }
  }
}

extension PendingRequest {
  func info(now: Instant) -> RequestInfo {
    RequestInfo(
      call: self.call, asked: .fix(self.request), elapsed: now - self.began,
      remaining: max(.zero, self.deadline - now))
  }
}
