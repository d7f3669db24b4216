import Positioning

/// One-shot requests: each is answered once, by its deadline, with the best that could be had.
extension BrokerMachine {
  /// Whether the client may have one more request that waits; else it is answered that it may not.
  func hasRoomForRequest(_ call: CallID, into actions: inout [Action]) -> Bool {
    let (limit, userLimit) = (self.settings.maxRequestsPerClient, self.settings.maxRequestsPerUser)
    guard let client = self.clients[call.client], client.requests < limit else {
      actions.append(.answer(call, .failed(.limitExceeded(name: "max-requests-per-client", value: limit))))
      return false
    }
    guard self.holdings[client.principal.uid].requests < userLimit else {
      actions.append(.answer(call, .failed(.limitExceeded(name: "max-requests-per-user", value: userLimit))))
      return false
    }
    guard self.holdings.total.requests < self.settings.maxRequests else {
      let limit = self.settings.maxRequests
      actions.append(.answer(call, .failed(.limitExceeded(name: "max-requests", value: limit))))
      return false
    }
    return true
  }

  mutating func countRequests(_ difference: Int, of client: ClientID) {
    guard let user = self.clients[client]?.principal.uid else { return }
    self.clients[client]?.requests += difference
    self.holdings.change(user) { $0.requests += difference }
  }

  mutating func getFix(
    _ request: FixRequest, as call: CallID, began: Instant, now: Instant, into actions: inout [Action]
  ) {
    guard let view = self.view(of: call.client), self.hasRoomForRequest(call, into: &actions) else { return }
    guard request.isAllowed(view.precision) else {
      return actions.append(.answer(call, .failed(self.tooFine(for: call, what: "an accuracy of less than 2 km"))))
    }
    if let complaint = request.complaint(view.precision) {
      return actions.append(.answer(call, .failed(complaint)))
    }
    var pending = PendingRequest(
      call: call, request: request, view: view, began: began, maxRequestTime: self.settings.maxRequestTime)
    let cached = self.views[view].current.flatMap { pending.cached($0, now: now) }
    self.requests[call] = pending
    self.countRequests(1, of: call.client)
    if let cached { return self.finish(pending, with: cached, now: now, into: &actions) }
    self.need(.now, in: view, for: .request(call), now: now)
    self.setDeadline(pending.deadline, for: .request(call))
  }

  /// The one place where a request is answered with what it asked for.
  mutating func finish(
    _ request: PendingRequest, with outcome: PendingRequest.Outcome, now: Instant, into actions: inout [Action]
  ) {
    self.drop(request.call)
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
    actions.append(.answer(request.call, .fix(answer)))
  }

  mutating func drop(_ call: CallID) {
    self.setDeadline(nil, for: .request(call))
    self.needs.set(.none, for: .request(call))
    self.requests[call] = nil
    self.headingRequests[call] = nil
    self.parked[call] = nil
    self.countRequests(-1, of: call.client)
  }

  mutating func complete(_ target: CallID, as call: CallID, now: Instant, into actions: inout [Action]) {
    let isCompleted = target.client == call.client && self.timeOut(target, now: now, into: &actions)
    actions.append(.answer(call, .request(isCompleted ? .completed : .unknown)))
  }

  /// Answers a call that waits with the best so far; whether there is such a call.
  mutating func timeOut(_ call: CallID, now: Instant, into actions: inout [Action]) -> Bool {
    if self.parked[call] != nil {
      self.drop(call)
      actions.append(.answer(call, .failed(.notDetermined(remedy: Self.unansweredRemedy))))
      return true
    }
    guard let request = self.requests[call] else { return self.timeOutHeading(call, into: &actions) }
    self.finish(request, with: request.completed(now: now), now: now, into: &actions)
    return true
  }

  mutating func cancel(_ target: CallID, as call: CallID, into actions: inout [Action]) {
    let isWaiting =
      self.requests[target] != nil || self.headingRequests[target] != nil || self.parked[target] != nil
    guard isWaiting, target.client == call.client else {
      return actions.append(.answer(call, .request(.unknown)))
    }
    self.drop(target)
    actions.append(.answer(target, .failed(.cancelled)))
    actions.append(.answer(call, .request(.cancelled)))
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
