import Positioning

/// Calls of clients, and their answers.
extension BrokerMachine {
  /// Handles a call and answers it, unless it waits.
  ///
  /// - Parameters:
  ///   - began: When the client called, if it then waited for a person's answer.
  ///   - mayAsk: Whether a person may be asked for the missing permission.
  mutating func perform(
    _ what: Call, as call: CallID, since began: Instant? = nil, mayAsk: Bool = true, _ turn: inout Turn
  ) {
    // A client that has left gets no answer, and its calls cause no need.
    guard self.clients.contains(call.client) else { return }
    let outer = turn.beginAnswer()
    do throws(CallFailure) {
      let row = what.row
      let answering = try self.handle(what, row, as: call, since: began, mayAsk: mayAsk, &turn)
      if row.isDemand(when: answering) { self.demand.demanded(now: turn.now) }
      switch answering.way {
      case .now(let answer): turn.answerNow(call, answer)
      case .afterCommit(let answer): self.commits.follow(.answer(call, answer), at: turn.answerPlace?.afterCommit)
      case .begun(let id): self.answer(call, with: id, isNew: true, &turn)
      case .changed(let id): self.answer(call, with: id, isNew: false, &turn)
      case .later: break
      }
    } catch {
      turn.answerNow(call, .failed(error))
    }
    turn.endAnswer(outer)
  }

  /// Plans the receiver first, because the answer has the resulting state and availability of the subscription.
  private mutating func answer(_ call: CallID, with id: SubscriptionID, isNew: Bool, _ turn: inout Turn) {
    turn.placeAnswer(after: self.commits.newFollowers.count)
    self.plan(&turn)
    self.reportAvailability(besides: isNew ? id : nil, &turn)
    let availability = self.availability(of: id.holder)
    if isNew { self.subscriptions.begun(id, with: availability) }
    guard let info = self.info(id) else { return }
    switch id.holder {
    case .durable(let name):
      let answer = SubscriptionAnswer.durable(name: name.name, info.state, info.availability)
      self.commits.follow(.answer(call, .subscription(answer)))
    case .client:
      turn.answerNow(call, .subscription(isNew ? .begun(info) : .changed(info)))
      if isNew { self.carryOut(self.deliverFirst(to: id, now: turn.now), &turn) }
    }
    self.carryOut(self.subscriptions.endExpired(id, now: turn.now), &turn)
  }

  /// Why the call cannot be handled because of what is stored: nothing can be changed, or nobody knows what is stored.
  private func unstored(_ store: CallRow.Store) -> String? {
    switch store {
    case .untouched: nil
    case .readsNames: self.commits.unopened
    case .changesNames: self.commits.denial ?? self.commits.unopened
    // The file beside the database has a copy.
    case .readsDecisions: self.permissions.unread == nil ? nil : self.commits.unopened
    }
  }

  private mutating func handle(
    _ what: Call, _ row: CallRow, as call: CallID, since began: Instant?, mayAsk: Bool, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard !self.isStopping else { throw .shuttingDown }
    if let denial = self.denial(row.requirement, of: call) {
      return try self.ask(for: what, as: call, denial, mayAsk: mayAsk, &turn)
    }
    if let reason = self.unstored(row.store) { throw .notStored(reason) }
    switch what {
    case .getFix(let request, let by):
      let isDelayed = request.delaysUntilAuthorized
      return try self.getFix(
        request, as: Asker(call, by), began: isDelayed ? turn.now : began ?? turn.now, now: turn.now)
    case .lastFix(let by): return Asker(call, by).now(self.lastFix(of: call.client, now: turn.now))
    case .subscribe(let parameters, durable: nil, let by):
      return try self.subscribe(parameters, as: Asker(call, by), now: turn.now)
    case .subscribe(let parameters, let durable?, let by):
      return try self.subscribe(parameters, durable: durable, as: Asker(call, by), &turn)
    case .updateSubscription(let number, let change, let by):
      return try self.updateSubscription(number: number, change, as: Asker(call, by), &turn)
    case .cancelSubscription(let number, let by):
      return try self.cancelSubscription(number: number, as: Asker(call, by), &turn)
    case .listSubscriptions(let by): return Asker(call, by).now(self.subscriptionInfos(of: .client(call.client)))
    case .commandSubscription(let number, let command, let by):
      return self.execute(command, for: try self.position(number: number, of: call).id, as: Asker(call, by), &turn)
    case .commandDurable(let name, let command, let by):
      return self.execute(command, for: try self.position(ofName: name, of: call), as: Asker(call, by), &turn)
    case .subscribeVisits(let durable, let by):
      return try self.subscribeVisits(durable: durable, as: Asker(call, by), &turn)
    case .addRegion(let region, let durable, let by):
      return try self.addRegion(region, durable: durable, as: Asker(call, by), &turn)
    case .removeRegion(let id, let durable, let by):
      return try self.removeRegion(id: id, durable: durable, as: Asker(call, by), now: turn.now)
    case .regionState(let id, let durable, let by):
      return try self.regionState(id: id, durable: durable, as: Asker(call, by), now: turn.now)
    case .listRegions(let durable, let after, let by):
      return try self.listRegions(durable: durable, after: after, as: Asker(call, by), now: turn.now)
    case .attachDurable(let name, let sinceEvent, let by):
      return try self.attach(name: name, sinceEvent: sinceEvent, as: Asker(call, by), &turn)
    case .acknowledgeDurable(let name, let event, let by):
      return try self.acknowledge(name: name, event: event, as: Asker(call, by), now: turn.now)
    case .listDurables(let by): return Asker(call, by).now(self.durables(of: call.client, now: turn.now))
    case .removeDurable(let name, let by): return try self.removeDurable(name: name, as: Asker(call, by), &turn)
    case .completeRequest(let target, let by): return self.complete(target, as: Asker(call, by), &turn)
    case .cancelRequest(let target, let by): return self.cancel(target, as: Asker(call, by), &turn)
    case .listRequests(let by): return Asker(call, by).now(self.calls.open(of: call.client, now: turn.now))
    case .sky(let by): return Asker(call, by).now(self.receiver.sky)
    case .subscribeSky(let minInterval, let isPassive, let by):
      return try self.subscribeSky(minInterval: minInterval, isPassive: isPassive, as: Asker(call, by))
    case .getHeading(let request, let by):
      return try self.getHeading(request, as: Asker(call, by), began: began ?? turn.now, now: turn.now)
    case .subscribeHeading(let parameters, let by):
      return try self.subscribeHeading(parameters, as: Asker(call, by), now: turn.now)
    case .time(let by): return Asker(call, by).now(self.time(for: call.client))
    case .status(let by): return Asker(call, by).now(self.status(for: call.client, now: turn.now))
    case .subscribeStatus(let by): return try self.subscribeStatus(as: Asker(call, by))
    case .authorization(let by): return self.authorization(for: Asker(call, by))
    case .requestAuthorization(let request, let by):
      return try self.requestAuthorization(request, as: Asker(call, by), mayAsk: mayAsk, &turn)
    case .registerAgent(let by): return try self.registerAgent(as: Asker(call, by), &turn)
    case .listClients(let by): return Asker(call, by).now(self.clientInfos)
    case .listGrants(let by): return Asker(call, by).now(self.permissions.grants)
    case .grant(let uid, let user, let level, let precision, let by):
      return try self.grant(uid: uid, user: user, level, precision, as: Asker(call, by), &turn)
    case .revoke(let uid, let by): return try self.revoke(uid: uid, as: Asker(call, by), &turn)
    case .setEnabled(let isOn, let by): return try self.setEnabled(isOn, as: Asker(call, by), &turn)
    }
  }
}

/// One-shot requests: each is answered once, by its deadline, with the best fix.
extension BrokerMachine {
  /// Whether the client may have another waiting request.
  func checkRoomForRequest(_ call: CallID) throws(CallFailure) {
    try self.calls.checkRoom(for: call.client, of: self.user(of: call.client), self.settings)
  }

  mutating func getFix(
    _ request: FixRequest, as asker: Asker<FixResult>, began: Instant, now: Instant
  ) throws(CallFailure) -> Answering {
    guard let access = self.clients[asker.client]?.access, let feed = access.feed else {
      throw .notDetermined(remedy: "")
    }
    try self.checkRoomForRequest(asker.id)
    guard request.isAllowed(feed.precision) else {
      throw access.precisionFailure("an accuracy of less than 2 km")
    }
    try request.check(feed.precision)
    var pending = PendingRequest(
      asker: asker, request: request, feed: feed, began: began, maxRequestTime: self.settings.maxRequestTime)
    let newest = self.feeds.current(in: feed)
    if let newest, let outcome = pending.cached(newest, now: now) {
      self.demand.answered(maximumAge: pending.maximumAge, now: now)
      return asker.now(self.result(of: pending, outcome, newest: newest, now: now))
    }
    self.insert(.fix(pending))
    return .later
  }

  mutating func complete(_ target: CallID, as asker: Asker<RequestOutcome>, _ turn: inout Turn) -> Answering {
    let isCompleted = target.client == asker.client && self.timeOut(target, &turn)
    return asker.now(isCompleted ? .completed : .unknown)
  }

  mutating func cancel(_ target: CallID, as asker: Asker<RequestOutcome>, _ turn: inout Turn) -> Answering {
    guard target.client == asker.client, self.calls[target] != nil else { return asker.now(.unknown) }
    self.fail(target, .cancelled, &turn)
    return asker.now(.cancelled)
  }

  // MARK: Waiting calls

  mutating func insert(_ call: PendingCall) { self.calls.insert(call, of: self.user(of: call.id.client)) }

  /// - Returns: `nil` if it does not wait any more.
  mutating func remove(_ call: CallID) -> PendingCall? { self.calls.remove(call, of: self.user(of: call.client)) }

  /// Answers a waiting call.
  mutating func finish<Value>(_ asker: Asker<Value>, with value: Value, _ turn: inout Turn) {
    if self.remove(asker.id) != nil { turn.answer(asker, value) }
  }

  mutating func fail(_ call: CallID, _ failure: CallFailure, _ turn: inout Turn) {
    if self.remove(call) != nil { turn.fail(call, failure) }
  }

  /// Answers a waiting call with the best fix so far. Returns whether there is such a call.
  mutating func timeOut(_ call: CallID, _ turn: inout Turn) -> Bool {
    switch self.calls[call] {
    case .fix(let request):
      let newest = self.feeds.current(in: request.feed)
      let result = self.result(of: request, request.completed(now: turn.now), newest: newest, now: turn.now)
      self.finish(request.asker, with: result, &turn)
    case .heading(let request): self.finish(request.asker, with: HeadingResult(), &turn)
    case .awaitingAuthorization: self.fail(call, .notDetermined(remedy: Self.unansweredRemedy), &turn)
    case nil: return false
    }
    return true
  }

  /// - Parameter newest: The newest fix of the request's feed.
  func result(
    of request: PendingRequest, _ outcome: PendingRequest.Outcome, newest: Fix?, now: Instant
  ) -> FixResult {
    FixResult(
      status: outcome.status, isSatisfied: outcome.isSatisfied, fix: outcome.fix,
      achievedAccuracy: outcome.fix?.achievedAccuracy(at: now), isFromCache: outcome.isFromCache,
      elapsed: now - request.began,
      diagnostics: self.diagnostics(in: request.feed, newest: newest, maximumAge: request.maximumAge, now: now))
  }

  func lastFix(of client: ClientID, now: Instant) -> LastFix {
    let feed = self.feed(of: .client(client))
    let fix = self.feeds.current(in: feed)
    return LastFix(
      fix: fix, achievedAccuracy: fix?.achievedAccuracy(at: now),
      availability: self.availability(in: feed, maximumAge: AccuracyLevel.city.maximumAge, now: now))
  }
}
