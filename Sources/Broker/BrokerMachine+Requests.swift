import Positioning

/// One-shot requests: each is answered once, by its deadline, with the best that could be had.
extension BrokerMachine {
  mutating func getFix(_ request: FixRequest, as call: CallID, now: Instant, into actions: inout [Action]) {
    guard let client = self.clients[call.client], client.requests < self.settings.maxRequestsPerClient else {
      let limit = self.settings.maxRequestsPerClient
      return actions.append(.answer(call, .failed(.limitExceeded(name: "max-requests-per-client", value: limit))))
    }
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

  private mutating func drop(_ call: CallID) {
    self.setDeadline(nil, for: .request(call))
    self.needs.set(.none, for: .request(call))
    self.requests[call] = nil
    self.clients[call.client]?.requests -= 1
  }

  mutating func complete(_ target: CallID, as call: CallID, now: Instant, into actions: inout [Action]) {
    guard let request = self.requests[target], target.client == call.client else {
      return actions.append(.answer(call, .request(.unknown)))
    }
    self.finish(request, with: request.completed(now: now), now: now, into: &actions)
    actions.append(.answer(call, .request(.completed)))
  }

  mutating func cancel(_ target: CallID, as call: CallID, into actions: inout [Action]) {
    guard self.requests[target] != nil, target.client == call.client else {
      return actions.append(.answer(call, .request(.unknown)))
    }
    self.drop(target)
    actions.append(.answer(target, .failed(.cancelled)))
    actions.append(.answer(call, .request(.cancelled)))
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
      call: self.call, request: self.request, elapsed: now - self.began, remaining: max(.zero, self.deadline - now))
  }
}
