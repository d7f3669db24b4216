import Positioning

/// Regions: who watches which, and what every fix says of them.
extension BrokerMachine {
  /// A fix that is older says nothing about where the device is now.
  static let regionFixAge: Duration = .seconds(10)

  /// Whose regions are meant: the client's, or those of a durable name of its user.
  private func holder(_ durable: String?, of call: CallID) -> ClientID? {
    guard let durable else { return call.client }
    return self.names[DurableID(uid: self.user(of: call.client), name: durable)]?.holder
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
    let known = self.holder(durable?.name, of: call).flatMap { self.regions.state(id: region.id, of: $0) }
    let limit = self.settings.maxRegionsPerUser
    guard known != nil || self.regionCounts[user, default: 0] < limit else {
      return actions.append(.answer(call, .failed(.limitExceeded(name: "max-regions-per-user", value: limit))))
    }
    if let durable, let failure = self.refusal(of: durable, as: call) {
      return actions.append(.answer(call, .failed(failure)))
    }
    let holder = durable.map { self.name(for: $0, as: call).holder } ?? call.client
    if known == nil { self.countRegions(1, of: holder) }
    let fix = self.current.flatMap { $0.age(at: now) <= Self.regionFixAge ? $0 : nil }
    let findings = self.regions.add(region, of: holder, fix: fix, now: now)
    let state = self.regions.state(id: region.id, of: holder) ?? .unknown
    if let name = self.holders[holder], let standing = self.regions.standing(id: region.id, of: holder) {
      self.changes.append(.putRegion(name, StoredRegion(region: region, standing: standing)))
      self.committed.append(.answer(call, .region(state, warning: region.warning)))
    } else {
      actions.append(.answer(call, .region(state, warning: region.warning)))
    }
    self.lookForRegions(isNew: true, now: now)
    self.tell(findings, now: now, into: &actions)
  }

  mutating func removeRegion(id: String, durable: String?, as call: CallID, into actions: inout [Action]) {
    guard let holder = self.holder(durable, of: call), let state = self.regions.remove(id: id, of: holder) else {
      return actions.append(.answer(call, .failed(.noRegion(id: id))))
    }
    self.countRegions(-1, of: holder)
    self.refreshRegions()
    if let name = self.holders[holder] {
      self.changes.append(.removeRegion(name, id: id))
      self.committed.append(.answer(call, .region(state, warning: nil)))
    } else {
      actions.append(.answer(call, .region(state, warning: nil)))
    }
  }

  func regionState(id: String, durable: String?, as call: CallID, into actions: inout [Action]) {
    guard let holder = self.holder(durable, of: call), let state = self.regions.state(id: id, of: holder) else {
      return actions.append(.answer(call, .failed(.noRegion(id: id))))
    }
    actions.append(.answer(call, .region(state, warning: nil)))
  }

  func listRegions(durable: String?, as call: CallID, now: Instant, into actions: inout [Action]) {
    guard let holder = self.holder(durable, of: call) else {
      return actions.append(.answer(call, .failed(.noDurable(name: durable ?? ""))))
    }
    actions.append(.answer(call, .regions(self.regions(of: holder, now: now))))
  }

  func regions(of holder: ClientID, now: Instant) -> [RegionInfo] {
    self.regions.regions(of: holder).map { monitored in
      RegionInfo(
        region: monitored.region, state: monitored.state, since: monitored.since,
        remaining: monitored.standing.expiry.map { max(.zero, $0 - now) })
    }
  }

  // MARK: What happens

  mutating func judgeRegions(by fix: Fix, now: Instant, into actions: inout [Action]) {
    guard self.regions.count > 0 else { return }
    self.tell(self.regions.fixed(fix, now: now), now: now, into: &actions)
    let sleep = self.regions.nextLook(after: fix, speedBound: Activity.other.speedBound, now: now) ?? .zero
    self.regionLook?.fixed(next: self.regions.isPending ? .zero : sleep, now: now)
    self.refreshRegions()
  }

  mutating func regionDeadlineReached(now: Instant, into actions: inout [Action]) {
    self.regionLook?.deadlineReached(now: now)
    self.tell(self.regions.deadlineReached(now: now), now: now, into: &actions)
    self.refreshRegions()
  }

  private mutating func tell(_ findings: [RegionMonitor<ClientID>.Event], now: Instant, into actions: inout [Action]) {
    for change in self.regions.takeChanges() {
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
        isInferred: finding.isInferred, probability: finding.probability, passage: finding.passage)
      self.tell(.region(event), to: finding.holder, now: now, into: &actions)
    }
  }

  // MARK: Looking

  private mutating func lookForRegions(isNew: Bool, now: Instant) {
    if self.regionLook == nil || isNew { self.regionLook = ProbeSchedule(lastFix: self.current?.arrival, now: now) }
    self.refreshRegions()
  }

  /// Keeps when regions want to be asked, and what they need.
  mutating func refreshRegions() {
    if self.regions.count == 0 { self.regionLook = nil }
    let deadlines = [self.regionLook?.nextDeadline, self.regions.nextDeadline]
    self.setDeadline(deadlines.compactMap { $0 }.min(), for: .regions)
    self.needs.set(self.regions.isPending ? .now : self.regionLook?.need ?? .none, for: .regions)
  }

  mutating func forgetRegions(of holder: ClientID, user: UInt32) {
    let count = self.regions.count(of: holder)
    self.regions.removeAll(of: holder)
    self.countRegions(-count, of: holder, user: user)
    self.refreshRegions()
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

  mutating func restore(_ stored: [StoredRegion], of holder: ClientID, now: Instant) {
    for kept in stored {
      _ = self.regions.add(kept.region, of: holder, restored: kept.standing, fix: nil, now: now)
      self.countRegions(1, of: holder)
    }
    if !stored.isEmpty { self.lookForRegions(isNew: false, now: now) }
  }
}
