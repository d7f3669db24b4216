import Positioning

/// Regions: who watches which, and what every fix says of them.
extension BrokerParts {
  /// A fix that is older says nothing about where the device is now.
  static let regionFixAge: Duration = .seconds(10)

  /// Metres: what a region must measure at least to be judged by the reduced position.
  static let smallestReducedRegion: Double = 4000

  /// Whose regions are meant: the client's, or those of a durable name of its user.
  private func holder(_ durable: String?, of call: CallID) -> Holder? {
    guard let durable else { return .client(call.client) }
    return self.ownName(durable, of: call)?.holder
  }

  /// The feed in which the holder has a region of that id; what is too small for its own is among those that are blind.
  /// One that is on its way from another feed arrives first.
  private mutating func place(id: String, of holder: Holder, _ turn: inout Turn) -> FixFeedKey?? {
    for key in self.feeds.allKeys {
      let departed = self.feeds.modify(key) { $0.regions.takeDeparted(id: id, of: holder) }
      if let departed { self.arrive(departed, &turn) }
    }
    let own = self.feed(of: holder)
    return [own, nil].first { self.feeds[$0].regions.state(id: id, of: holder) != nil }
  }

  mutating func addRegion(
    _ wished: Region, durable: DurableRequest?, as call: CallID, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    let user = self.user(of: call.client)
    // First of all: it may have the name's regions go where another feed judges them.
    if let name = durable.flatMap({ self.ownName($0.name, of: call) }) { self.adopt(name.id, by: call, &turn) }
    let known = self.holder(durable?.name, of: call).flatMap { self.place(id: wished.id, of: $0, &turn) }
    if known == nil { try self.settings.regionLimit.checkRoom(in: self.regionCounts.regions, of: user) }
    let region: Region
    do throws(InvalidRegion) {
      region = try wished.checked()
    } catch {
      throw .invalid(parameter: error.parameter, expected: error.expected)
    }
    let replaced = known.flatMap { place in
      self.holder(durable?.name, of: call).flatMap { self.feeds[place].regions.region(id: region.id, of: $0) }
    }
    let corners = region.cornerCount - (replaced?.cornerCount ?? 0)
    if corners > 0 {
      try self.settings.cornerLimit.checkRoom(for: corners, in: self.regionCounts.corners, of: user)
    }
    let feed = durable == nil ? self.feed(of: .client(call.client)) : self.holderAccess(of: call)?.feed
    // Made once: a polygon's is dear.
    let geometry = RegionGeometry(region.shape)
    guard geometry.fits(feed) else { throw self.tooFine(for: call, what: "a region of less than 4 km") }
    if let durable { try self.check(durable, as: call) }
    let holder = durable.map { self.name(for: $0, as: call, &turn).holder } ?? .client(call.client)
    self.countRegions(known == nil ? 1 : 0, corners: corners, of: holder)
    // One that was too small for its feed, and is not any more.
    if feed != nil { self.feeds.modify(nil) { _ = $0.regions.remove(id: region.id, of: holder) } }
    let findings = self.feeds.modify(feed) { feed in
      let fix = feed.current.flatMap { $0.age(at: turn.now) <= Self.regionFixAge ? $0 : nil }
      return feed.regions.add(region, geometry: geometry, of: holder, fix: fix, now: turn.now)
    }
    let state = self.feeds[feed].regions.state(id: region.id, of: holder) ?? .unknown
    let warning = Region.warning(depth: geometry.reach)
    let answer = Answer.region(state, warning: warning, isReduced: feed?.precision == .reduced)
    let name = holder.durable
    if let name, let standing = self.feeds[feed].regions.standing(id: region.id, of: holder) {
      turn.store(.putRegion(name, StoredRegion(region: region, standing: standing, geometry: geometry)))
    }
    turn.placeAnswer()
    let reply: Reply = name == nil ? .now(answer) : .afterCommit(answer)
    self.lookForRegions(in: feed, isNew: true, &turn)
    self.report(findings, in: feed, &turn)
    return reply
  }

  mutating func removeRegion(
    id: String, durable: String?, as call: CallID, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    guard let holder = self.holder(durable, of: call), let feed = self.place(id: id, of: holder, &turn),
      let region = self.feeds[feed].regions.region(id: id, of: holder),
      let state = self.feeds.modify(feed, { $0.regions.remove(id: id, of: holder) })
    else { throw .noRegion(id: id) }
    self.countRegions(-1, corners: -region.cornerCount, of: holder)
    self.feeds.refreshRegions(in: feed, now: turn.now)
    let answer = Answer.region(state, warning: nil, isReduced: feed?.precision == .reduced)
    guard let name = holder.durable else { return .now(answer) }
    turn.store(.removeRegion(name, id: id))
    return .afterCommit(answer)
  }

  mutating func regionState(
    id: String, durable: String?, as call: CallID, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    guard let holder = self.holder(durable, of: call), let feed = self.place(id: id, of: holder, &turn),
      let state = self.feeds[feed].regions.state(id: id, of: holder)
    else { throw .noRegion(id: id) }
    return .now(.region(state, warning: nil, isReduced: feed?.precision == .reduced))
  }

  /// The most that one answer lists: more never fit into it.
  static let listedRegions = 256

  mutating func listRegions(
    durable: String?, after id: String?, as call: CallID, _ turn: inout Turn
  ) throws(CallFailure) -> Reply {
    guard let holder = self.holder(durable, of: call) else { throw .noDurable(name: durable ?? "") }
    if let id, self.place(id: id, of: holder, &turn) == nil { throw .noRegion(id: id) }
    let page = self.regions(of: holder, after: id, atMost: Self.listedRegions, now: turn.now)
    return .now(.regions(page.regions, omitted: page.omitted))
  }

  /// Those that are judged first, then those that are not, then those on their way; at most so many, and how many come
  /// after them.
  func regions(
    of holder: Holder, after id: String? = nil, atMost limit: Int, now: Instant
  ) -> (regions: [RegionInfo], omitted: Int) {
    let own = self.feed(of: holder)
    let places = own == nil ? [nil] : [own, nil]
    let start = id.flatMap { id in places.firstIndex { self.feeds[$0].regions.state(id: id, of: holder) != nil } } ?? 0
    var listed: [RegionInfo] = []
    var omitted = 0
    func list(_ page: (regions: [MonitoredRegion], omitted: Int), isReduced: Bool) {
      omitted += page.omitted
      listed += page.regions.map { monitored in
        RegionInfo(
          region: monitored.region, state: monitored.state, since: monitored.since,
          remaining: monitored.standing.expiry.map { max(.zero, $0 - now) }, isReduced: isReduced)
      }
    }
    for (index, feed) in places.enumerated().dropFirst(start) {
      let page = self.feeds[feed].regions.regions(
        of: holder, after: index == start ? id : nil, atMost: limit - listed.count)
      list(page, isReduced: feed?.precision == .reduced)
    }
    for feed in self.feeds.allKeys {
      let page = self.feeds[feed].regions.departing(of: holder, atMost: limit - listed.count)
      list(page, isReduced: own?.precision == .reduced)
    }
    return (listed, omitted)
  }

  /// The same as they are kept.
  func keptRegions(of holder: Holder) -> [StoredRegion] {
    let own = self.feed(of: holder)
    return (own == nil ? [nil] : [own, nil]).flatMap { self.feeds[$0].regions.stored(of: holder) }
      + self.feeds.allKeys.flatMap { self.feeds[$0].regions.storedDeparting(of: holder) }
  }

  // MARK: What happens

  mutating func judgeRegions(by fix: Fix, in feed: FixFeedKey, _ turn: inout Turn) {
    guard self.feeds[feed].regions.count > 0 else { return }
    let findings = self.feeds.modify(feed) { $0.regions.fixed(fix, now: turn.now, effort: &turn.effort) }
    self.judged(findings, in: feed, &turn)
  }

  mutating func regionDeadlineReached(in feed: FixFeedKey?, _ turn: inout Turn) {
    let findings = self.feeds.modify(feed) { feed in
      feed.regionLook?.deadlineReached(now: turn.now)
      return feed.regions.deadlineReached(now: turn.now, effort: &turn.effort)
    }
    self.report(findings, in: feed, &turn)
    self.feeds.refreshRegions(in: feed, now: turn.now)
  }

  /// Some regions were judged by the newest fix, or all: the receiver goes on while any waits.
  private mutating func judged(
    _ findings: [RegionMonitor<Holder>.Event], in feed: FixFeedKey, _ turn: inout Turn
  ) {
    self.feeds.modify(feed) { feed in
      // A fix of unknown accuracy decides nothing, and a look that brought one goes on.
      guard let fix = feed.current, fix.horizontalAccuracy != nil else { return }
      let isOver = !feed.regions.isBusy && !feed.regions.isPending
      let sleep = isOver ? feed.regions.nextLook(after: fix, speedBound: Activity.other.speedBound, now: turn.now) : nil
      feed.regionLook?.fixed(next: sleep ?? .zero, now: turn.now)
    }
    self.report(findings, in: feed, &turn)
    self.feeds.refreshRegions(in: feed, now: turn.now)
  }

  /// Goes on with what the turns before left: regions that move, that wait to be judged, and whose time has come.
  mutating func continueWork(in key: FixFeedKey?, _ turn: inout Turn) {
    guard self.feeds[key].regions.isWorkLeft(now: turn.now) else { return }
    self.moveDeparted(from: key, &turn)
    if let due = self.feeds[key].regions.nextDeadline, due <= turn.now { self.regionDeadlineReached(in: key, &turn) }
    guard let key, self.feeds[key].regions.isBusy else { return }
    let findings = self.feeds.modify(key) { $0.regions.goOn(now: turn.now, effort: &turn.effort) }
    self.judged(findings, in: key, &turn)
  }

  private mutating func report(
    _ findings: [RegionMonitor<Holder>.Event], in feed: FixFeedKey?, _ turn: inout Turn
  ) {
    for change in self.feeds.modify(feed, { $0.regions.takeChanges() }) {
      guard let name = change.holder.durable else { continue }
      if let standing = change.standing {
        turn.store(.setRegionStanding(name, id: change.id, standing))
      } else {
        turn.store(.removeRegion(name, id: change.id))
      }
    }
    for finding in findings {
      if finding.kind == .expired {
        self.countRegions(-1, corners: -finding.region.cornerCount, of: finding.holder)
      }
      let event = RegionEvent(
        region: finding.region.id, holder: finding.holder.client ?? ClientID(0), kind: finding.kind,
        state: finding.state, fix: finding.fix,
        isInferred: finding.isInferred, probability: finding.probability, passage: finding.passage,
        isReduced: feed?.precision == .reduced)
      self.notify(finding.holder, .region(event), &turn)
    }
  }

  // MARK: Looking

  mutating func lookForRegions(in feed: FixFeedKey?, isNew: Bool, _ turn: inout Turn) {
    if feed != nil, self.feeds[feed].regionLook == nil || isNew {
      let lastFix = self.receiver.current?.arrival
      self.feeds.modify(feed) { $0.regionLook = ProbeSchedule(lastFix: lastFix, now: turn.now) }
    }
    self.feeds.refreshRegions(in: feed, now: turn.now)
  }

  private mutating func countRegions(_ difference: Int, corners: Int, of holder: Holder) {
    self.regionCounts.add(difference, corners: corners, of: holder, self.user(of: holder))
  }

  /// - Parameter isKnown: whether what was known of them came about by the fixes that they are judged by now.
  mutating func restore(_ stored: [StoredRegion], of holder: Holder, isKnown: Bool, _ turn: inout Turn) {
    let feed = self.feed(of: holder)
    let waits = holder.durable.flatMap { self.names[$0] }.map { self.isWaiting($0) } ?? false
    // Else the next start would take for known what this one forgot.
    let isForgotten = !waits && !isKnown && stored.contains { $0.standing.state != .unknown }
    if isForgotten, let name = holder.durable { turn.store(.forgetStandings(name)) }
    for kept in stored {
      let geometry = RegionGeometry(kept.region.shape, reach: kept.reach, cap: kept.cap)
      let place = geometry.fits(feed) ? feed : nil
      let isLost = !waits && (place == nil || !isKnown)
      let standing = isLost ? RegionStanding(expiry: kept.standing.expiry) : kept.standing
      if isLost, !isForgotten, kept.standing.state != .unknown, let name = holder.durable {
        turn.store(.setRegionStanding(name, id: kept.region.id, standing))
      }
      self.feeds.modify(place) {
        _ = $0.regions.add(kept.region, geometry: geometry, of: holder, restored: standing, fix: nil, now: turn.now)
      }
      self.countRegions(1, corners: kept.region.cornerCount, of: holder)
    }
    guard !stored.isEmpty else { return }
    for place in Set([feed, nil]) { self.lookForRegions(in: place, isNew: false, &turn) }
  }
}

extension RegionGeometry {
  /// Whether it is large enough to be judged by the fixes of the feed.
  func fits(_ feed: FixFeedKey?) -> Bool {
    feed?.precision != .reduced || self.reach >= BrokerParts.smallestReducedRegion
  }
}

extension Region {
  /// Of its polygon; a circle has none.
  var cornerCount: Int {
    switch self.shape {
    case .circle: 0
    case .polygon(let corners): corners.count
    }
  }
}
