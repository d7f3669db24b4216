import Positioning
import ReceiverPorts

/// Where the device points: who asks, and what they are told.
extension BrokerMachine {
  // MARK: Asking

  /// - Parameter began: when the client asked, where that was before a person's answer.
  mutating func getHeading(
    _ request: HeadingRequest, as call: CallID, began: Instant, now: Instant, into actions: inout [Action]
  ) {
    guard self.hasRoomForRequest(call, into: &actions) else { return }
    let pending = PendingHeading(
      call: call, request: request, began: began, maxRequestTime: self.settings.maxRequestTime)
    if let heading = self.headingView.newest(now: now), pending.accepts(heading, now: now) {
      return actions.append(.answer(call, .heading(HeadingOutcome(heading: heading))))
    }
    guard !self.headingView.isUnavailable else { return actions.append(.answer(call, .failed(.noHeading))) }
    self.headingRequests[call] = pending
    self.countRequests(1, of: call.client)
    self.needs.set(.now, for: .request(call))
    self.setDeadline(pending.deadline, for: .request(call))
  }

  mutating func subscribeHeading(
    _ parameters: HeadingParameters, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    let state = self.headingView.state(now: now)
    guard state != .unavailable else { return actions.append(.answer(call, .failed(.noHeading))) }
    guard let id = self.newSubscription(of: call, into: &actions) else { return }
    self.headings[id] = HeadingSubscription(id: id, parameters: parameters, state: state, now: now)
    self.needs.set(.now, for: .subscription(id))
    self.answerSubscribed(id, as: call, now: now, into: &actions)
    let heading = self.headingView.heading(now: now)
    if let update = self.headings.modify(id, { $0.told(heading, state, now: now) }) ?? nil {
      self.tell(.heading(update), to: id.client, now: now, into: &actions)
    }
    self.setDeadline(self.headings[id]?.nextDeadline, for: .subscription(id))
  }

  // MARK: The receiver's side

  mutating func received(_ report: AttitudeReport) {
    self.headingView.received(
      report, isBelieved: self.filter.believes(report.device), cycle: self.filter.cycle(of: report.device))
  }

  // MARK: Telling

  /// Tells everybody who waits for a heading or subscribed to it what changed.
  mutating func tellHeadings(now: Instant, into actions: inout [Action]) {
    guard !self.headings.isEmpty || !self.headingRequests.isEmpty else {
      self.toldHeading = nil
      return self.setDeadline(nil, for: .heading)
    }
    let heading = self.headingView.heading(now: now)
    let state = self.headingView.state(now: now)
    // A sensor or a course that falls silent is no event of its own.
    self.setDeadline(self.headingView.nextExpiry(now: now), for: .heading)
    guard self.toldHeading != ToldHeading(heading: heading, state: state) else { return }
    self.toldHeading = ToldHeading(heading: heading, state: state)
    self.warnOfExpiredModel(into: &actions)
    for request in self.headingRequests.all {
      if let heading, request.accepts(heading, now: now) {
        self.finish(request, with: .heading(HeadingOutcome(heading: heading)), into: &actions)
      } else if state == .unavailable {
        self.finish(request, with: .failed(.noHeading), into: &actions)
      }
    }
    for id in self.headings.keys where self.isPrecise(id.client) {
      guard let update = self.headings.modify(id, { $0.told(heading, state, now: now) }) ?? nil else { continue }
      self.tell(.heading(update), to: id.client, now: now, into: &actions)
      if state == .unavailable {
        self.end(id, reason: .unavailable, now: now, into: &actions)
      } else {
        self.setDeadline(self.headings[id]?.nextDeadline, for: .subscription(id))
      }
    }
  }

  mutating func headingDeadlineReached(of id: SubscriptionID, now: Instant, into actions: inout [Action]) {
    let heading = self.headingView.heading(now: now)
    if let update = self.headings.modify(id, { $0.heartbeat(heading, now: now) }) ?? nil {
      self.tell(.heading(update), to: id.client, now: now, into: &actions)
    }
    self.setDeadline(self.headings[id]?.nextDeadline, for: .subscription(id))
  }

  /// Ends a request for a heading without one, if there is such a request.
  mutating func timeOutHeading(_ call: CallID, into actions: inout [Action]) -> Bool {
    guard let request = self.headingRequests[call] else { return false }
    self.finish(request, with: .heading(HeadingOutcome(heading: nil)), into: &actions)
    return true
  }

  private mutating func finish(_ request: PendingHeading, with answer: Answer, into actions: inout [Action]) {
    self.drop(request.call)
    actions.append(.answer(request.call, answer))
  }

  /// Once: a model that is over is still the best there is.
  private mutating func warnOfExpiredModel(into actions: inout [Action]) {
    guard self.headingView.usesExpiredModel, !self.isWarnedOfModel else { return }
    self.isWarnedOfModel = true
    actions.append(
      .log(
        .warning,
        "the World Magnetic Model of this release is over by the receiver's time: magnetic and true headings are told"
          + " as before, and err more each year; a newer release has a newer model"))
  }
}

/// What those who asked for headings were told last.
struct ToldHeading: Hashable, Sendable {
  var heading: Heading?
  var state: HeadingState
}
