import Positioning
import ReceiverPorts
import Trust

/// Reports of the receiver, and what follows from them for clients.
extension BrokerMachine {
  mutating func received(_ event: ReceiverEvent, _ turn: inout Turn) {
    switch event {
    case .source(let source): self.demand.sourceChanged(to: source, now: turn.now)
    case .power(let power): self.demand.powerChanged(to: power, now: turn.now)
    case .position, .errorEstimate, .sky, .attitude, .reception, .devices, .superseded, .gpsdVersion: break
    }
    self.take(self.receiver.received(event, now: turn.now), &turn)
    if case .position(let report) = event { self.receiver.learnDeclination(from: report) }
  }

  mutating func take(_ events: [ReceiverSide.Event], _ turn: inout Turn) {
    for event in events {
      switch event {
      case .fix(let fix, let epoch): self.deliver(fix, epoch: epoch, &turn)
      case .satellites(let satellites, let arrival): self.demand.saw(satellites, now: arrival)
      case .sky(let sky, let cycle): self.carryOut(self.subscriptions.received(sky, cycle: cycle), &turn)
      }
    }
  }

  /// Turns the receiver on or releases it, according to the needs and the time.
  mutating func plan(_ turn: inout Turn) {
    let isOn = self.demand.plan(self.needs(now: turn.now), now: turn.now)
    if let isOn { self.turnReceiver(on: isOn, &turn) }
    let allowance = min(self.subscriptions.allowances.least, self.calls.allowances.least)
    if let change = self.demand.takeChange(to: allowance) { turn.act(.allowSaving(change)) }
  }

  private mutating func turnReceiver(on isOn: Bool, _ turn: inout Turn) {
    // Either way a session begins or ends, which is no loss. Late reports of the previous session are ignored.
    self.receiver.sessionEnded()
    self.clock.receiverTurned(on: isOn)
    turn.act(.setReceiver(on: isOn))
    turn.log(.receiverDemand, isOn ? "the receiver is needed" : "nobody needs the receiver any more")
  }

  /// Stores what was learned of the receiver's starts, if it is time.
  mutating func keepReceiverMemory(isPressing: Bool = false, now: Instant) {
    if let memory = self.demand.takeMemoryToKeep(isPressing: isPressing, now: now) {
      self.commits.store(.putReceiver(memory))
    }
  }

  /// Delivers a fix to all that wait for one.
  private mutating func deliver(_ fix: Fix, epoch: Int, _ turn: inout Turn) {
    let fix = self.receiver.take(fix)
    self.demand.fixed(isLearned: fix.castsVotes, now: turn.now)
    self.clock.fixed(now: turn.now)
    self.keepReceiverMemory(now: turn.now)
    // Restored availability is reported before the first fix.
    self.reportAvailability(&turn)
    self.show(fix, epoch: epoch, to: .precise, &turn)
    self.reduce(fix, epoch: epoch, now: turn.now)
    self.carryOut(self.visits.fixed(fix, now: turn.now), &turn)
  }

  /// Delivers a fix to all that wait for one, among the holders with this precision.
  mutating func show(_ fix: Fix, epoch: Int, to precision: Precision, _ turn: inout Turn) {
    for feed in self.feeds.keys where feed.precision == precision {
      guard self.feeds.take(fix, epoch: epoch, in: feed) else { continue }
      for (request, outcome) in self.calls.fixed(fix, in: feed, now: turn.now) {
        self.finish(request.asker, with: self.result(of: request, outcome, newest: fix, now: turn.now), &turn)
      }
      self.carryOut(self.subscriptions.fixed(fix, epoch: epoch, in: feed, now: turn.now), &turn)
      self.carryOut(self.feeds.judge(by: fix, in: feed, now: turn.now, effort: &turn.effort), &turn)
    }
  }

  /// Notifies each position subscription of a change of its availability.
  ///
  /// - Parameter newcomer: A new subscription, which is notified by its answer.
  mutating func reportAvailability(besides newcomer: SubscriptionID? = nil, _ turn: inout Turn) {
    self.logDoubt(&turn)
    guard let availability = self.receiver.takeAvailabilityChange(isOn: self.demand.isSearching, now: turn.now)
    else { return }
    self.carryOut(self.subscriptions.availabilityChanged(to: availability, besides: newcomer), &turn)
  }
}

extension BrokerMachine {
  /// One line for each change of what speaks against the receiver's fixes.
  private mutating func logDoubt(_ turn: inout Turn) {
    guard let doubt = self.receiver.takeDoubtChange() else { return }
    let receiver = self.receiver.device?.path ?? "the receiver"
    switch doubt.integrity {
    case .suspect:
      turn.log(
        .positionsDoubted, "the positions of \(receiver, .receiver) are suspect: \(doubt.reasons.text)")
    case .untrusted:
      turn.log(
        .positionsDoubted,
        "the positions of \(receiver, .receiver) cannot be trusted, and decide nothing: \(doubt.reasons.text)")
    case .trusted, nil:
      turn.log(
        .positionsTrusted, "nothing speaks against the positions of \(receiver, .receiver) any more")
    }
  }
}

/// The feeds of fixes, by permission.
extension BrokerMachine {
  /// The availability facts for a holder with this feed.
  func availability(in feed: FixFeedKey?, maximumAge: Duration?, now: Instant) -> Availability {
    guard let feed else { return .denied }
    return self.receiver.availability(isOn: self.demand.isSearching, maximumAge: maximumAge, now: now).seen(
      with: feed.precision)
  }

  /// The availability for a holder, as it was reported last.
  func availability(of holder: Holder) -> Availability {
    self.feed(of: holder).map { self.receiver.availability.seen(with: $0.precision) } ?? .denied
  }

  /// Makes a reduced fix, if any client sees the reduced feed and it is time.
  ///
  /// It is stored before it is published: a daemon that crashes publishes no second one within ten minutes, and none
  /// with another offset. While nothing can be stored it is published anyway, with the offset that was stored last.
  mutating func reduce(_ fix: Fix, epoch: Int, now: Instant) {
    guard let (reduced, kept) = self.feeds.reduce(fix, mayDrift: self.commits.denial == nil, now: now) else {
      return
    }
    self.commits.store(.putFuzzer(self.feeds.fuzzer))
    self.commits.follow(.show(PendingReducedFix(reduced: reduced, fix: fix, kept: kept, epoch: epoch)))
  }

  /// Another holder gets the feed, which begins with its last published fix.
  mutating func enter(_ new: FixFeedKey?, now: Instant) {
    let (newest, epoch) = (self.receiver.current, self.receiver.currentEpoch)
    self.feeds.enter(new, newest: newest, epoch: epoch)
    if new?.precision == .reduced, let newest { self.reduce(newest, epoch: epoch, now: now) }
  }
}

/// Headings: requests and reports.
extension BrokerMachine {
  /// - Parameter began: When the client called, if it then waited for a person's answer.
  mutating func getHeading(
    _ request: HeadingRequest, as asker: Asker<HeadingResult>, began: Instant, now: Instant
  ) throws(CallFailure) -> Answering {
    try self.checkRoomForRequest(asker.id)
    let pending = PendingHeading(
      asker: asker, request: request, began: began, maxRequestTime: self.settings.maxRequestTime)
    if let heading = self.receiver.newestHeading(now: now), pending.accepts(heading, now: now) {
      self.demand.answered(maximumAge: request.maximumAge, now: now)
      return asker.now(HeadingResult(heading: heading))
    }
    guard !self.receiver.isHeadingUnavailable else { throw .noHeading }
    self.insert(.heading(pending))
    return .later
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
    self.carryOut(self.subscriptions.headingChanged(to: reading, now: turn.now), &turn)
  }
}
