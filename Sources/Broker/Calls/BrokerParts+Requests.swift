import Positioning

/// One-shot requests: each is answered once, by its deadline, with the best fix.
extension BrokerParts {
  /// Whether the client may have another waiting request.
  func checkRoomForRequest(_ call: CallID) throws(CallFailure) {
    try self.calls.checkRoom(for: call.client, of: self.user(of: call.client), self.settings)
  }

  mutating func getFix(
    _ request: FixRequest, as call: CallID, began: Instant, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    guard let feed = self.feed(of: .client(call.client)) else { throw .notDetermined(remedy: "") }
    try self.checkRoomForRequest(call)
    guard request.isAllowed(feed.precision) else {
      throw self.precisionFailure(for: call, what: "an accuracy of less than 2 km")
    }
    try request.check(feed.precision)
    var pending = PendingRequest(
      call: call, request: request, feed: feed, began: began, maxRequestTime: self.settings.maxRequestTime)
    let newest = self.feeds.current(in: feed)
    if let newest, let outcome = pending.cached(newest, now: turn.now) {
      self.demand.answered(maximumAge: pending.maximumAge, now: turn.now)
      return .now(self.answer(to: pending, outcome, newest: newest, now: turn.now))
    }
    self.insert(.fix(pending))
    return .later
  }

  mutating func complete(_ target: CallID, as call: CallID, _ turn: inout Turn) -> Reply {
    let isCompleted = target.client == call.client && self.timeOut(target, &turn)
    return .now(.request(isCompleted ? .completed : .unknown))
  }

  mutating func cancel(_ target: CallID, as call: CallID, _ turn: inout Turn) -> Reply {
    guard target.client == call.client, self.calls[target] != nil else { return .now(.request(.unknown)) }
    self.fail(target, .cancelled, &turn)
    return .now(.request(.cancelled))
  }

  // MARK: Waiting calls

  mutating func insert(_ call: PendingCall) { self.calls.insert(call, of: self.user(of: call.id.client)) }

  /// - Returns: `nil` if it does not wait any more.
  mutating func remove(_ call: CallID) -> PendingCall? { self.calls.remove(call, of: self.user(of: call.client)) }

  /// Answers a waiting call.
  mutating func finish(_ call: CallID, with answer: Answer, _ turn: inout Turn) {
    if self.remove(call) != nil { turn.answer(call, answer) }
  }

  mutating func fail(_ call: CallID, _ failure: CallFailure, _ turn: inout Turn) {
    self.finish(call, with: .failed(failure), &turn)
  }

  /// Answers a waiting call with the best fix so far. Returns whether there is such a call.
  mutating func timeOut(_ call: CallID, _ turn: inout Turn) -> Bool {
    switch self.calls[call] {
    case .fix(let request):
      let newest = self.feeds.current(in: request.feed)
      let answer = self.answer(to: request, request.completed(now: turn.now), newest: newest, now: turn.now)
      self.finish(call, with: answer, &turn)
    case .heading: self.finish(call, with: .heading(HeadingResult()), &turn)
    case .awaitingAuthorization: self.fail(call, .notDetermined(remedy: Self.unansweredRemedy), &turn)
    case nil: return false
    }
    return true
  }

  /// - Parameter newest: The newest fix of the request's feed.
  func answer(to request: PendingRequest, _ outcome: PendingRequest.Outcome, newest: Fix?, now: Instant) -> Answer {
    var answer = FixResult(
      status: .success, isSatisfied: false, fix: nil, achievedAccuracy: nil, isFromCache: false,
      elapsed: now - request.began,
      diagnostics: self.diagnostics(in: request.feed, newest: newest, maximumAge: request.maximumAge, now: now))
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
    return .fix(answer)
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
