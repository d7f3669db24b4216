import Positioning

/// Regions: their holders, and how fixes change their states.
extension BrokerMachine {
  /// The holder of the regions in a call: the client, or a durable name of its user.
  private func holder(_ durable: String?, of call: CallID) -> Holder? {
    guard let durable else { return .client(call.client) }
    return self.ownName(durable, of: call)?.holder
  }

  /// The feed in which the holder has a region with this id; a region that is too small for its feed is in the feed
  /// without fixes. A region that is being moved is moved first.
  private mutating func place(id: String, of holder: Holder, _ turn: inout Turn) -> FixFeedKey?? {
    self.moveDeparted(id: id, of: holder, &turn)
    return self.feeds.place(of: id, holder, seeing: self.feed(of: holder))
  }

  mutating func addRegion(
    _ requested: Region, durable: DurableRequest?, as asker: Asker<RegionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    let (call, user) = (asker.id, self.user(of: asker.client))
    // First, because it may move the name's regions to another feed.
    if let name = durable.flatMap({ self.ownName($0.name, of: call) }) {
      self.adopt(name.id, with: self.clients[call.client]?.principal.holderGroups, &turn)
    }
    let owner = self.holder(durable?.name, of: call)
    let known = owner.flatMap { self.place(id: requested.id, of: $0, &turn) }
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
    let (snapshot, findings) = self.feeds.add(
      region, geometry, replacing: replaced, of: holder, user, in: feed, lastFix: self.receiver.current?.arrival,
      now: turn.now)
    let answer = RegionAnswer(
      snapshot.state, warning: Region.warning(depth: geometry.reach), isReduced: feed?.precision == .reduced)
    if let name = holder.durable {
      self.commits.store(.putRegion(name, StoredRegion(region: region, snapshot: snapshot, geometry: geometry)))
    }
    turn.placeAnswer(after: self.commits.newFollowers.count)
    self.report(findings, in: feed, &turn)
    return holder.durable == nil ? asker.now(answer) : asker.afterCommit(answer)
  }

  mutating func removeRegion(
    id: String, durable: String?, as asker: Asker<RegionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard let holder = self.holder(durable, of: asker.id), let feed = self.place(id: id, of: holder, &turn),
      let state = self.feeds.remove(id: id, of: holder, in: feed, now: turn.now)
    else { throw .noRegion(id: id) }
    let answer = RegionAnswer(state, isReduced: feed?.precision == .reduced)
    guard let name = holder.durable else { return asker.now(answer) }
    self.commits.store(.removeRegion(name, id: id))
    return asker.afterCommit(answer)
  }

  mutating func regionState(
    id: String, durable: String?, as asker: Asker<RegionAnswer>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard let holder = self.holder(durable, of: asker.id), let feed = self.place(id: id, of: holder, &turn),
      let state = self.feeds.state(id: id, of: holder, in: feed)
    else { throw .noRegion(id: id) }
    return asker.now(RegionAnswer(state, isReduced: feed?.precision == .reduced))
  }

  /// The most that one answer lists; more never fit.
  static let listedRegions = 256

  mutating func listRegions(
    durable: String?, after id: String?, as asker: Asker<RegionPage>, _ turn: inout Turn
  ) throws(CallFailure) -> Answering {
    guard let holder = self.holder(durable, of: asker.id) else { throw .noDurable(name: durable ?? "") }
    if let id, self.place(id: id, of: holder, &turn) == nil { throw .noRegion(id: id) }
    let page = self.regions(of: holder, after: id, atMost: Self.listedRegions, now: turn.now)
    return asker.now(RegionPage(page.regions, omitted: page.omitted))
  }

  /// At most so many, and the number of those after them.
  func regions(
    of holder: Holder, after id: String? = nil, atMost limit: Int, now: Instant
  ) -> (regions: [RegionInfo], omitted: Int) {
    self.feeds.regions(of: holder, seeing: self.feed(of: holder), after: id, atMost: limit, now: now)
  }

  // MARK: Events

  mutating func judgeRegions(by fix: Fix, in feed: FixFeedKey, _ turn: inout Turn) {
    self.report(self.feeds.judge(by: fix, in: feed, now: turn.now, effort: &turn.effort), in: feed, &turn)
  }

  mutating func regionDeadlineReached(in feed: FixFeedKey?, _ turn: inout Turn) {
    self.report(self.feeds.deadlineReached(in: feed, now: turn.now, effort: &turn.effort), in: feed, &turn)
  }

  /// Continues the work of earlier turns: regions that move, that wait to be judged, or whose deadline has passed.
  mutating func continueWork(_ turn: inout Turn) {
    for key in self.feeds.takeWorkingFeeds() where turn.effort > 0 && self.feeds.isWorkLeft(in: key, now: turn.now) {
      self.moveDeparted(from: key, &turn)
      if self.feeds.isOverdue(key, now: turn.now) { self.regionDeadlineReached(in: key, &turn) }
      guard let key else { continue }
      self.report(self.feeds.continueJudging(in: key, now: turn.now, effort: &turn.effort), in: key, &turn)
    }
  }

  private mutating func report(
    _ findings: [RegionFinding], in feed: FixFeedKey?, _ turn: inout Turn
  ) {
    for change in self.feeds.takeChanges(in: feed) {
      guard let name = change.holder.durable else { continue }
      if let snapshot = change.snapshot {
        self.commits.store(.setRegionSnapshot(name, id: change.id, snapshot))
      } else {
        self.commits.store(.removeRegion(name, id: change.id))
      }
    }
    for finding in findings {
      var event = finding.event
      event.isReduced = feed?.precision == .reduced
      switch finding.holder {
      case .client(let client): turn.notify(client, .region(event))
      case .durable(let name): self.post(.region(event), to: name, now: turn.now)
      }
    }
  }

  // MARK: Restoring

  /// - Parameter isKnown: Whether the state comes from the feed that judges the region now.
  mutating func restore(_ stored: [StoredRegion], of holder: Holder, isKnown: Bool, now: Instant) {
    let feed = self.feed(of: holder)
    let waits = holder.durable.flatMap { self.names[$0] }.map { self.isWaiting($0) } ?? false
    // Otherwise the next start would restore the removed states.
    let isForgotten = !waits && !isKnown && stored.contains { $0.snapshot.state != .unknown }
    if isForgotten, let name = holder.durable { self.commits.store(.resetRegions(name)) }
    for kept in stored {
      let geometry = RegionGeometry(kept.region.shape, reach: kept.reach, cap: kept.cap)
      let place = geometry.fits(feed) ? feed : nil
      let isLost = !waits && (place == nil || !isKnown)
      let snapshot = isLost ? RegionSnapshot(expiry: kept.snapshot.expiry) : kept.snapshot
      if isLost, !isForgotten, kept.snapshot.state != .unknown, let name = holder.durable {
        self.commits.store(.setRegionSnapshot(name, id: kept.region.id, snapshot))
      }
      self.feeds.restore(
        kept.region, geometry, snapshot, of: holder, self.user(of: holder), in: place, now: now)
    }
    guard !stored.isEmpty else { return }
    for place in Set([feed, nil]) { self.probe(place, isNew: false, now: now) }
  }
}

/// Regions whose holder's permission has changed, or whose holder is gone. That takes effect at once; the regions
/// themselves are moved or removed a few in each turn.
extension BrokerMachine {
  /// The cost of moving a region, in steps of a turn's effort.
  private static let moveEffort = 16

  /// The holder's permission has changed: its regions are judged again, by its new feed.
  ///
  /// - Parameter keepsStates: Whether they keep their states.
  mutating func moveRegions(
    of holder: Holder, from old: FixFeedKey?, keepsStates: Bool = false, _ turn: inout Turn
  ) {
    let places = self.feeds.depart(holder, from: old, keepsStates: keepsStates)
    // The states are removed from the store too, in case the daemon ends meanwhile.
    if !keepsStates, let id = holder.durable, self.feeds.regionCount(of: holder) > 0 {
      self.commits.store(.resetRegions(id))
    }
    for place in places { self.moveDeparted(from: place, &turn) }
  }

  /// The holder is gone: its regions have no effect any more.
  mutating func forgetRegions(of holder: Holder, _ turn: inout Turn) {
    for place in self.feeds.forget(holder) { self.moveDeparted(from: place, &turn) }
  }

  /// Moves regions to the feed that judges them now, as far as the effort allows. Regions without a holder are removed.
  mutating func moveDeparted(from key: FixFeedKey?, _ turn: inout Turn) {
    var reached: Set<FixFeedKey?> = []
    var isAny = false
    while turn.effort > 0, let departed = self.feeds.takeDeparted(from: key) {
      turn.effort -= Self.moveEffort
      isAny = true
      guard !departed.isForgotten else { continue }
      reached.insert(self.feeds.put(departed, seeing: self.feed(of: departed.holder), now: turn.now))
    }
    guard isAny else { return }
    for place in reached { self.probe(place, isNew: place != nil, now: turn.now) }
    if !reached.contains(key) { self.feeds.settle(key, now: turn.now) }
  }

  /// Moves a region before its turn, because a call is about it.
  mutating func moveDeparted(id: String, of holder: Holder, _ turn: inout Turn) {
    while let departed = self.feeds.takeDeparted(id: id, of: holder) {
      let place = self.feeds.put(departed, seeing: self.feed(of: holder), now: turn.now)
      self.probe(place, isNew: place != nil, now: turn.now)
    }
  }

  /// Turns the receiver on for regions that were added to a feed.
  mutating func probe(_ key: FixFeedKey?, isNew: Bool, now: Instant) {
    self.feeds.probe(key, isNew: isNew, lastFix: self.receiver.current?.arrival, now: now)
  }
}
