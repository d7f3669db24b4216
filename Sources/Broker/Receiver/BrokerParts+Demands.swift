import Positioning

/// What is asked of the receiver, and by whom.
///
/// Most of it is in `DemandPlanner`, one entry for each request and subscription. Regions and visits are looked for together:
/// while they need the receiver, each of their holders asks for a probe.
extension BrokerParts {
  private static let probe = Demand(accuracy: AccuracyLevel.block.meters, interval: .seconds(1), activity: .other)

  /// Takes into account what this turn changed.
  mutating func noteDemands(_ turn: inout Turn) {
    for key in turn.agenda.takeTouched() { self.demand.set(self.demandEntry(for: key), for: key) }
  }

  private func demandEntry(for key: Agenda.Needer) -> DemandLedger<Agenda.Needer>.Entry? {
    let holder: Holder
    let asked: (what: String, demand: Demand)?
    switch key {
    case .visits, .regions: return nil
    case .call(let call): (holder, asked) = (.client(call.client), self.calls[call]?.demand)
    case .subscription(let id): (holder, asked) = (id.holder, self.subscriptions[id]?.demand)
    }
    return asked.map {
      DemandLedger.Entry(holder: holder, user: self.user(of: holder), what: $0.what, demand: $0.demand)
    }
  }

  /// The feeds whose regions are being looked for.
  private func probingFeeds(_ agenda: Agenda) -> [FixFeedKey] {
    self.feeds.keys.filter { agenda.isNeeded(by: .regions($0)) }
  }

  /// How many wait for such a probe.
  private func probeCount(_ agenda: Agenda) -> (visits: Int, regions: Int) {
    (
      agenda.isNeeded(by: .visits) ? self.subscriptions.visitorCount : 0,
      self.probingFeeds(agenda).reduce(0) { $0 + self.feeds[$1].regions.holderCount }
    )
  }

  func demandCount(_ agenda: Agenda) -> Int {
    let probes = self.probeCount(agenda)
    return self.demand.count + probes.visits + probes.regions
  }

  /// What serves all; `nil` where nobody needs anything.
  func mergedDemand(_ agenda: Agenda) -> Demand? {
    let probes = self.probeCount(agenda)
    let probe = probes.visits + probes.regions > 0 ? Self.probe : nil
    return Demand.merged([self.demand.merged, probe].compactMap { $0 })
  }

  /// The same as long as the same is asked by the same.
  func demandFingerprint(_ agenda: Agenda) -> Int {
    let probes = self.probeCount(agenda)
    var hasher = Hasher()
    hasher.combine(self.demand.fingerprint)
    hasher.combine(probes.visits)
    hasher.combine(probes.regions)
    hasher.combine(self.probingFeeds(agenda))
    hasher.combine(self.status.introductions)
    return hasher.finalize()
  }

  /// The demands of one user, or of all (`nil`), no more than are listed. Those that decide come first, so that the answer
  /// to "who keeps the receiver on?" is there however many ask.
  func shownDemands(of user: UInt32?, decisiveFor merged: Demand, _ agenda: Agenda) -> [Status.ClientDemand] {
    var list = DemandList(merged: merged)
    self.demand.visit(user) { entry in
      if let principal = self.principal(of: entry.holder) { list.add(principal, entry.what, entry.demand) }
      return list.isFull
    }
    for (holder, what) in self.probers(of: user, agenda) where !list.isFull {
      if let principal = self.principal(of: holder) { list.add(principal, what, Self.probe) }
    }
    return list.all
  }

  /// Who waits for a probe, and for what.
  private func probers(of user: UInt32?, _ agenda: Agenda) -> [(Holder, String)] {
    let probing = self.probingFeeds(agenda)
    let probesVisits = agenda.isNeeded(by: .visits)
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
    let watchers = holders.filter { holder in probing.contains { self.feeds[$0].regions.count(of: holder) > 0 } }
    return visitors + watchers.map { ($0, "region.add") }
  }
}

/// As many demands as the status lists.
private struct DemandList {
  let merged: Demand
  private var decisive: [Status.ClientDemand] = []
  private var others: [Status.ClientDemand] = []

  init(merged: Demand) { self.merged = merged }

  /// Whether nothing that comes can be listed any more.
  var isFull: Bool { self.decisive.count == Status.maximumDemands }

  var all: [Status.ClientDemand] { Array((self.decisive + self.others).prefix(Status.maximumDemands)) }

  mutating func add(_ principal: Principal, _ what: String, _ demand: Demand) {
    let isDecisive = demand.isDecisive(for: self.merged)
    let one = Status.ClientDemand(principal: principal, what: what, demand: demand, isDecisive: isDecisive)
    if isDecisive {
      self.decisive.append(one)
    } else if self.others.count < Status.maximumDemands {
      self.others.append(one)
    }
  }
}
