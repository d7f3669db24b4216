import Positioning
import ReceiverPorts

/// Where the device points: who asks, and what they are told.
extension BrokerMachine {
  // MARK: Asking

  /// - Parameter began: when the client asked, where that was before a person's answer.
  mutating func getHeading(
    _ request: HeadingRequest, as call: CallID, began: Instant, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    try self.checkRoomForRequest(call)
    let pending = PendingHeading(
      call: call, request: request, began: began, maxRequestTime: self.settings.maxRequestTime)
    if let heading = self.headingView.newest(now: turn.now), pending.accepts(heading, now: turn.now) {
      return .now(.heading(HeadingOutcome(heading: heading)))
    }
    guard !self.headingView.isUnavailable else { throw .noHeading }
    self.headingRequests[call] = pending
    self.countRequests(1, of: call.client)
    self.needs.set(.now, for: .request(call))
    self.setDeadline(pending.deadline, for: .request(call))
    return .later
  }

  mutating func subscribeHeading(
    _ parameters: HeadingParameters, as call: CallID, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    let state = self.headingView.state(now: turn.now)
    guard state != .unavailable else { throw .noHeading }
    let id = try self.newSubscription(of: call)
    self.headings[id] = HeadingSubscription(id: id, parameters: parameters, state: state, now: turn.now)
    self.needs.set(.now, for: .subscription(id))
    return .begun(id)
  }

  // MARK: The receiver's side

  mutating func received(_ report: AttitudeReport) {
    self.headingView.received(
      report, isBelieved: self.filter.believes(report.device), cycle: self.filter.cycle(of: report.device))
  }

  // MARK: Telling

  /// Tells everybody who waits for a heading or subscribed to it what changed.
  mutating func tellHeadings(_ turn: inout Turn) {
    guard !self.headings.isEmpty || !self.headingRequests.isEmpty else {
      self.toldHeading = nil
      return self.setDeadline(nil, for: .heading)
    }
    let heading = self.headingView.heading(now: turn.now)
    let state = self.headingView.state(now: turn.now)
    // A sensor or a course that falls silent is no event of its own.
    self.setDeadline(self.headingView.nextExpiry(now: turn.now), for: .heading)
    guard self.toldHeading != ToldHeading(heading: heading, state: state) else { return }
    self.toldHeading = ToldHeading(heading: heading, state: state)
    self.warnOfExpiredModel(&turn)
    for request in self.headingRequests.all {
      if let heading, request.accepts(heading, now: turn.now) {
        self.finish(request, with: .heading(HeadingOutcome(heading: heading)), &turn)
      } else if state == .unavailable {
        self.finish(request, with: .failed(.noHeading), &turn)
      }
    }
    for id in self.headings.keys where self.isPrecise(id.client) {
      guard let update = self.headings.modify(id, { $0.told(heading, state, now: turn.now) }) ?? nil else { continue }
      self.tell(.heading(update), to: id.client, &turn)
      if state == .unavailable {
        self.end(id, reason: .unavailable, &turn)
      } else {
        self.setDeadline(self.headings[id]?.nextDeadline, for: .subscription(id))
      }
    }
  }

  mutating func headingDeadlineReached(of id: SubscriptionID, _ turn: inout Turn) {
    let heading = self.headingView.heading(now: turn.now)
    if let update = self.headings.modify(id, { $0.heartbeat(heading, now: turn.now) }) ?? nil {
      self.tell(.heading(update), to: id.client, &turn)
    }
    self.setDeadline(self.headings[id]?.nextDeadline, for: .subscription(id))
  }

  /// Ends a request for a heading without one, if there is such a request.
  mutating func timeOutHeading(_ call: CallID, _ turn: inout Turn) -> Bool {
    guard let request = self.headingRequests[call] else { return false }
    self.finish(request, with: .heading(HeadingOutcome(heading: nil)), &turn)
    return true
  }

  private mutating func finish(_ request: PendingHeading, with answer: Answer, _ turn: inout Turn) {
    self.drop(request.call)
    turn.answer(request.call, answer)
  }

  /// Once: a model that is over is still the best there is.
  private mutating func warnOfExpiredModel(_ turn: inout Turn) {
    guard self.headingView.usesExpiredModel, !self.isWarnedOfModel else { return }
    self.isWarnedOfModel = true
    turn.log(
      .warning,
      "the World Magnetic Model of this release is over by the receiver's time: magnetic and true headings are told"
        + " as before, and err more each year; a newer release has a newer model")
  }
}

/// What those who asked for headings were told last.
struct ToldHeading: Hashable, Sendable {
  var heading: Heading?
  var state: HeadingState
}
