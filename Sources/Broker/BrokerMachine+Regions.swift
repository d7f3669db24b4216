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
  private func place(id: String, of holder: ClientID) -> FixViewKey?? {
    let own = self.view(of: holder)
    return [own, nil].first { self.views[$0].regions.state(id: id, of: holder) != nil }
  }

  mutating func addRegion(
    _ wished: Region, durable: DurableRequest?, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    let region: Region
    do throws(InvalidRegion) {
      region = try wished.checked()
    } catch {
      return actions.append(
        .answer(call, .failed(.invalid(parameter: error.parameter, expected: error.expected))))
    }
    let user = self.user(of: call.client)
    let known = self.holder(durable?.name, of: call).flatMap { self.place(id: region.id, of: $0) }
    let limit = self.settings.maxRegionsPerUser
    guard known != nil || self.regionCounts[user, default: 0] < limit else {
      return actions.append(.answer(call, .failed(.limitExceeded(name: "max-regions-per-user", value: limit))))
    }
    let view = durable == nil ? self.view(of: call.client) : self.holderAccess(of: call)?.view
    guard region.fits(view) else {
      return actions.append(.answer(call, .failed(self.tooFine(for: call, what: "a region of less than 4 km"))))
    }
    if let durable, let failure = self.refusal(of: durable, as: call) {
      return actions.append(.answer(call, .failed(failure)))
    }
    let holder = durable.map { self.name(for: $0, as: call, now: now, into: &actions).holder } ?? call.client
    if known == nil { self.countRegions(1, of: holder) }
    // One that was too small for its view, and is not any more.
    if view != nil { self.views.modify(nil) { _ = $0.regions.remove(id: region.id, of: holder) } }
    let findings = self.views.modify(view) { view in
      let fix = view.current.flatMap { $0.age(at: now) <= Self.regionFixAge ? $0 : nil }
      return view.regions.add(region, of: holder, fix: fix, now: now)
    }
    let state = self.views[view].regions.state(id: region.id, of: holder) ?? .unknown
    let answer = Answer.region(state, warning: region.warning, isReduced: view?.precision == .reduced)
    if let name = self.holders[holder], let standing = self.views[view].regions.standing(id: region.id, of: holder) {
      self.changes.append(.putRegion(name, StoredRegion(region: region, standing: standing)))
      self.committed.append(.answer(call, answer))
    } else {
      actions.append(.answer(call, answer))
    }
    self.lookForRegions(in: view, isNew: true, now: now)
    self.tell(findings, in: view, now: now, into: &actions)
  }

  mutating func removeRegion(
    id: String, durable: String?, as call: CallID, now: Instant, into actions: inout [Action]
  ) {
    guard let holder = self.holder(durable, of: call), let view = self.place(id: id, of: holder),
      let state = self.views.modify(view, { $0.regions.remove(id: id, of: holder) })
    else {
      return actions.append(.answer(call, .failed(.noRegion(id: id))))
    }
    self.countRegions(-1, of: holder)
    self.refreshRegions(in: view, now: now)
    let answer = Answer.region(state, warning: nil, isReduced: view?.precision == .reduced)
    if let name = self.holders[holder] {
      self.changes.append(.removeRegion(name, id: id))
      self.committed.append(.answer(call, answer))
    } else {
      actions.append(.answer(call, answer))
    }
  }

  func regionState(id: String, durable: String?, as call: CallID, into actions: inout [Action]) {
    guard let holder = self.holder(durable, of: call), let view = self.place(id: id, of: holder),
      let state = self.views[view].regions.state(id: id, of: holder)
    else {
      return actions.append(.answer(call, .failed(.noRegion(id: id))))
    }
    actions.append(.answer(call, .region(state, warning: nil, isReduced: view?.precision == .reduced)))
  }

  func listRegions(durable: String?, as call: CallID, now: Instant, into actions: inout [Action]) {
    guard let holder = self.holder(durable, of: call) else {
      return actions.append(.answer(call, .failed(.noDurable(name: durable ?? ""))))
    }
    actions.append(.answer(call, .regions(self.regions(of: holder, now: now))))
  }

  /// Those that are judged first, then those that are not.
  func regions(of holder: ClientID, now: Instant) -> [RegionInfo] {
    let own = self.view(of: holder)
    return (own == nil ? [nil] : [own, nil]).flatMap { view in
      self.views[view].regions.regions(of: holder).map { monitored in
        RegionInfo(
          region: monitored.region, state: monitored.state, since: monitored.since,
          remaining: monitored.standing.expiry.map { max(.zero, $0 - now) }, isReduced: view?.precision == .reduced)
      }
    }
  }

  // MARK: Permission

  /// The holder may know more, less, or nothing: its regions are judged anew, by what it may know.
  mutating func moveRegions(of holder: ClientID, from old: FixViewKey?, to new: FixViewKey?, now: Instant) {
    let places = old == nil ? [nil] : [old, nil]
    let moved = places.flatMap { place in
      self.views.modify(place) { view in
        defer { view.regions.removeAll(of: holder) }
        return view.regions.regions(of: holder)
      }
    }
    for monitored in moved {
      let place = monitored.region.fits(new) ? new : nil
      let standing = RegionStanding(expiry: monitored.standing.expiry)
      self.views.modify(place) { view in
        _ = view.regions.add(monitored.region, of: holder, restored: standing, fix: nil, now: now)
      }
      if let name = self.holders[holder], monitored.state != .unknown {
        self.changes.append(.setRegionStanding(name, id: monitored.region.id, standing))
      }
    }
    guard !moved.isEmpty else { return }
    for place in Set(places + [new]) { self.lookForRegions(in: place, isNew: place == new, now: now) }
  }

  // MARK: What happens

  mutating func judgeRegions(by fix: Fix, in view: FixViewKey, now: Instant, into actions: inout [Action]) {
    guard self.views[view].regions.count > 0 else { return }
    let findings = self.views.modify(view) { view in
      let findings = view.regions.fixed(fix, now: now)
      let sleep = view.regions.nextLook(after: fix, speedBound: Activity.other.speedBound, now: now) ?? .zero
      view.regionLook?.fixed(next: view.regions.isPending ? .zero : sleep, now: now)
      return findings
    }
    self.tell(findings, in: view, now: now, into: &actions)
    self.refreshRegions(in: view, now: now)
  }

  mutating func regionDeadlineReached(in view: FixViewKey?, now: Instant, into actions: inout [Action]) {
    let findings = self.views.modify(view) { view in
      view.regionLook?.deadlineReached(now: now)
      return view.regions.deadlineReached(now: now)
    }
    self.tell(findings, in: view, now: now, into: &actions)
    self.refreshRegions(in: view, now: now)
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
      if finding.kind == .expired { self.countRegions(-1, of: finding.holder) }
      let event = RegionEvent(
        region: finding.region.id, holder: finding.holder, kind: finding.kind, state: finding.state, fix: finding.fix,
        isInferred: finding.isInferred, probability: finding.probability, passage: finding.passage,
        isReduced: view?.precision == .reduced)
      self.tell(.region(event), to: finding.holder, now: now, into: &actions)
    }
  }

  // MARK: Looking

  private mutating func lookForRegions(in view: FixViewKey?, isNew: Bool, now: Instant) {
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
    self.setDeadline([look?.nextDeadline, own].compactMap { $0 }.min(), for: .regions(key))
    self.need(isPending ? .now : look?.need ?? .none, in: key, for: .regions(key), now: now)
  }

  mutating func forgetRegions(of holder: ClientID, user: UInt32, now: Instant) {
    for key in self.views.allKeys where self.views[key].regions.count(of: holder) > 0 {
      let count = self.views.modify(key) { view in
        defer { view.regions.removeAll(of: holder) }
        return view.regions.count(of: holder)
      }
      self.countRegions(-count, of: holder, user: user)
      self.refreshRegions(in: key, now: now)
    }
  }

  private mutating func countRegions(_ difference: Int, of holder: ClientID) {
    self.countRegions(difference, of: holder, user: self.user(of: holder))
  }

  private mutating func countRegions(_ difference: Int, of holder: ClientID, user: UInt32) {
    let count = self.regionCounts[user, default: 0] + difference
    self.regionCounts[user] = count > 0 ? count : nil
    self.clients[holder]?.regions += difference
    if let name = self.holders[holder] { self.names.modify(name) { $0.regions += difference } }
  }

  /// - Parameter isKnown: whether what was known of them came about by the fixes that they are judged by now.
  mutating func restore(_ stored: [StoredRegion], of holder: ClientID, isKnown: Bool, now: Instant) {
    let view = self.view(of: holder)
    for kept in stored {
      let place = kept.region.fits(view) ? view : nil
      let standing = place == nil || !isKnown ? RegionStanding(expiry: kept.standing.expiry) : kept.standing
      self.views.modify(place) {
        _ = $0.regions.add(kept.region, of: holder, restored: standing, fix: nil, now: now)
      }
      self.countRegions(1, of: holder)
    }
    guard !stored.isEmpty else { return }
    for place in Set([view, nil]) { self.lookForRegions(in: place, isNew: false, now: now) }
  }
}

extension Region {
  /// Whether it is large enough to be judged by the fixes of the view.
  fileprivate func fits(_ view: FixViewKey?) -> Bool {
    view?.precision != .reduced || RegionGeometry(self.shape).reach >= BrokerMachine.smallestReducedRegion
  }
}
