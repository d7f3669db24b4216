import Positioning

/// Regions and visits: the calls, and the effects of what fixes decide.
extension BrokerMachine {
  /// The holder of the regions in a call: the client, or a durable name of its user.
  private func holder(_ durable: String?, of call: CallID) -> Holder? {
    guard let durable else { return .client(call.client) }
    return self.ownName(durable, of: call)?.holder
  }

  /// The feed in which the holder has a region with this id.
  private mutating func place(id: String, of holder: Holder, now: Instant) -> FixFeedKey?? {
    self.feeds.place(of: id, holder, seeing: self.feed(of: holder), now: now)
  }

  mutating func addRegion(
    _ requested: Region, durable: DurableRequest?, as asker: Asker<RegionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    let (call, user, now) = (asker.id, self.user(of: asker.client), turn.now)
    // First, because it may move the name's regions to another feed.
    if let name = durable.flatMap({ self.ownName($0.name, of: call) }) {
      self.adopt(name.id, with: self.clients[call.client]?.principal.holderGroups, &turn)
    }
    let owner = self.holder(durable?.name, of: call)
    let known = owner.flatMap { self.place(id: requested.id, of: $0, now: now) }
    try self.feeds.checkRoom(replacing: known != nil, of: user, self.settings)
    let region: Region
    do throws(InvalidRegion) {
      region = try requested.checked()
    } catch {
      throw .invalid(parameter: error.parameter, expected: error.expected)
    }
    let replaced = known.flatMap { place in owner.flatMap { self.feeds.region(id: region.id, of: $0, in: place) } }
    try self.feeds.checkRoom(
      forCorners: region.cornerCount - (replaced?.cornerCount ?? 0), of: user, self.settings)
    let feed = durable == nil ? self.feed(of: .client(call.client)) : self.holderAccess(of: call)?.feed
    // Computed once, because a polygon's geometry is expensive.
    let geometry = RegionGeometry(region.shape)
    if !geometry.fits(feed), let access = self.clients[call.client]?.access {
      throw access.precisionFailure("a region of less than 4 km")
    }
    if let durable { try self.check(durable, as: call) }
    let holder = durable.map { self.name(for: $0, as: call, &turn).holder } ?? .client(call.client)
    let (state, effects) = self.feeds.add(region, geometry, replacing: replaced, of: holder, user, in: feed, now: now)
    let answer = RegionAnswer(
      state, warning: Region.warning(depth: geometry.reach), isReduced: feed?.precision == .reduced)
    turn.placeAnswer(after: self.commits.newFollowers.count)
    self.carryOut(effects, &turn)
    return holder.durable == nil ? asker.now(answer) : asker.afterCommit(answer)
  }

  mutating func removeRegion(
    id: String, durable: String?, as asker: Asker<RegionAnswer>, now: Instant
  ) throws(CallFailure) -> Answering {
    guard let holder = self.holder(durable, of: asker.id), let feed = self.place(id: id, of: holder, now: now),
      let (state, change) = self.feeds.remove(id: id, of: holder, in: feed, now: now)
    else { throw .noRegion(id: id) }
    let answer = RegionAnswer(state, isReduced: feed?.precision == .reduced)
    guard let change else { return asker.now(answer) }
    self.commits.store(change)
    return asker.afterCommit(answer)
  }

  mutating func regionState(
    id: String, durable: String?, as asker: Asker<RegionAnswer>, now: Instant
  ) throws(CallFailure) -> Answering {
    guard let holder = self.holder(durable, of: asker.id), let feed = self.place(id: id, of: holder, now: now),
      let state = self.feeds.state(id: id, of: holder, in: feed)
    else { throw .noRegion(id: id) }
    return asker.now(RegionAnswer(state, isReduced: feed?.precision == .reduced))
  }

  /// The most that one answer lists; more never fit.
  static let listedRegions = 256

  mutating func listRegions(
    durable: String?, after id: String?, as asker: Asker<RegionPage>, now: Instant
  ) throws(CallFailure) -> Answering {
    guard let holder = self.holder(durable, of: asker.id) else { throw .noDurable(name: durable ?? "") }
    if let id, self.place(id: id, of: holder, now: now) == nil { throw .noRegion(id: id) }
    let page = self.regions(of: holder, after: id, atMost: Self.listedRegions, now: now)
    return asker.now(RegionPage(page.regions, omitted: page.omitted))
  }

  /// At most so many, and the number of those after them.
  func regions(
    of holder: Holder, after id: String? = nil, atMost limit: Int, now: Instant
  ) -> (regions: [RegionInfo], omitted: Int) {
    self.feeds.regions(of: holder, seeing: self.feed(of: holder), after: id, atMost: limit, now: now)
  }

  /// The holder is gone: its regions have no effect any more.
  mutating func forgetRegions(of holder: Holder, _ turn: inout Turn) {
    self.feeds.forget(holder, now: turn.now, effort: &turn.effort) {
      Self.feed(of: $0, self.clients, self.names)
    }
  }

  /// Continues the work of earlier turns with regions.
  mutating func continueWork(_ turn: inout Turn) {
    let effects = self.feeds.continueWork(now: turn.now, effort: &turn.effort) {
      Self.feed(of: $0, self.clients, self.names)
    }
    self.carryOut(effects, &turn)
  }
}

/// Visits: where the device stays, as long as anybody subscribes to them.
extension BrokerMachine {
  mutating func subscribeVisits(
    durable: DurableRequest?, as asker: Asker<SubscriptionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard let durable else {
      let id = try self.newSubscription(of: asker.id)
      self.beginVisits(id, now: turn.now)
      return asker.begun(id)
    }
    try self.check(durable, as: asker.id)
    let name = self.name(for: durable, as: asker.id, &turn)
    if self.subscriptions[name.visits] == nil { self.beginVisits(name.visits, now: turn.now) }
    self.commits.store(.putVisits(name.id))
    return asker.begun(name.visits)
  }

  mutating func beginVisits(_ id: SubscriptionID, now: Instant) {
    self.begin(.visits(VisitSubscription(id: id, feed: self.feed(of: id.holder))))
    self.refreshVisits(now: now)
  }

  /// Looks for visits while anybody with permission subscribes to them.
  mutating func refreshVisits(now: Instant) {
    // A name that has lost its permission only until its user is looked up loses nothing.
    let isAnyWaiting = self.subscriptions.suspendedVisitors.contains { id in
      id.holder.durable.flatMap { self.names[$0] }.map { self.isWaiting($0) } ?? false
    }
    // While all are suspended, nobody needs visits.
    let change = self.visits.change(
      isWanted: self.subscriptions.visitorCount > 0, isOwed: self.isStopping || isAnyWaiting,
      lastFix: self.receiver.current?.arrival, now: now)
    if let change { self.commits.store(change) }
  }

  mutating func carryOut(_ effects: [VisitWatch.Effect], _ turn: inout Turn) {
    for effect in effects {
      switch effect {
      case .store(let change): self.commits.store(change)
      case .report(let visit): self.carryOut(self.subscriptions.visited(visit), &turn)
      }
    }
  }
}
