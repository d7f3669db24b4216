import Positioning

/// One-shot requests: each is answered once, by its deadline, with the best that could be had.
extension BrokerMachine {
  /// Whether the client may have one more request that waits; else it is answered that it may not.
  func hasRoomForRequest(_ call: CallID, into actions: inout [Action]) -> Bool {
    let limit = self.settings.maxRequestsPerClient
    if let client = self.clients[call.client], client.requests < limit { return true }
    actions.append(.answer(call, .failed(.limitExceeded(name: "max-requests-per-client", value: limit))))
    return false
  }

  mutating func getFix(_ request: FixRequest, as call: CallID, now: Instant, into actions: inout [Action]) {
    guard self.hasRoomForRequest(call, into: &actions) else { return }
    var pending = PendingRequest(call: call, request: request, now: now, maxRequestTime: self.settings.maxRequestTime)
    let cached = self.current.flatMap { pending.cached($0, now: now) }
    self.requests[call] = pending
    self.clients[call.client]?.requests += 1
    if let cached { return self.finish(pending, with: cached, now: now, into: &actions) }
    self.needs.set(.now, for: .request(call))
    self.setDeadline(pending.deadline, for: .request(call))
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
    self.setDeadline(nil, for: .request(call))
    self.needs.set(.none, for: .request(call))
    self.requests[call] = nil
    self.headingRequests[call] = nil
    self.clients[call.client]?.requests -= 1
  }

  mutating func complete(_ target: CallID, as call: CallID, now: Instant, into actions: inout [Action]) {
    let isCompleted = target.client == call.client && self.timeOut(target, now: now, into: &actions)
    actions.append(.answer(call, .request(isCompleted ? .completed : .unknown)))
  }

  /// Answers a call that waits with the best so far; whether there is such a call.
  mutating func timeOut(_ call: CallID, now: Instant, into actions: inout [Action]) -> Bool {
    guard let request = self.requests[call] else { return self.timeOutHeading(call, into: &actions) }
    self.finish(request, with: request.completed(now: now), now: now, into: &actions)
    return true
  }

  mutating func cancel(_ target: CallID, as call: CallID, into actions: inout [Action]) {
    let isWaiting = self.requests[target] != nil || self.headingRequests[target] != nil
    guard isWaiting, target.client == call.client else {
      return actions.append(.answer(call, .request(.unknown)))
    }
    self.drop(target)
    actions.append(.answer(target, .failed(.cancelled)))
    actions.append(.answer(call, .request(.cancelled)))
  }

  /// The oldest first.
  func requests(of client: ClientID, now: Instant) -> [RequestInfo] {
    let all = self.requests.all.map { $0.info(now: now) } + self.headingRequests.all.map { $0.info(now: now) }
    return all.filter { $0.call.client == client }.sorted { $0.call.serial < $1.call.serial }
  }

  func lastFix(now: Instant) -> LastFix {
    LastFix(
      fix: self.current, achievedAccuracy: self.current?.achievedAccuracy(at: now),
      availability: self.facts.availability(maximumAge: AccuracyLevel.city.maximumAge, now: now))
  }
}

extension PendingRequest {
  func info(now: Instant) -> RequestInfo {
    RequestInfo(
      call: self.call, asked: .fix(self.request), elapsed: now - self.began,
      remaining: max(.zero, self.deadline - now))
  }
}
