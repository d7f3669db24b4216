import Positioning
import ReceiverPorts

/// What the receiver's side tells, and what clients learn from it.
extension BrokerMachine {
  mutating func received(_ event: ReceiverEvent, _ turn: inout Turn) {
    switch event {
    case .position(let report):
      self.counts.reports += 1
      self.apply(self.filter.received(report), &turn)
      if self.filter.believes(report.device) { self.headingView.received(report) }
    case .errorEstimate(let report):
      self.apply(self.filter.received(report), &turn)
    case .sky(let report):
      self.filter.received(report)
      self.received(report, &turn)
    case .attitude(let report):
      self.received(report)
    case .source(let source):
      self.sourceChanged(to: source, &turn)
    case .power(let power):
      self.power = power
    case .devices(let devices):
      self.devices = devices
      self.filter.devicesListed(devices)
    case .superseded(let epochs):
      self.counts.rejections["superseded", default: 0] += epochs
    case .gpsdVersion(let version):
      self.gpsdVersion = version
    }
  }

  mutating func apply(_ events: [FixFilter.Event], _ turn: inout Turn) {
    for event in events {
      switch event {
      case .fixed(let fix, let epoch):
        self.counts.fixes += 1
        self.deliver(fix, epoch: epoch, &turn)
      case .improved(let fix, let epoch):
        self.deliver(fix, epoch: epoch, &turn)
      case .lost:
        break
      case .rejected(let rejection):
        self.counts.rejections[rejection.rawValue, default: 0] += 1
      }
    }
  }

  /// Judges a fix for everybody who waits for one.
  private mutating func deliver(_ fix: Fix, epoch: Int, _ turn: inout Turn) {
    var fix = fix
    fix.satellitesUsed = self.skyView.satellitesUsed(device: fix.device, at: fix.arrival)
    self.current = fix
    self.headingView.fixed(fix, cycle: self.filter.cycle(of: fix.device))
    // That there are fixes again is told before the first of them.
    self.tellAvailability(&turn)
    self.show(fix, epoch: epoch, to: .precise, &turn)
    self.disguise(fix, epoch: epoch, &turn)
    self.findVisits(by: fix, &turn)
  }

  /// A fix for all who may know so much.
  mutating func show(
    _ fix: Fix, epoch: Int, to precision: Precision, _ turn: inout Turn
  ) {
    for view in self.views.keys where view.precision == precision {
      guard self.views.modify(view, { $0.take(fix, epoch: epoch) }) else { continue }
      self.deliver(fix, epoch: epoch, in: view, &turn)
    }
  }

  /// The same for those of one view.
  private mutating func deliver(
    _ fix: Fix, epoch: Int, in view: FixViewKey, _ turn: inout Turn
  ) {
    for call in self.requests.keys(in: view) {
      let outcome = self.requests.modify(call) { $0.fixed(fix, now: turn.now) } ?? nil
      if let outcome, let request = self.requests[call] {
        self.finish(request, with: outcome, &turn)
      }
    }
    var told: [PositionUpdate] = []
    var moved: [SubscriptionID] = []
    var expired: [SubscriptionID] = []
    self.positions.forEach(in: view) { subscription in
      guard !subscription.isExpired(now: turn.now) else { return expired.append(subscription.id) }
      let (deadline, need) = (subscription.nextDeadline, subscription.need)
      told += subscription.fixed(fix, epoch: epoch, now: turn.now)
      if subscription.isExpired(now: turn.now) {
        expired.append(subscription.id)
      } else if subscription.nextDeadline != deadline || subscription.need != need {
        moved.append(subscription.id)
      }
    }
    self.tell(told, &turn)
    for id in moved { self.refresh(id, &turn) }
    for id in expired { self.end(id, reason: .expired, &turn) }
    self.judgeRegions(by: fix, in: view, &turn)
    // Whoever waits for the view's next fix need not have the receiver on before it can come.
    if view.isSampled { self.refreshNeeds(in: view, &turn) }
  }

  private mutating func received(_ report: SkyReport, _ turn: inout Turn) {
    guard self.filter.believes(report.device), let sky = self.skyView.received(report) else { return }
    for id in self.skies.keys where self.isPrecise(id.client) {
      guard let sky = self.skies.modify(id, { $0.received(sky) }) ?? nil else { continue }
      turn.notify(id.client, .sky(id, sky))
    }
  }

  private mutating func sourceChanged(to source: SourceState, _ turn: inout Turn) {
    guard source != self.source else { return }
    let previous = self.source
    self.source = source
    if previous == .streaming || source == .idle {
      self.apply(self.filter.sessionEnded(isIntended: source == .idle), &turn)
      self.headingView.sessionEnded()
    }
    if case .gpsdDown(.closed) = source { self.reconnects += 1 }
    if source.isTrouble, let words = source.words {
      // The session with gpsd logs it; here it is kept to be told.
      self.lastError = Status.LastError(message: words, at: turn.now)
    } else if source == .streaming {
      self.lastError = nil
    }
  }

  var facts: AvailabilityFacts {
    AvailabilityFacts(
      isReceiverOn: self.planner.isOn, source: self.source, hasFix: self.filter.hasFix, isLost: self.filter.isLost,
      newestFix: self.filter.current?.arrival)
  }

  /// Tells every position subscription what stands between it and the receiver, where that changed.
  ///
  /// - Parameter newcomer: one that is told by its answer.
  mutating func tellAvailability(besides newcomer: SubscriptionID? = nil, _ turn: inout Turn) {
    let availability = self.facts.availability(maximumAge: nil, now: turn.now)
    guard availability != self.availability else { return }
    self.availability = availability
    self.availabilitySince = turn.now
    var told: [PositionUpdate] = []
    self.positions.forEach { subscription in
      guard subscription.id != newcomer else { return }
      let own = subscription.view.map { availability.seen(with: $0.precision) } ?? .denied
      if let update = subscription.availabilityChanged(to: own) { told.append(update) }
    }
    self.tell(told, &turn)
  }
}

extension SourceState {
  /// Whether something is wrong that an administrator could mend.
  var isTrouble: Bool {
    switch self {
    case .idle, .opening, .streaming: false
    case .receiverMissing, .gpsdFull, .gpsdDown: true
    }
  }
}
