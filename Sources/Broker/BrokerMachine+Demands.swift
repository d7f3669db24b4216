import Positioning

/// What is asked of the receiver, and by whom.
///
/// Most of it is in the ledger, one entry for each request and subscription. Regions and visits are looked for together:
/// while they need the receiver, each of their holders asks for a look.
extension BrokerMachine {
  private static let look = Demand(accuracy: AccuracyLevel.block.meters, interval: .seconds(1), activity: .other)

  /// Takes into the ledger what this turn changed.
  mutating func noteDemands() {
    for key in self.needs.takeTouched() { self.demands.set(self.demandEntry(for: key), for: key) }
  }

  private func demandEntry(for key: NeedKey) -> DemandLedger<NeedKey>.Entry? {
    let what: String
    let demand: Demand?
    let holder: ClientID
    switch key {
    case .visits, .regions: return nil
    case .request(let call):
      holder = call.client
      if let request = self.requests[call] {
        (what, demand) = ("position.get", request.demand)
      } else {
        (what, demand) = ("heading.get", self.headingRequests[call]?.demand)
      }
    case .subscription(let id):
      holder = id.client
      if let position = self.positions[id] {
        (what, demand) = ("position.subscribe", position.demand)
      } else if let sky = self.skies[id] {
        (what, demand) = ("sky.subscribe", self.isPrecise(holder) ? sky.demand : nil)
      } else {
        (what, demand) = ("heading.subscribe", self.isPrecise(holder) ? self.headings[id]?.demand : nil)
      }
    }
    return demand.map { DemandLedger.Entry(holder: holder, user: self.user(of: holder), what: what, demand: $0) }
  }

  /// The views whose regions are being looked for.
  private var lookingViews: [FixViewKey] { self.views.keys.filter { self.needs.isNeeded(by: .regions($0)) } }

  /// How many wait for such a look.
  private var lookCount: (visits: Int, regions: Int) {
    (
      self.needs.isNeeded(by: .visits) ? self.visits.count(in: .precise) : 0,
      self.lookingViews.reduce(0) { $0 + self.views[$1].regions.holderCount }
    )
  }

  var demandCount: Int {
    let looks = self.lookCount
    return self.demands.count + looks.visits + looks.regions
  }

  /// What serves all; `nil` where nobody needs anything.
  var mergedDemand: Demand? {
    let looks = self.lookCount
    let look = looks.visits + looks.regions > 0 ? Self.look : nil
    return Demand.merged([self.demands.merged, look].compactMap { $0 })
  }

  /// The same as long as the same is asked by the same.
  var demandFingerprint: Int {
    let looks = self.lookCount
    var hasher = Hasher()
    hasher.combine(self.demands.fingerprint)
    hasher.combine(looks.visits)
    hasher.combine(looks.regions)
    hasher.combine(self.lookingViews)
    hasher.combine(self.introductions)
    return hasher.finalize()
  }

  /// The demands of one user, or of all (`nil`), no more than are listed. Those that decide come first, so that the answer
  /// to "who keeps the receiver on?" is there however many ask.
  func shownDemands(of user: UInt32?, decisiveFor merged: Demand) -> [Status.ClientDemand] {
    var list = DemandList(merged: merged)
    self.demands.visit(user) { entry in
      if let principal = self.principal(of: entry.holder) { list.add(principal, entry.what, entry.demand) }
      return list.isFull
    }
    for (holder, what) in self.lookHolders(of: user) where !list.isFull {
      if let principal = self.principal(of: holder) { list.add(principal, what, Self.look) }
    }
    return list.all
  }

  /// Who waits for a look, and for what.
  private func lookHolders(of user: UInt32?) -> [(ClientID, String)] {
    let looking = self.lookingViews
    let looksForVisits = self.needs.isNeeded(by: .visits)
    guard looksForVisits || !looking.isEmpty else { return [] }
    let clients = user.map { self.userClients.members(of: $0) } ?? Array(self.clients.keys)
    let names = user.map { self.names.keys(of: $0) } ?? self.names.keys
    let holders = clients.sorted() + names.compactMap { self.names[$0]?.holder }
    let visitors = holders.flatMap { holder in
      looksForVisits && self.isPrecise(holder)
        ? self.visits.keys(of: holder).map { ($0.client, "visit.subscribe") } : []
    }
    let watchers = holders.filter { holder in looking.contains { self.views[$0].regions.count(of: holder) > 0 } }
    return visitors + watchers.map { ($0, "region.add") }
  }

  /// Who a client is, or whose a durable name is, called by it.
  private func principal(of holder: ClientID) -> Principal? {
    if let client = self.clients[holder] { return client.principal }
    guard let id = self.holders[holder], let name = self.names[id] else { return nil }
    return Principal(uid: id.uid, user: name.user, name: id.name)
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
    let isToBlame = demand.isToBlame(for: self.merged)
    let one = Status.ClientDemand(principal: principal, what: what, demand: demand, isToBlame: isToBlame)
    if isToBlame {
      self.decisive.append(one)
    } else if self.others.count < Status.maximumDemands {
      self.others.append(one)
    }
  }
}
