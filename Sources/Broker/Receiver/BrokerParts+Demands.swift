import Positioning

/// The demands on the receiver.
///
/// `DemandPlanner` has most of them, one entry for each request and subscription. Regions and visits share their
/// probes: while they need the receiver, each of their holders has a demand for a probe.
extension BrokerParts {
  private static let probe = Demand(accuracy: AccuracyLevel.block.meters, interval: .seconds(1), activity: .other)

  // MARK: Needs

  /// The needs of all requests and subscriptions together.
  func needs(now: Instant) -> Needs {
    var needs = self.subscriptions.needs(in: nil)
    needs.add(self.calls.headingNeed)
    needs.add(self.visits.need)
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

  /// The method whose fix is due at that moment.
  func method(dueAt due: Instant) -> String? {
    for feed in self.feeds.keys {
      if self.subscriptions.needs(in: feed).nextDue == due { return "position.subscribe" }
      if self.feeds.need(in: feed) == .from(due) { return "region.add" }
    }
    return self.visits.need == .from(due) ? "visit.subscribe" : nil
  }

  // MARK: Demands

  /// Applies the changes of this turn.
  mutating func noteDemands() {
    for call in self.calls.takeChangedDemands() {
      let asked = self.calls[call]?.demand
      self.set(asked.map { ($0.what, $0.1) }, of: .client(call.client), for: .call(call))
    }
    for id in self.subscriptions.takeChangedDemands() {
      let subscription = self.subscriptions[id]
      let demand = subscription?.claims.demand
      self.set(demand.map { (subscription?.call ?? "", $0) }, of: id.holder, for: .subscription(id))
    }
  }

  private mutating func set(
    _ asked: (what: String, demand: Demand)?, of holder: Holder, for key: DemandPlanner.Requester
  ) {
    let user = self.user(of: holder)
    let entry = asked.map {
      DemandLedger<DemandPlanner.Requester>.Entry(holder: holder, user: user, what: $0.what, demand: $0.demand)
    }
    self.demand.set(entry, for: key)
  }

  /// The feeds with a probe for their regions.
  private func probingFeeds(now: Instant) -> [FixFeedKey] {
    self.feeds.keys.filter { self.feeds.need(in: $0) == .now && self.feeds.nextFix(in: $0, now: now) == nil }
  }

  /// How many holders wait for such a probe.
  private func probeCount(now: Instant) -> (visits: Int, regions: Int) {
    (
      self.visits.need == .now ? self.subscriptions.visitorCount : 0,
      self.probingFeeds(now: now).reduce(0) { $0 + self.feeds.watcherCount(in: $1) }
    )
  }

  func demandCount(now: Instant) -> Int {
    let probes = self.probeCount(now: now)
    return self.demand.count + probes.visits + probes.regions
  }

  /// The merged demand; `nil` if there is none.
  func mergedDemand(now: Instant) -> Demand? {
    let probes = self.probeCount(now: now)
    let probe = probes.visits + probes.regions > 0 ? Self.probe : nil
    return Demand.merged([self.demand.merged, probe].compactMap { $0 })
  }

  /// Unchanged while the same holders have the same demands.
  func demandFingerprint(now: Instant) -> Int {
    let probes = self.probeCount(now: now)
    var hasher = Hasher()
    hasher.combine(self.demand.fingerprint)
    hasher.combine(probes.visits)
    hasher.combine(probes.regions)
    hasher.combine(self.probingFeeds(now: now))
    hasher.combine(self.status.introductions)
    return hasher.finalize()
  }

  /// The demands of one user, or of all (`nil`), up to the limit of the list. Decisive ones come first, so that the
  /// list always answers "who keeps the receiver on?".
  func shownDemands(of user: UInt32?, decisiveFor merged: Demand, now: Instant) -> [DaemonStatus.ClientDemand] {
    var list = DemandList(merged: merged)
    self.demand.visit(user) { entry in
      if let principal = self.principal(of: entry.holder) { list.add(principal, entry.what, entry.demand) }
      return list.isFull
    }
    for (holder, what) in self.probingHolders(of: user, now: now) where !list.isFull {
      if let principal = self.principal(of: holder) { list.add(principal, what, Self.probe) }
    }
    return list.all
  }

  /// The holders that wait for a probe, and the reason.
  private func probingHolders(of user: UInt32?, now: Instant) -> [(Holder, String)] {
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
}

/// The listed demands, up to the maximum.
private struct DemandList {
  let merged: Demand
  private var decisive: [DaemonStatus.ClientDemand] = []
  private var others: [DaemonStatus.ClientDemand] = []

  init(merged: Demand) { self.merged = merged }

  /// Whether no further demand can be listed.
  var isFull: Bool { self.decisive.count == DaemonStatus.maximumDemands }

  var all: [DaemonStatus.ClientDemand] { Array((self.decisive + self.others).prefix(DaemonStatus.maximumDemands)) }

  mutating func add(_ principal: Principal, _ what: String, _ demand: Demand) {
    let isDecisive = demand.isDecisive(for: self.merged)
    let one = DaemonStatus.ClientDemand(principal: principal, what: what, demand: demand, isDecisive: isDecisive)
    if isDecisive {
      self.decisive.append(one)
    } else if self.others.count < DaemonStatus.maximumDemands {
      self.others.append(one)
    }
  }
}
