import Positioning
import ReceiverPorts
import Trust

/// The daemon's status.
extension BrokerMachine {
  /// As far as the client may know: only administrators see whose demands the others are.
  func status(for client: ClientID, now: Instant) -> DaemonStatus {
    let demands = self.demands(of: nil, now: now)
    return self.shown(self.status(demands, now: now), to: self.statusViewer(client), demands, now: now)
  }

  /// The subscriptions with the same status.
  private struct StatusViewer: Hashable {
    /// The user whose demands they see; `nil`: all.
    let user: UInt32?
    let feed: FixFeedKey?
  }

  private func statusViewer(_ id: ClientID) -> StatusViewer {
    let client = self.clients[id]
    let seesAll = client?.access.isAdministrator ?? false
    let feed = self.feed(of: .client(id))
    return StatusViewer(
      user: seesAll ? nil : client?.principal.uid ?? .max, feed: feed?.precision == .precise ? feed : nil)
  }

  /// Without the parts that not everybody may know.
  private func status(_ demands: [ReceiverDemand], now: Instant) -> DaemonStatus {
    let (receiver, device) = (self.receiver, self.receiver.device)
    return DaemonStatus(
      version: Release.version, began: self.began,
      receiver: DaemonStatus.Receiver(
        device: device?.path, driver: device?.driver, availability: receiver.availability,
        since: receiver.availabilitySince, problem: receiver.problem, lag: receiver.lag,
        integrity: receiver.verdict.integrity, integrityReasons: receiver.verdict.reasons),
      power: DaemonStatus.Power(
        current: receiver.power, onTime: self.demand.onTime(now: now),
        dutyCycle: DaemonStatus.DutyCycle(
          hour: self.demand.dutyCycle(over: .seconds(3600), now: now),
          day: self.demand.dutyCycle(over: .seconds(86400), now: now)),
        starts: DaemonStatus.Starts(total: self.demand.starts), periods: self.demand.lastPeriods,
        nextStart: self.demand.nextWake.map { self.nextStart($0) }, timeToFirstFix: self.demand.startTimes),
      gpsd: DaemonStatus.Gpsd(
        state: receiver.source.state, detail: receiver.source.detail, version: receiver.gpsdVersion,
        address: self.settings.gpsdAddress, reconnects: receiver.reconnects),
      demand: Demand.merged(demands.lazy.map(\.demand)).map { DaemonStatus.Demands($0, omitted: demands.count) },
      inUse: Array(self.usage.inUse.prefix(DaemonStatus.maximumInUse)),
      reports: DaemonStatus.Reports(
        received: receiver.counts.reports, fixes: receiver.counts.fixes, rejected: receiver.counts.rejections),
      lastError: self.lastError, clock: self.clock.status, clients: self.clients.count, requests: self.calls.count,
      subscriptions: self.subscriptions.count, denials: self.denials)
  }

  /// The receiver's time, for a client that may know when its fixes came, and the clock's state, for everybody.
  func time(for client: ClientID) -> ReceiverTime {
    let fix = self.statusViewer(client).feed.flatMap { self.feeds.current(in: $0) }
    let reading = fix.flatMap { fix in fix.time.map { ReceiverTime.Reading(time: $0, arrival: fix.ageBegin) } }
    return ReceiverTime(reading: reading, clock: self.clock.figure)
  }

  /// The store's comes first: gpsd's state has a detail of its own.
  private var lastError: DaemonStatus.LastError? { self.commits.lastError ?? self.receiver.lastError }

  private func nextStart(_ wake: ReceiverWake) -> DaemonStatus.NextStart {
    DaemonStatus.NextStart(
      at: wake.at, reason: wake.reason, due: wake.due, what: wake.due.flatMap { self.method(dueAt: $0) })
  }

  /// - Parameter demands: All demands.
  private func shown(
    _ whole: DaemonStatus, to viewer: StatusViewer, _ demands: [ReceiverDemand], now: Instant
  ) -> DaemonStatus {
    var status = whole
    if var demand = whole.demand {
      let seen = viewer.user.map { self.demands(of: $0, now: now) } ?? demands
      demand.clients = self.listed(seen, decisiveFor: demand.merged)
      demand.omitted = max(demand.omitted - demand.clients.count, 0)
      status.demand = demand
    }
    if viewer.feed != nil {
      status.lastFix = self.feeds.current(in: viewer.feed).map { fix in
        DaemonStatus.LastFix(
          arrival: fix.ageBegin, level: fix.achievedAccuracy(at: now), accuracySource: fix.accuracySource)
      }
    }
    return status
  }

  /// The diagnostics for the holders of a feed.
  ///
  /// - Parameter fix: The newest fix of the feed.
  func diagnostics(in feed: FixFeedKey, newest fix: Fix?, maximumAge: Duration, now: Instant) -> Diagnostics {
    var diagnostics = Diagnostics(
      availability: self.availability(in: feed, maximumAge: maximumAge, now: now), lastFixAge: fix?.age(at: now),
      power: self.receiver.power.state)
    if feed.precision == .precise { self.receiver.complete(&diagnostics, fix: fix, now: now) }
    return diagnostics
  }

  /// Notifies subscriptions of changes of the status, a few in each turn.
  mutating func reportStatus(_ turn: inout Turn) {
    guard self.subscriptions.hasAny(on: .status) else {
      return self.status.rest()
    }
    guard self.status.check(now: turn.now) else { return }
    if self.status.update(to: self.fingerprint(now: turn.now), now: turn.now) {
      self.status.begin(self.subscriptions.ids(on: .status))
    }
    let demands = self.demands(of: nil, now: turn.now)
    let status = self.status(demands, now: turn.now)
    let revision = self.status.revision
    // A status for several subscribers is made once.
    var shown: [StatusViewer: DaemonStatus] = [:]
    for id in self.status.next() {
      guard case .status(let subscription) = self.subscriptions[id], let client = id.holder.client else { continue }
      let changed = self.status.parts(since: subscription.seen)
      guard !changed.isEmpty else { continue }
      let viewer = self.statusViewer(client)
      let own = shown[viewer] ?? self.shown(status, to: viewer, demands, now: turn.now)
      shown[viewer] = own
      self.subscriptions.notified(id, of: revision)
      turn.notify(client, .status(id, own, changed))
    }
  }

  private func fingerprint(now: Instant) -> StatusFingerprint {
    StatusFingerprint(
      receiver: self.receiver.device, availability: self.receiver.availability, problem: self.receiver.problem,
      verdict: self.receiver.verdict, power: self.receiver.power,
      source: self.receiver.source, gpsdVersion: self.receiver.gpsdVersion, reconnects: self.receiver.reconnects,
      demands: self.demandFingerprint(now: now), lastError: self.lastError,
      clock: self.clock.status.map { ClockFingerprint($0) }, clients: self.clients.count,
      requests: self.calls.count, subscriptions: self.subscriptions.count, inUse: self.usage.revision)
  }
}

/// What the receiver is needed for, and what each demands of it.
extension BrokerMachine {
  // MARK: Needs

  /// The needs of all requests and subscriptions together.
  func needs(now: Instant) -> Needs {
    var needs = self.subscriptions.needs(in: nil)
    needs.add(self.calls.headingNeed)
    needs.add(self.visits.need)
    needs.add(self.clock.need)
    for feed in self.feeds.keys {
      // Requests and subscriptions that wait for the feed's next fix need the receiver when that can arrive, and not
      // before.
      needs.add(self.needs(in: feed, now: now).delayed(until: self.feeds.nextFix(in: feed, now: now)))
    }
    return needs
  }

  private func needs(in feed: FixFeedKey, now: Instant) -> Needs {
    var needs = self.subscriptions.needs(in: feed)
    needs.add(self.feeds.need(in: feed))
    needs = needs.delayed(until: self.feeds.nextSearch(in: feed, now: now))
    // A request has its own end.
    needs.add(self.calls.need(in: feed))
    return needs
  }

  /// When the next fix of a feed with waiting requests or subscriptions can arrive, so that the receiver is needed
  /// again.
  func feedDeadline(now: Instant) -> Instant? {
    self.feeds.keys.compactMap { feed in
      feed.isSampled && self.needs(in: feed, now: now).isNeeded ? self.feeds.nextFix(in: feed, now: now) : nil
    }.min()
  }

  /// The method whose fix is due at that moment; `clock` where that is what needs it.
  func method(dueAt due: Instant) -> String? {
    for feed in self.feeds.keys {
      if self.subscriptions.needs(in: feed).nextDue == due { return "position.subscribe" }
      if self.feeds.need(in: feed) == .from(due) { return "region.add" }
    }
    if self.visits.need == .from(due) { return "visit.subscribe" }
    return self.clock.need == .from(due) ? "clock" : nil
  }

  // MARK: Demands

  /// What each request and subscription demands, and each holder of regions or of a subscription to visits that waits for
  /// a probe, which they share. It is computed whenever a status is asked for, and decides nothing.
  ///
  /// - Parameter user: Only this user's; `nil`: all.
  private func demands(of user: UInt32?, now: Instant) -> [ReceiverDemand] {
    let probed = self.probedHolders(of: user, now: now).map { holder, method in
      ReceiverDemand(
        holder: holder, method: method,
        demand: Demand(accuracy: AccuracyLevel.block.meters, interval: .seconds(1), activity: .other))
    }
    guard let user else { return self.calls.demands + self.subscriptions.demands + probed }
    let clients = self.clients.ids(of: user)
    let holders = clients.map { Holder.client($0) } + self.names.ids(of: user).map { .durable($0) }
    return clients.flatMap { self.calls.demands(of: $0) } + holders.flatMap { self.subscriptions.demands(of: $0) }
      + probed
  }

  /// The feeds with a probe for their regions.
  private func probingFeeds(now: Instant) -> [FixFeedKey] {
    self.feeds.keys.filter { self.feeds.need(in: $0) == .now && self.feeds.nextFix(in: $0, now: now) == nil }
  }

  /// The holders that wait for a probe, and the reason.
  private func probedHolders(of user: UInt32?, now: Instant) -> [(Holder, String)] {
    let probing = self.probingFeeds(now: now)
    let probesVisits = self.visits.need == .now
    guard probesVisits || !probing.isEmpty else { return [] }
    let clients = user.map { self.clients.ids(of: $0).sorted() } ?? self.clients.ids
    let names = user.map { self.names.ids(of: $0) } ?? self.names.ids
    let holders = clients.map { Holder.client($0) } + names.map { Holder.durable($0) }
    let visitors = holders.flatMap { holder in
      probesVisits && self.isPrecise(holder)
        ? self.subscriptions.ids(of: holder).compactMap { id -> (Holder, String)? in
          if case .visits = self.subscriptions[id] { (holder, "visit.subscribe") } else { nil }
        } : []
    }
    let watchers = holders.filter { holder in probing.contains { self.feeds.isWatched(by: holder, in: $0) } }
    return visitors + watchers.map { ($0, "region.add") }
  }

  /// Unchanged while the same holders have the same demands.
  private func demandFingerprint(now: Instant) -> Int {
    let probing = self.probingFeeds(now: now)
    var hasher = Hasher()
    hasher.combine(self.calls.demandHash &+ self.subscriptions.demandHash)
    hasher.combine(self.visits.need == .now ? self.subscriptions.visitorCount : 0)
    hasher.combine(probing.reduce(0) { $0 + self.feeds.watcherCount(in: $1) })
    hasher.combine(probing)
    hasher.combine(self.status.introductions)
    return hasher.finalize()
  }

  /// The demands up to the limit of the list. Decisive ones come first, so that the list always answers "who keeps the
  /// receiver on?".
  private func listed(_ demands: [ReceiverDemand], decisiveFor merged: Demand) -> [DaemonStatus.ClientDemand] {
    var (decisive, others) = ([DaemonStatus.ClientDemand](), [DaemonStatus.ClientDemand]())
    for demand in demands where decisive.count < DaemonStatus.maximumDemands {
      let isDecisive = demand.demand.isDecisive(for: merged)
      guard isDecisive || others.count < DaemonStatus.maximumDemands,
        let principal = self.principal(of: demand.holder)
      else { continue }
      let listed = DaemonStatus.ClientDemand(
        principal: principal, what: demand.method, demand: demand.demand, isDecisive: isDecisive)
      if isDecisive { decisive.append(listed) } else { others.append(listed) }
    }
    return Array((decisive + others).prefix(DaemonStatus.maximumDemands))
  }
}

/// Who is given positions.
extension BrokerMachine {
  /// Updates which users get positions, as far as this turn sends any.
  mutating func noteUsage(_ turn: inout Turn) {
    var isChanged = false
    for ended in self.usage.ended(now: turn.now) {
      isChanged = true
      self.usageLog.ended(ended, now: turn.now).forEach { turn.log(.positionsEnded, $0) }
    }
    func note(_ client: ClientID?) {
      guard let client, let principal = self.clients[client]?.principal else { return }
      let change = self.usage.notified(principal, now: turn.now)
      if change.isNew, let inUse = self.usage.inUse.last {
        self.usageLog.began(inUse, now: turn.now).forEach { turn.log(.positionsGiven, $0) }
      }
      if change.isChanged { isChanged = true }
    }
    for place in turn.actions.indices {
      note(turn.actions[place].recipientOfPosition)
      if case .answer(_, .failed(let failure)) = turn.actions[place], failure.isDenial { self.denials += 1 }
    }
    for follower in self.commits.newFollowers { note(follower.action?.recipientOfPosition) }
    for message in self.usageLog.due(now: turn.now, isStopping: self.isStopping) { turn.log(.positionsGiven, message) }
    if isChanged { turn.act(.inUse(self.usage.inUse)) }
  }
}
