import Positioning
import ReceiverPorts

/// Reports of the receiver, and what follows from them for clients.
extension BrokerParts {
  mutating func received(_ event: ReceiverEvent, _ turn: inout Turn) {
    switch event {
    case .source(let source): self.demand.sourceChanged(to: source, now: turn.now)
    case .power(let power): self.demand.powerChanged(to: power, now: turn.now)
    case .position, .errorEstimate, .sky, .attitude, .devices, .superseded, .gpsdVersion: break
    }
    self.take(self.receiver.received(event, now: turn.now), &turn)
    if case .position(let report) = event { self.receiver.learnDeclination(from: report) }
  }

  mutating func take(_ events: [ReceiverSide.Event], _ turn: inout Turn) {
    for event in events {
      switch event {
      case .fix(let fix, let epoch): self.deliver(fix, epoch: epoch, &turn)
      case .satellites(let satellites, let arrival): self.demand.saw(satellites, now: arrival)
      case .sky(let sky, let cycle):
        for id in self.subscriptions.ids(on: .sky) {
          guard case .sky(var subscription) = self.subscriptions[id], !subscription.isSuspended,
            let sky = subscription.received(sky, cycle: cycle)
          else { continue }
          self.subscriptions.update(.sky(subscription))
          self.notify(id.holder, .sky(id, sky), &turn)
        }
      }
    }
  }

  /// Turns the receiver on or releases it, according to the needs and the time.
  mutating func plan(_ turn: inout Turn) {
    guard let isOn = self.demand.plan(self.needs(now: turn.now), now: turn.now) else { return }
    // Either way a session begins or ends, which is no loss. Late reports of the previous session are ignored.
    self.receiver.sessionEnded()
    turn.act(.setReceiver(on: isOn))
    turn.log(.receiverDemand, isOn ? "the receiver is needed" : "nobody needs the receiver any more")
  }

  /// Stores what was learned of the receiver's starts, if it is time.
  mutating func keepReceiverMemory(isPressing: Bool = false, _ turn: inout Turn) {
    if let memory = self.demand.takeMemoryToKeep(isPressing: isPressing, now: turn.now) {
      turn.store(.putReceiver(memory))
    }
  }

  /// Delivers a fix to all that wait for one.
  private mutating func deliver(_ fix: Fix, epoch: Int, _ turn: inout Turn) {
    let fix = self.receiver.take(fix)
    self.demand.fixed(now: turn.now)
    self.keepReceiverMemory(&turn)
    // Restored availability is reported before the first fix.
    self.reportAvailability(&turn)
    self.show(fix, epoch: epoch, to: .precise, &turn)
    self.reduce(fix, epoch: epoch, &turn)
    self.findVisits(by: fix, &turn)
  }

  /// Delivers a fix to all holders with this precision.
  mutating func show(_ fix: Fix, epoch: Int, to precision: Precision, _ turn: inout Turn) {
    for feed in self.feeds.keys where feed.precision == precision {
      guard self.feeds.take(fix, epoch: epoch, in: feed) else { continue }
      self.deliver(fix, epoch: epoch, in: feed, &turn)
    }
  }

  /// The same for those of one feed.
  private mutating func deliver(_ fix: Fix, epoch: Int, in feed: FixFeedKey, _ turn: inout Turn) {
    for (request, outcome) in self.calls.fixed(fix, in: feed, now: turn.now) {
      self.finish(request.asker, with: self.result(of: request, outcome, newest: fix, now: turn.now), &turn)
    }
    var updates: [(id: SubscriptionID, updates: [PositionUpdate])] = []
    var expired: [SubscriptionID] = []
    let now = turn.now
    self.subscriptions.forEachPosition(in: feed) { subscription in
      guard !subscription.isExpired(now: now) else { return expired.append(subscription.id) }
      let own = subscription.fixed(fix, epoch: epoch, now: now)
      if !own.isEmpty { updates.append((subscription.id, own)) }
      if subscription.isExpired(now: now) { expired.append(subscription.id) }
    }
    for (id, updates) in updates { self.notify(id, updates, &turn) }
    for id in expired { self.end(id, reason: .expired, &turn) }
    self.judgeRegions(by: fix, in: feed, &turn)
  }

  /// Notifies each position subscription of a change of its availability.
  ///
  /// - Parameter newcomer: A new subscription, which is notified by its answer.
  mutating func reportAvailability(besides newcomer: SubscriptionID? = nil, _ turn: inout Turn) {
    guard let availability = self.receiver.takeAvailabilityChange(isOn: self.demand.isSearching, now: turn.now)
    else { return }
    let updates = self.subscriptions.availabilityChanged(to: availability, besides: newcomer)
    for (id, update) in updates { self.notify(id, [update], &turn) }
  }
}
