import Positioning

/// Regions: who watches which, and what every fix says of them.
extension BrokerMachine {
  /// A fix that is older says nothing about where the device is now.
  static let regionFixAge: Duration = .seconds(10)

  /// Metres: what a region must measure at least to be judged by the reduced position.
  static let smallestReducedRegion: Double = 4000

  /// Whose regions are meant: the client's, or those of a durable name of its user.
  private func holder(_ durable: String?, of call: CallID) -> ClientID? {
    guard let durable else { return call.client }
    return self.ownName(durable, of: call)?.holder
  }

  /// The view in which the holder has a region of that id; what is too small for its own is among those that are blind.
  /// One that is on its way from another view arrives first.
  private mutating func place(id: String, of holder: ClientID, now: Instant) -> FixViewKey?? {
    for key in self.views.allKeys {
      let departed = self.views.modify(key) { $0.regions.takeDeparted(id: id, of: holder) }
      if let departed { self.arrive(departed, now: now) }
    }
    let own = self.view(of: holder)
    return [own, nil].first { self.views[$0].regions.state(id: id, of: holder) != nil }
  }

  mutating func addRegion(
    _ wished: Region, durable: DurableRequest?, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    let user = self.user(of: call.client)
    // First of all: it may have the name's regions go where another view judges them.
    if let name = durable.flatMap({ self.ownName($0.name, of: call) }) {
      self.adopt(name.id, by: call, now: now, into: &actions)
    }
    let known = self.holder(durable?.name, of: call).flatMap { self.place(id: wished.id, of: $0, now: now) }
    if known == nil, let failure = self.refusalOfRegion(user: user) {
      return actions.append(.answer(call, .failed(failure)))
    }
    let region: Region
    do throws(InvalidRegion) {
      region = try wished.checked()
    } catch {
      return actions.append(
        .answer(call, .failed(.invalid(parameter: error.parameter, expected: error.expected))))
    }
    let replaced = known.flatMap { place in
      self.holder(durable?.name, of: call).flatMap { self.views[place].regions.region(id: region.id, of: $0) }
    }
    let corners = region.cornerCount - (replaced?.cornerCount ?? 0)
    if corners > 0, let failure = self.refusal(ofCorners: corners, user: user) {
      return actions.append(.answer(call, .failed(failure)))
    }
    let view = durable == nil ? self.view(of: call.client) : self.holderAccess(of: call)?.view
    // Made once: a polygon's is dear.
    let geometry = RegionGeometry(region.shape)
    guard geometry.fits(view) else {
      return actions.append(.answer(call, .failed(self.tooFine(for: call, what: "a region of less than 4 km"))))
    }
    if let durable, let failure = self.refusal(of: durable, as: call) {
      return actions.append(.answer(call, .failed(failure)))
    }
    let holder = durable.map { self.name(for: $0, as: call, now: now, into: &actions).holder } ?? call.client
    self.countRegions(known == nil ? 1 : 0, corners: corners, of: holder)
    // One that was too small for its view, and is not any more.
    if view != nil { self.views.modify(nil) { _ = $0.regions.remove(id: region.id, of: holder) } }
    let findings = self.views.modify(view) { view in
      let fix = view.current.flatMap { $0.age(at: now) <= Self.regionFixAge ? $0 : nil }
      return view.regions.add(region, geometry: geometry, of: holder, fix: fix, now: now)
    }
    let state = self.views[view].regions.state(id: region.id, of: holder) ?? .unknown
    let warning = Region.warning(depth: geometry.reach)
    let answer = Answer.region(state, warning: warning, isReduced: view?.precision == .reduced)
    if let name = self.holders[holder], let standing = self.views[view].regions.standing(id: region.id, of: holder) {
      self.changes.append(.putRegion(name, StoredRegion(region: region, standing: standing, geometry: geometry)))
      self.committed.append(.answer(call, answer))
    } else {
      actions.append(.answer(call, answer))
    }
    self.lookForRegions(in: view, isNew: true, now: now)
    self.tell(findings, in: view, now: now, into: &actions)
  }

  /// Why the user may not have one more; `nil` where it may.
  private func refusalOfRegion(user: UInt32) -> CallFailure? {
    let (limit, userLimit) = (self.settings.maxRegions, self.settings.maxRegionsPerUser)
    if self.holdings[user].regions >= userLimit {
      return .limitExceeded(name: "max-regions-per-user", value: userLimit)
    }
    return self.holdings.total.regions < limit ? nil : .limitExceeded(name: "max-regions", value: limit)
  }

  /// The same of so many more corners.
  private func refusal(ofCorners count: Int, user: UInt32) -> CallFailure? {
    let (limit, userLimit) = (self.settings.maxCorners, self.settings.maxCornersPerUser)
    if self.holdings[user].corners + count > userLimit {
      return .limitExceeded(name: "max-corners-per-user", value: userLimit)
    }
    return self.holdings.total.corners + count <= limit ? nil : .limitExceeded(name: "max-corners", value: limit)
  }

  mutating func removeRegion(
    id: String, durable: String?, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    guard let holder = self.holder(durable, of: call), let view = self.place(id: id, of: holder, now: now),
      let region = self.views[view].regions.region(id: id, of: holder),
      let state = self.views.modify(view, { $0.regions.remove(id: id, of: holder) })
    else {
      return actions.append(.answer(call, .failed(.noRegion(id: id))))
    }
    self.countRegions(-1, corners: -region.cornerCount, of: holder)
    self.refreshRegions(in: view, now: now)
    let answer = Answer.region(state, warning: nil, isReduced: view?.precision == .reduced)
    if let name = self.holders[holder] {
      self.changes.append(.removeRegion(name, id: id))
      self.committed.append(.answer(call, answer))
    } else {
      actions.append(.answer(call, answer))
    }
  }

  mutating func regionState(
    id: String, durable: String?, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    guard let holder = self.holder(durable, of: call), let view = self.place(id: id, of: holder, now: now),
      let state = self.views[view].regions.state(id: id, of: holder)
    else {
      return actions.append(.answer(call, .failed(.noRegion(id: id))))
    }
    actions.append(.answer(call, .region(state, warning: nil, isReduced: view?.precision == .reduced)))
  }

  /// The most that one answer lists: more never fit into it.
  static let listedRegions = 256

  mutating func listRegions(
    durable: String?, after id: String?, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    guard let holder = self.holder(durable, of: call) else {
      return actions.append(.answer(call, .failed(.noDurable(name: durable ?? ""))))
    }
    if let id, self.place(id: id, of: holder, now: now) == nil {
      return actions.append(.answer(call, .failed(.noRegion(id: id))))
    }
    let page = self.regions(of: holder, after: id, atMost: Self.listedRegions, now: now)
    actions.append(.answer(call, .regions(page.regions, omitted: page.omitted)))
  }

  /// Those that are judged first, then those that are not, then those on their way; at most so many, and how many come
  /// after them.
  func regions(
    of holder: ClientID, after id: String? = nil, atMost limit: Int, now: Instant
  ) -> (regions: [RegionInfo], omitted: Int) {
    let own = self.view(of: holder)
    let places = own == nil ? [nil] : [own, nil]
    let start = id.flatMap { id in places.firstIndex { self.views[$0].regions.state(id: id, of: holder) != nil } } ?? 0
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
    for (index, view) in places.enumerated().dropFirst(start) {
      let page = self.views[view].regions.regions(
        of: holder, after: index == start ? id : nil, atMost: limit - listed.count)
      list(page, isReduced: view?.precision == .reduced)
    }
    for view in self.views.allKeys {
      let page = self.views[view].regions.departing(of: holder, atMost: limit - listed.count)
      list(page, isReduced: own?.precision == .reduced)
    }
    return (listed, omitted)
  }

  /// The same as they are kept.
  func keptRegions(of holder: ClientID) -> [StoredRegion] {
    let own = self.view(of: holder)
    return (own == nil ? [nil] : [own, nil]).flatMap { self.views[$0].regions.stored(of: holder) }
      + self.views.allKeys.flatMap { self.views[$0].regions.storedDeparting(of: holder) }
  }

  // MARK: What happens

  mutating func judgeRegions(by fix: Fix, in view: FixViewKey, now: Instant, into actions: inout [Action]) {
    guard self.views[view].regions.count > 0 else { return }
    var effort = self.effort
    let findings = self.views.modify(view) { $0.regions.fixed(fix, now: now, effort: &effort) }
    self.effort = effort
    self.judged(findings, in: view, now: now, into: &actions)
  }

  mutating func regionDeadlineReached(in view: FixViewKey?, now: Instant, into actions: inout [Action]) {
    var effort = self.effort
    let findings = self.views.modify(view) { view in
      view.regionLook?.deadlineReached(now: now)
      return view.regions.deadlineReached(now: now, effort: &effort)
    }
    self.effort = effort
    self.tell(findings, in: view, now: now, into: &actions)
    self.refreshRegions(in: view, now: now)
  }

  /// Some regions were judged by the newest fix, or all: the receiver goes on while any waits.
  private mutating func judged(
    _ findings: [RegionMonitor<ClientID>.Event], in view: FixViewKey, now: Instant, into actions: inout [Action]
  ) {
    self.views.modify(view) { view in
      // A fix of unknown accuracy decides nothing, and a look that brought one goes on.
      guard let fix = view.current, fix.horizontalAccuracy != nil else { return }
      let isOver = !view.regions.isBusy && !view.regions.isPending
      let sleep = isOver ? view.regions.nextLook(after: fix, speedBound: Activity.other.speedBound, now: now) : nil
      view.regionLook?.fixed(next: sleep ?? .zero, now: now)
    }
    self.tell(findings, in: view, now: now, into: &actions)
    self.refreshRegions(in: view, now: now)
  }

  /// Goes on with what the turns before left: regions that move, that wait to be judged, and whose time has come. The
  /// views take turns, so that one with many regions holds up no other.
  mutating func goOn(now: Instant, into actions: inout [Action]) {
    let keys = self.views.allKeys
    self.firstView = (self.firstView + 1) % keys.count
    for key in keys[self.firstView...] + keys[..<self.firstView] where self.effort > 0 {
      guard self.views[key].regions.isWorkLeft(now: now) else { continue }
      self.moveDeparted(from: key, now: now)
      if let due = self.views[key].regions.nextDeadline, due <= now {
        self.regionDeadlineReached(in: key, now: now, into: &actions)
      }
      guard let key, self.views[key].regions.isBusy else { continue }
      var effort = self.effort
      let findings = self.views.modify(key) { $0.regions.goOn(now: now, effort: &effort) }
      self.effort = effort
      self.judged(findings, in: key, now: now, into: &actions)
    }
  }

  private mutating func tell(
    _ findings: [RegionMonitor<ClientID>.Event], in view: FixViewKey?, now: Instant, into actions: inout [Action]
  ) {
    for change in self.views.modify(view, { $0.regions.takeChanges() }) {
      guard let name = self.holders[change.holder] else { continue }
      if let standing = change.standing {
        self.changes.append(.setRegionStanding(name, id: change.id, standing))
      } else {
        self.changes.append(.removeRegion(name, id: change.id))
      }
    }
    for finding in findings {
      if finding.kind == .expired {
        self.countRegions(-1, corners: -finding.region.cornerCount, of: finding.holder)
      }
      let event = RegionEvent(
        region: finding.region.id, holder: finding.holder, kind: finding.kind, state: finding.state, fix: finding.fix,
        isInferred: finding.isInferred, probability: finding.probability, passage: finding.passage,
        isReduced: view?.precision == .reduced)
      self.tell(.region(event), to: finding.holder, now: now, into: &actions)
    }
  }

  // MARK: Looking

  mutating func lookForRegions(in view: FixViewKey?, isNew: Bool, now: Instant) {
    if view != nil, self.views[view].regionLook == nil || isNew {
      let lastFix = self.current?.arrival
      self.views.modify(view) { $0.regionLook = ProbeSchedule(lastFix: lastFix, now: now) }
    }
    self.refreshRegions(in: view, now: now)
  }

  /// Keeps when the regions of a view want to be asked, and what they need.
  mutating func refreshRegions(in key: FixViewKey?, now: Instant) {
    if self.views[key].regions.count == 0 { self.views.modify(key) { $0.regionLook = nil } }
    let (look, own, isPending) = self.views.modify(key) {
      ($0.regionLook, $0.regions.nextDeadline, $0.regions.isPending)
    }
    // What is due already goes on in the next turn by itself.
    let later = own.flatMap { $0 > now ? $0 : nil }
    self.setDeadline([look?.nextDeadline, later].compactMap { $0 }.min(), for: .regions(key))
    self.need(isPending ? .now : look?.need ?? .none, in: key, for: .regions(key), now: now)
  }

  private mutating func countRegions(_ difference: Int, corners: Int, of holder: ClientID) {
    self.holdings.change(self.user(of: holder)) {
      $0.regions += difference
      $0.corners += corners
    }
    self.clients[holder]?.regions += difference
    self.clients[holder]?.corners += corners
    guard let name = self.holders[holder] else { return }
    self.names.modify(name) {
      $0.regions += difference
      $0.corners += corners
    }
  }

  /// - Parameter isKnown: whether what was known of them came about by the fixes that they are judged by now.
  mutating func restore(_ stored: [StoredRegion], of holder: ClientID, isKnown: Bool, now: Instant) {
    let view = self.view(of: holder)
    let waits = self.holders[holder].flatMap { self.names[$0] }.map { self.isWaiting($0) } ?? false
    // Else the next start would take for known what this one forgot.
    let isForgotten = !waits && !isKnown && stored.contains { $0.standing.state != .unknown }
    if isForgotten, let name = self.holders[holder] { self.changes.append(.forgetStandings(name)) }
    for kept in stored {
      let geometry = RegionGeometry(kept.region.shape, reach: kept.reach, cap: kept.cap)
      let place = geometry.fits(view) ? view : nil
      let isLost = !waits && (place == nil || !isKnown)
      let standing = isLost ? RegionStanding(expiry: kept.standing.expiry) : kept.standing
      if isLost, !isForgotten, kept.standing.state != .unknown, let name = self.holders[holder] {
        self.changes.append(.setRegionStanding(name, id: kept.region.id, standing))
      }
      self.views.modify(place) {
        _ = $0.regions.add(kept.region, geometry: geometry, of: holder, restored: standing, fix: nil, now: now)
      }
      self.countRegions(1, corners: kept.region.cornerCount, of: holder)
    }
    guard !stored.isEmpty else { return }
    for place in Set([view, nil]) { self.lookForRegions(in: place, isNew: false, now: now) }
  }
}

extension RegionGeometry {
  /// Whether it is large enough to be judged by the fixes of the view.
  func fits(_ view: FixViewKey?) -> Bool {
    view?.precision != .reduced || self.reach >= BrokerMachine.smallestReducedRegion
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
