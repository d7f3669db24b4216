import Positioning

/// One-shot requests: each is answered once, by its deadline, with the best that could be had.
extension BrokerMachine {
  /// Whether the client may have one more request that waits.
  func checkRoomForRequest(_ call: CallID) throws(CallFailure) {
    let (limit, userLimit) = (self.settings.maxRequestsPerClient, self.settings.maxRequestsPerUser)
    guard let client = self.clients[call.client], client.requests < limit else {
      throw .limitExceeded(name: "max-requests-per-client", value: limit)
    }
    guard self.holdings[client.principal.uid].requests < userLimit else {
      throw .limitExceeded(name: "max-requests-per-user", value: userLimit)
    }
    guard self.holdings.total.requests < self.settings.maxRequests else {
      throw .limitExceeded(name: "max-requests", value: self.settings.maxRequests)
    }
  }

  mutating func countRequests(_ difference: Int, of client: ClientID) {
    guard let user = self.clients[client]?.principal.uid else { return }
    self.clients[client]?.requests += difference
    self.holdings.change(user) { $0.requests += difference }
  }

  mutating func getFix(
    _ request: FixRequest, as call: CallID, began: Instant, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    guard let view = self.view(of: call.client) else { throw .notDetermined(remedy: "") }
    try self.checkRoomForRequest(call)
    guard request.isAllowed(view.precision) else {
      throw self.tooFine(for: call, what: "an accuracy of less than 2 km")
    }
    try request.check(view.precision)
    var pending = PendingRequest(
      call: call, request: request, view: view, began: began, maxRequestTime: self.settings.maxRequestTime)
    if let outcome = self.views[view].current.flatMap({ pending.cached($0, now: turn.now) }) {
      return .now(self.answer(to: pending, outcome, now: turn.now))
    }
    self.requests[call] = pending
    self.countRequests(1, of: call.client)
    self.need(.now, in: view, for: .request(call), &turn)
    self.setDeadline(pending.deadline, for: .request(call))
    return .later
  }

  /// Answers a request that has waited.
  mutating func finish(_ request: PendingRequest, with outcome: PendingRequest.Outcome, _ turn: inout Turn) {
    self.drop(request.call)
    turn.answer(request.call, self.answer(to: request, outcome, now: turn.now))
  }

  private func answer(to request: PendingRequest, _ outcome: PendingRequest.Outcome, now: Instant) -> Answer {
    var answer = FixOutcome(
      status: .success, isSatisfied: false, fix: nil, achievedAccuracy: nil, isFromCache: false,
      elapsed: now - request.began,
      diagnostics: self.diagnostics(in: request.view, maximumAge: request.maximumAge, now: now))
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

  mutating func drop(_ call: CallID) {
    self.setDeadline(nil, for: .request(call))
    self.needs.set(.none, for: .request(call))
    self.requests[call] = nil
    self.headingRequests[call] = nil
    self.parked[call] = nil
    self.countRequests(-1, of: call.client)
  }

  mutating func complete(_ target: CallID, as call: CallID, _ turn: inout Turn) -> Reply {
    let isCompleted = target.client == call.client && self.timeOut(target, &turn)
    return .now(.request(isCompleted ? .completed : .unknown))
  }

  /// Answers a call that waits with the best so far; whether there is such a call.
  mutating func timeOut(_ call: CallID, _ turn: inout Turn) -> Bool {
    if self.parked[call] != nil {
      self.drop(call)
      turn.answer(call, .failed(.notDetermined(remedy: Self.unansweredRemedy)))
      return true
    }
    guard let request = self.requests[call] else { return self.timeOutHeading(call, &turn) }
    self.finish(request, with: request.completed(now: turn.now), &turn)
    return true
  }

  mutating func cancel(_ target: CallID, as call: CallID, _ turn: inout Turn) -> Reply {
    let isWaiting =
      self.requests[target] != nil || self.headingRequests[target] != nil || self.parked[target] != nil
    guard isWaiting, target.client == call.client else { return .now(.request(.unknown)) }
    self.drop(target)
    turn.answer(target, .failed(.cancelled))
    return .now(.request(.cancelled))
  }

  /// The oldest first.
  func requests(of client: ClientID, now: Instant) -> [RequestInfo] {
    let fixes = self.requests.keys(of: client).compactMap { self.requests[$0]?.info(now: now) }
    let headings = self.headingRequests.keys(of: client).compactMap { self.headingRequests[$0]?.info(now: now) }
    let parked = self.parked.keys(of: client).compactMap { self.parked[$0]?.info(now: now) }
    return (fixes + headings + parked).sorted { $0.call.serial < $1.call.serial }
  }

  func lastFix(of client: ClientID, now: Instant) -> LastFix {
    let view = self.view(of: client)
    let fix = self.views[view].current
    return LastFix(
      fix: fix, achievedAccuracy: fix?.achievedAccuracy(at: now),
      availability: self.availability(in: view, maximumAge: AccuracyLevel.city.maximumAge, now: now))
  }
}

extension PendingRequest {
  func info(now: Instant) -> RequestInfo {
    var asked = self.request
    asked.accuracy = asked.demand(self.view.precision)
    return RequestInfo(
      call: self.call, asked: .fix(asked), elapsed: now - self.began,
      remaining: max(.zero, self.deadline - now))
  }
}
