import Positioning

/// One-shot requests: each is answered once, by its deadline, with the best fix.
extension BrokerParts {
  /// Whether the client may have another waiting request.
  func checkRoomForRequest(_ call: CallID) throws(CallFailure) {
    try self.calls.checkRoom(for: call.client, of: self.user(of: call.client), self.settings)
  }

  mutating func getFix(
    _ request: FixRequest, as asker: Asker<FixResult>, began: Instant, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard let feed = self.feed(of: .client(asker.client)) else { throw .notDetermined(remedy: "") }
    try self.checkRoomForRequest(asker.id)
    guard request.isAllowed(feed.precision) else {
      throw self.precisionFailure(for: asker.id, what: "an accuracy of less than 2 km")
    }
    try request.check(feed.precision)
    var pending = PendingRequest(
      asker: asker, request: request, feed: feed, began: began, maxRequestTime: self.settings.maxRequestTime)
    let newest = self.feeds.current(in: feed)
    if let newest, let outcome = pending.cached(newest, now: turn.now) {
      self.demand.answered(maximumAge: pending.maximumAge, now: turn.now)
      return asker.now(self.result(of: pending, outcome, newest: newest, now: turn.now))
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
    var result = FixResult(
      status: .success, isSatisfied: false, fix: outcome.fix, achievedAccuracy: outcome.fix?.achievedAccuracy(at: now),
      isFromCache: false, elapsed: now - request.began,
      diagnostics: self.diagnostics(in: request.feed, newest: newest, maximumAge: request.maximumAge, now: now))
    switch outcome {
    case .satisfied(_, let isFromCache):
      result.isSatisfied = true
      result.isFromCache = isFromCache
    case .acceptable(let fix): result.isFromCache = fix.arrival < request.began
    case .timedOut(let fix):
      result.status = .timedOut
      result.isFromCache = fix.map { $0.arrival < request.began } ?? false
    }
    return result
  }

  func lastFix(of client: ClientID, now: Instant) -> LastFix {
    let feed = self.feed(of: .client(client))
    let fix = self.feeds.current(in: feed)
    return LastFix(
      fix: fix, achievedAccuracy: fix?.achievedAccuracy(at: now),
      availability: self.availability(in: feed, maximumAge: AccuracyLevel.city.maximumAge, now: now))
  }
}

extension PendingRequest {
  func info(now: Instant) -> RequestInfo {
    var asked = self.request
    asked.accuracy = asked.demand(self.feed.precision)
    return RequestInfo(
      asked: .fix(asked.complete), elapsed: now - self.began, remaining: max(.zero, self.deadline - now))
  }
}
