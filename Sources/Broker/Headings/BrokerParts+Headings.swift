import Positioning

/// Headings: requests, subscriptions and their deliveries.
extension BrokerParts {
  /// - Parameter began: When the client called, if it then waited for a person's answer.
  mutating func getHeading(
    _ request: HeadingRequest, as asker: Asker<HeadingResult>, began: Instant, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    try self.checkRoomForRequest(asker.id)
    let pending = PendingHeading(
      asker: asker, request: request, began: began, maxRequestTime: self.settings.maxRequestTime)
    if let heading = self.receiver.newestHeading(now: turn.now), pending.accepts(heading, now: turn.now) {
      self.demand.answered(maximumAge: request.maximumAge, now: turn.now)
      return asker.now(HeadingResult(heading: heading))
    }
    guard !self.receiver.isHeadingUnavailable else { throw .noHeading }
    self.insert(.heading(pending))
    return .later
  }

  mutating func subscribeHeading(
    _ parameters: HeadingParameters, as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    let state = self.receiver.heading(now: turn.now).state
    guard state != .unavailable else { throw .noHeading }
    let id = try self.newSubscription(of: asker.id)
    self.insert(.heading(HeadingSubscription(id: id, parameters: parameters, state: state, now: turn.now)))
    return asker.begun(id)
  }

  /// The end of the heading's validity: a sensor or a course that falls silent is no event of its own.
  func headingDeadline(now: Instant) -> Instant? {
    self.isAnyHeadingWanted ? self.receiver.headingExpiry(now: now) : nil
  }

  private var isAnyHeadingWanted: Bool { self.subscriptions.hasAny(on: .headings) || self.calls.hasHeadings }

  /// Delivers a change to all that wait for a heading or subscribe to it.
  mutating func reportHeadings(_ turn: inout Turn) {
    guard self.isAnyHeadingWanted else {
      self.receiver.forgetReportedHeading()
      return
    }
    guard let reading = self.receiver.takeHeadingChange(now: turn.now) else { return }
    if self.receiver.takeModelExpiry() {
      turn.log(
        .modelExpired,
        "the World Magnetic Model of this release has expired by the receiver's time: the error of magnetic and true"
          + " headings grows each year; a newer release has a newer model")
    }
    for call in self.calls.headings {
      guard case .heading(let request) = self.calls[call] else { continue }
      if let heading = reading.heading, request.accepts(heading, now: turn.now) {
        self.finish(request.asker, with: HeadingResult(heading: heading), &turn)
      } else if reading.state == .unavailable {
        self.fail(call, .noHeading, &turn)
      }
    }
    for id in self.subscriptions.ids(on: .headings) { self.report(reading, to: id, &turn) }
  }

  /// Delivers the heading to one subscription, if it is news to it.
  mutating func report(_ reading: HeadingReading, to id: SubscriptionID, _ turn: inout Turn) {
    guard case .heading(var heading) = self.subscriptions[id], !heading.isSuspended,
      let update = heading.received(reading.heading, reading.state, now: turn.now)
    else { return }
    self.subscriptions.update(.heading(heading))
    self.notify(id.holder, .heading(id, update), &turn)
    if reading.state == .unavailable { self.end(id, reason: .unavailable, &turn) }
  }

  mutating func headingDeadlineReached(of id: SubscriptionID, _ turn: inout Turn) {
    guard case .heading(var heading) = self.subscriptions[id] else { return }
    let update = heading.heartbeat(self.receiver.heading(now: turn.now).heading, now: turn.now)
    self.subscriptions.update(.heading(heading))
    if let update { self.notify(id.holder, .heading(id, update), &turn) }
  }
}
