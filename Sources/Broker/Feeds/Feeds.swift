import Positioning

/// The feeds of fixes by permission, and the regions that are judged by each.
///
/// A region is judged by the fixes of its holder's feed. Regions that are too small for that, and those of holders
/// without permission, are in a separate feed without fixes. When a holder's feed changes its regions depart: they have
/// no effect until they are added to their new feed, a few in each turn.
struct Feeds: Sendable {
  /// The feed of a client or a durable name now; `nil`: none.
  typealias FeedOfHolder = (Holder) -> FixFeedKey?

  /// The cost of moving a region, in steps of a turn's effort.
  private static let moveEffort = 16

  private struct Feed: Sendable {
    /// The newest fix of the feed.
    var current: Fix?
    var epoch = 0
    var regions = RegionMonitor()
    /// When to probe for the regions; `nil` while there are none.
    var probe: ProbeSchedule?
    /// The number of clients and durable names with this feed.
    var viewers = 0
    /// When the search for a fix that may enter the feed ends, among those that come.
    var searchEnd: Instant?
    /// When the next such search begins; `nil`: at once.
    var nextSearch: Instant?

    mutating func putOff(by gap: Duration, now: Instant) {
      self.regions.wasAbsent(for: gap, until: now)
      self.searchEnd = self.searchEnd.map { $0 + gap }
      self.probe?.putOff(by: gap)
    }

    mutating func endSearch() { (self.searchEnd, self.nextSearch) = (nil, nil) }

    /// The need of the regions.
    var need: Need { self.regions.isPending ? .now : self.probe?.need ?? .none }

    /// After some or all regions were judged by the newest fix: the receiver stays on while any waits.
    mutating func judged(now: Instant) {
      // A fix of unknown accuracy, or without a vote, decides nothing, and its probe continues.
      guard let current, current.horizontalAccuracy != nil, current.castsVotes else { return }
      let isOver = !self.regions.isBusy && !self.regions.isPending
      let sleep =
        isOver ? self.regions.nextProbe(after: current, speedBound: Activity.other.speedBound, now: now) : nil
      self.probe?.fixed(next: sleep ?? .zero, now: now)
    }
  }

  /// The feeds that a holder has or had. `nil`: the feed of holders without permission.
  private var table: [FixFeedKey?: Feed] = [nil: Feed(), .everything: Feed()]
  /// The feeds with fixes, always in the same order.
  private(set) var keys: [FixFeedKey] = [.everything]
  /// The deadlines of each feed's regions, and their needs.
  private var deadlines = DeadlineQueue<FixFeedKey?>()
  private var needs: [FixFeedKey?: Need] = [:]
  private var reducedFixes: ReducedFixes
  private var counts = RegionCounts()
  /// The feed whose work comes first, so that each has its turn.
  private var firstAtWork = 0

  init(restoring fuzzer: LocationFuzzer.Snapshot?, seed: UInt64, now: Instant) {
    self.reducedFixes = ReducedFixes(restoring: fuzzer, seed: seed, now: now)
  }

  /// The stored offset is known only now. What was shown meanwhile came from another one.
  mutating func restore(_ fuzzer: LocationFuzzer.Snapshot, now: Instant) { self.reducedFixes.restore(fuzzer, now: now) }

  // MARK: Holders of feeds

  /// The feeds with fixes, and the one without.
  var allKeys: [FixFeedKey?] { self.keys + [nil] }

  func viewers(of key: FixFeedKey?) -> Int { self.table[key]?.viewers ?? 0 }

  /// Another holder gets a feed, with its last fix at once.
  ///
  /// - Parameter newest: the newest fix of all.
  mutating func enter(_ key: FixFeedKey?, newest: Fix?, epoch: Int) {
    if let key, self.table[key] == nil { self.keys = (self.keys + [key]).sorted() }
    self.table[key, default: Feed()].viewers += 1
    // For a new holder the search for a fix begins again at once.
    self.table[key]?.endSearch()
    guard let key, key.isSampled else { return }
    if let fix = key.precision == .precise ? newest : self.reducedFixes.newest {
      _ = self.take(fix, epoch: epoch, in: key)
    }
  }

  mutating func leave(_ key: FixFeedKey?) { self.table[key]?.viewers -= 1 }

  // MARK: Fixes

  /// The newest fix of a feed.
  func current(in key: FixFeedKey?) -> Fix? { self.table[key]?.current }

  func epoch(in key: FixFeedKey?) -> Int { self.table[key]?.epoch ?? 0 }

  /// When the next fix can enter the feed; `nil`: at once.
  func nextFix(in key: FixFeedKey, now: Instant) -> Instant? {
    guard key.interval > .zero, let arrival = self.table[key]?.current?.arrival else { return nil }
    let due = arrival + key.interval
    return due > now ? due : nil
  }

  /// When the next search for a reduced fix begins; `nil`: at once.
  ///
  /// No reduced fix is made of one whose error is unknown or large. If the receiver gives no other, it would be on for ever
  /// for nothing.
  func nextSearch(in key: FixFeedKey, now: Instant) -> Instant? {
    self.table[key]?.nextSearch.flatMap { $0 > now ? $0 : nil }
  }

  /// A fix of which no reduced fix can be made.
  private mutating func withhold(_ fix: Fix) {
    for key in self.keys where key.precision == .reduced {
      let now = fix.arrival
      guard self.nextFix(in: key, now: now) == nil, self.nextSearch(in: key, now: now) == nil else { continue }
      // A search that ended more than an interval ago does not count: another one begins.
      if let end = self.table[key]?.searchEnd, now < end + LocationFuzzer.interval {
        guard now >= end else { continue }
        self.table[key]?.endSearch()
        self.table[key]?.nextSearch = now + LocationFuzzer.interval
      } else {
        self.table[key]?.searchEnd = now + Acquisition().budget
      }
    }
  }

  /// Takes a fix, or a better one of the same epoch. Returns whether it is published.
  mutating func take(_ fix: Fix, epoch: Int, in key: FixFeedKey) -> Bool {
    // In a feed of few fixes it would stand in the way of one that can be trusted.
    guard fix.castsVotes || !key.isSampled else { return false }
    if key.interval > .zero, let feed = self.table[key], let current = feed.current,
      epoch != feed.epoch || fix.isReduced
    {
      // Allows for small variations of the receiver's cycle.
      let tolerance = min(key.interval / 10, .milliseconds(100))
      guard fix.arrival - current.arrival >= key.interval - tolerance else { return false }
    }
    self.table[key, default: Feed()].current = fix
    self.table[key]?.epoch = epoch
    self.table[key]?.endSearch()
    return true
  }

  // MARK: Reduced fixes

  /// The state that must outlive the daemon, so that no client gets the position with another offset.
  var fuzzer: LocationFuzzer.Snapshot { self.reducedFixes.snapshot }

  /// The reduced fix, if there is a client for it and it is time; and the offset of the published fixes that are
  /// stored.
  ///
  /// - Parameter mayDrift: whether another offset could be stored.
  mutating func reduce(_ fix: Fix, mayDrift: Bool, now: Instant) -> (reduced: Fix, kept: LocationFuzzer.Snapshot)? {
    guard self.keys.contains(where: { $0.precision == .reduced && self.viewers(of: $0) > 0 }) else { return nil }
    let kept = self.fuzzer
    if !LocationFuzzer.canReduce(fix) { self.withhold(fix) }
    return self.reducedFixes.fixed(fix, mayDrift: mayDrift, now: now).map { ($0, kept) }
  }

  /// A reduced fix is stored, or cannot be.
  ///
  /// - Returns: the fix to publish, and what to store instead.
  mutating func confirmed(
    _ reduced: Fix, of fix: Fix, kept: LocationFuzzer.Snapshot, isKept: Bool
  ) -> (shown: Fix, correction: StoreChange?) {
    self.reducedFixes.confirmed(reduced, of: fix, kept: kept, isKept: isKept)
  }

  // MARK: Regions and their holders

  /// How many regions a holder has, including those that are being moved.
  func regionCount(of holder: Holder) -> Int { self.counts[holder] }

  /// How many regions a feed judges, including those that depart.
  func regionCount(in key: FixFeedKey?) -> Int { self.table[key]?.regions.count ?? 0 }

  /// The number of regions and of corners of each user.
  var holdings: (regions: UserCounts, corners: UserCounts) { (self.counts.regions, self.counts.corners) }

  /// Whether the user may have another region, or one in place of an existing one.
  func checkRoom(replacing isKnown: Bool, of user: UInt32, _ settings: BrokerSettings) throws(CallFailure) {
    if !isKnown { try settings.regionLimit.checkRoom(in: self.counts.regions, of: user) }
  }

  func checkRoom(forCorners corners: Int, of user: UInt32, _ settings: BrokerSettings) throws(CallFailure) {
    if corners > 0 { try settings.cornerLimit.checkRoom(for: corners, in: self.counts.corners, of: user) }
  }

  /// The feed that judges a region; a region that is too small for its holder's feed is in the feed without fixes. One
  /// that departs is moved before its turn, because a call is about it.
  mutating func place(of id: String, _ holder: Holder, seeing own: FixFeedKey?, now: Instant) -> FixFeedKey?? {
    for key in self.allKeys {
      while let departed = self.table[key]?.regions.takeDeparted(id: id, of: holder) {
        let place = self.put(departed, seeing: own, now: now)
        self.probe(place, isNew: place != nil, now: now)
      }
    }
    return Self.places(seeing: own).first { self.table[$0]?.regions.state(id: id, of: holder) != nil }
  }

  func region(id: String, of holder: Holder, in key: FixFeedKey?) -> Region? {
    self.table[key]?.regions.region(id: id, of: holder)
  }

  func state(id: String, of holder: Holder, in key: FixFeedKey?) -> RegionState? {
    self.table[key]?.regions.state(id: id, of: holder)
  }

  /// The regions in the feed, then those that are too small, then those that are being moved; at most so many, and the
  /// number of the others.
  func regions(
    of holder: Holder, seeing own: FixFeedKey?, after id: String?, atMost limit: Int, now: Instant
  ) -> (regions: [RegionInfo], omitted: Int) {
    let places = Self.places(seeing: own)
    let start = id.flatMap { id in places.firstIndex { self.state(id: id, of: holder, in: $0) != nil } } ?? 0
    var listed: [RegionInfo] = []
    var omitted = 0
    func list(_ page: (regions: [MonitoredRegion], omitted: Int)?, isReduced: Bool) {
      guard let page else { return }
      omitted += page.omitted
      listed += page.regions.map { monitored in
        RegionInfo(
          region: monitored.region, state: monitored.state, since: monitored.since,
          remaining: monitored.snapshot.expiry.map { max(.zero, $0 - now) }, isReduced: isReduced)
      }
    }
    for (index, key) in places.enumerated().dropFirst(start) {
      list(
        self.table[key]?.regions.regions(
          of: holder, after: index == start ? id : nil, atMost: limit - listed.count),
        isReduced: key?.precision == .reduced)
    }
    for key in self.allKeys {
      list(
        self.table[key]?.regions.departing(of: holder, atMost: limit - listed.count),
        isReduced: own?.precision == .reduced)
    }
    return (listed, omitted)
  }

  /// All regions of a holder, in the stored form.
  func stored(of holder: Holder, seeing own: FixFeedKey?) -> [StoredRegion] {
    Self.places(seeing: own).flatMap { self.table[$0]?.regions.stored(of: holder) ?? [] }
      + self.allKeys.flatMap { self.table[$0]?.regions.storedDeparting(of: holder) ?? [] }
  }

  /// The feeds with the regions of a holder with that feed.
  private static func places(seeing own: FixFeedKey?) -> [FixFeedKey?] { own == nil ? [nil] : [own, nil] }

  // MARK: Adding and removing

  /// Adds a region, in place of another if one is given.
  ///
  /// - Returns: its state, and what follows from what the newest fix of the feed decides about it.
  mutating func add(
    _ region: Region, _ geometry: RegionGeometry, replacing replaced: Region?, of holder: Holder, _ user: UInt32,
    in key: FixFeedKey?, now: Instant
  ) -> (state: RegionState, effects: [HolderEffect]) {
    let corners = region.cornerCount - (replaced?.cornerCount ?? 0)
    self.counts.add(replaced == nil ? 1 : 0, corners: corners, of: holder, user)
    // The region was too small for its feed, and is not any more.
    if key != nil { self.table[nil]?.regions.remove(id: region.id, of: holder) }
    let fix = self.current(in: key).flatMap {
      $0.castsVotes && $0.age(at: now) <= RegionObservation.lifetime ? $0 : nil
    }
    let findings = self.table[key, default: Feed()].regions.add(
      region, geometry: geometry, of: holder, fix: fix, now: now)
    self.probe(key, isNew: true, now: now)
    let snapshot = self.table[key]?.regions.snapshot(id: region.id, of: holder) ?? RegionSnapshot()
    let stored = StoredRegion(region: region, snapshot: snapshot, geometry: geometry)
    let storing = holder.durable.map { [HolderEffect.store(.putRegion($0, stored))] } ?? []
    return (snapshot.state, storing + self.effects(of: findings, in: key))
  }

  /// Adds the regions that a holder had before the daemon was restarted.
  ///
  /// - Parameters:
  ///   - isKnown: Whether their states come from the feed that judges them now.
  ///   - waits: Whether the holder's permission is not yet known: they lose nothing.
  mutating func restore(
    _ stored: [StoredRegion], of holder: Holder, _ user: UInt32, seeing own: FixFeedKey?, isKnown: Bool, waits: Bool,
    now: Instant
  ) -> [StoreChange] {
    guard !stored.isEmpty, let name = holder.durable else { return [] }
    // Otherwise the next start would restore the removed states.
    let isForgotten = !waits && !isKnown && stored.contains { $0.snapshot.state != .unknown }
    var changes: [StoreChange] = isForgotten ? [.resetRegions(name)] : []
    for kept in stored {
      let geometry = RegionGeometry(kept.region.shape, reach: kept.reach, cap: kept.cap)
      let place = geometry.fits(own) ? own : nil
      let isLost = !waits && (place == nil || !isKnown)
      let snapshot = isLost ? RegionSnapshot(expiry: kept.snapshot.expiry) : kept.snapshot
      if isLost, !isForgotten, kept.snapshot.state != .unknown {
        changes.append(.setRegionSnapshot(name, id: kept.region.id, snapshot))
      }
      self.counts.add(1, corners: kept.region.cornerCount, of: holder, user)
      self.put(kept.region, geometry, snapshot, of: holder, in: place, now: now)
    }
    for place in Set([own, nil]) { self.probe(place, isNew: false, now: now) }
    return changes
  }

  private mutating func put(
    _ region: Region, _ geometry: RegionGeometry, _ snapshot: RegionSnapshot, of holder: Holder, in key: FixFeedKey?,
    now: Instant
  ) {
    _ = self.table[key, default: Feed()].regions.add(
      region, geometry: geometry, of: holder, restored: snapshot, fix: nil, now: now)
  }

  /// Returns the removed region's state; `nil` if there is none with this id.
  mutating func remove(
    id: String, of holder: Holder, in key: FixFeedKey?, now: Instant
  ) -> (state: RegionState, change: StoreChange?)? {
    guard let region = self.region(id: id, of: holder, in: key),
      let state = self.table[key]?.regions.remove(id: id, of: holder)
    else { return nil }
    self.counts.remove(region, of: holder)
    self.settle(key, now: now)
    return (state, holder.durable.map { .removeRegion($0, id: id) })
  }

  /// The daemon stops.
  mutating func removeAllRegions() {
    for key in self.allKeys {
      self.table[key]?.regions = RegionMonitor()
      self.table[key]?.probe = nil
      self.deadlines.set(nil, for: key)
      self.needs[key] = nil
    }
  }

  // MARK: Moving

  /// The holder's permission has changed: its regions are judged again, by its new feed.
  ///
  /// - Parameters:
  ///   - keepsStates: Whether they continue from their present states.
  ///   - effort: The effort that is left.
  mutating func move(
    _ holder: Holder, from old: FixFeedKey?, keepsStates: Bool, now: Instant, effort: inout Int,
    _ feed: FeedOfHolder
  ) -> [HolderEffect] {
    let places = Self.places(seeing: old)
    // Regions that are being moved already lose their states as well.
    for key in keepsStates ? places : self.allKeys {
      self.table[key]?.regions.depart(holder, keepsStates: keepsStates)
    }
    let hasLost = !keepsStates && self.regionCount(of: holder) > 0
    for place in places { self.moveDeparted(from: place, now: now, effort: &effort, feed) }
    // The states are removed from the store too, in case the daemon ends meanwhile.
    return hasLost ? holder.durable.map { [.store(.resetRegions($0))] } ?? [] : []
  }

  /// The holder is gone: its regions have no effect any more, and are removed.
  mutating func forget(_ holder: Holder, now: Instant, effort: inout Int, _ feed: FeedOfHolder) {
    guard self.counts.removeAll(of: holder) else { return }
    for key in self.allKeys { self.table[key]?.regions.forget(holder) }
    for key in self.allKeys { self.moveDeparted(from: key, now: now, effort: &effort, feed) }
  }

  /// Moves regions to the feed that judges them now, as far as the effort allows. Regions without a holder are removed.
  private mutating func moveDeparted(from key: FixFeedKey?, now: Instant, effort: inout Int, _ feed: FeedOfHolder) {
    var reached: Set<FixFeedKey?> = []
    var isAny = false
    while effort > 0, let departed = self.table[key]?.regions.takeDeparted() {
      effort -= Self.moveEffort
      isAny = true
      guard !departed.isForgotten else { continue }
      reached.insert(self.put(departed, seeing: feed(departed.holder), now: now))
    }
    guard isAny else { return }
    for place in reached { self.probe(place, isNew: place != nil, now: now) }
    if !reached.contains(key) { self.settle(key, now: now) }
  }

  /// Adds a departed region to its holder's present feed; `probe` is called for that feed afterwards.
  private mutating func put(_ departed: DepartedRegion, seeing own: FixFeedKey?, now: Instant) -> FixFeedKey? {
    let place = departed.geometry.fits(own) ? own : nil
    self.put(departed.region, departed.geometry, departed.snapshot, of: departed.holder, in: place, now: now)
    return place
  }

  // MARK: Judging

  /// Judges the regions by the newest fix of their feed, as far as the effort allows.
  mutating func judge(by fix: Fix, in key: FixFeedKey, now: Instant, effort: inout Int) -> [HolderEffect] {
    guard fix.castsVotes, let count = self.table[key]?.regions.count, count > 0 else { return [] }
    return self.judged(self.table[key]?.regions.fixed(fix, now: now, effort: &effort) ?? [], in: key, now: now)
  }

  private mutating func judged(_ findings: [RegionFinding], in key: FixFeedKey, now: Instant) -> [HolderEffect] {
    self.table[key]?.judged(now: now)
    self.settle(key, now: now)
    return self.effects(of: findings, in: key)
  }

  /// A stay, a wait or a region ends at its deadline.
  private mutating func deadlineReached(in key: FixFeedKey?, now: Instant, effort: inout Int) -> [HolderEffect] {
    self.table[key]?.probe?.deadlineReached(now: now)
    let findings = self.table[key]?.regions.deadlineReached(now: now, effort: &effort) ?? []
    for finding in findings where finding.event.kind == .expired {
      self.counts.remove(finding.region, of: finding.holder)
    }
    self.settle(key, now: now)
    return self.effects(of: findings, in: key)
  }

  /// Stores the states that have changed, and reports the events.
  private mutating func effects(of findings: [RegionFinding], in key: FixFeedKey?) -> [HolderEffect] {
    let changes = self.table[key]?.regions.takeChanges() ?? []
    let storing = changes.compactMap { change -> HolderEffect? in
      guard let name = change.holder.durable else { return nil }
      return .store(
        change.snapshot.map { .setRegionSnapshot(name, id: change.id, $0) } ?? .removeRegion(name, id: change.id))
    }
    return storing
      + findings.map { finding in
        var event = finding.event
        event.isReduced = key?.precision == .reduced
        return switch finding.holder {
        case .client(let client): .notify(client, .region(event))
        case .durable(let name): .post(.region(event), to: name)
        }
      }
  }

  // MARK: Continued work

  /// Continues the work of earlier turns: regions that move, that wait to be judged, or whose deadline has passed. Each
  /// feed is the first in its turn, so that one with many regions delays no other.
  mutating func continueWork(now: Instant, effort: inout Int, _ feed: FeedOfHolder) -> [HolderEffect] {
    let keys = self.allKeys
    self.firstAtWork = (self.firstAtWork + 1) % keys.count
    var effects: [HolderEffect] = []
    for key in keys[self.firstAtWork...] + keys[..<self.firstAtWork]
    where effort > 0 && self.isWorkLeft(in: key, now: now) {
      self.moveDeparted(from: key, now: now, effort: &effort, feed)
      if self.table[key]?.regions.nextDeadline.map({ $0 <= now }) ?? false {
        effects += self.deadlineReached(in: key, now: now, effort: &effort)
      }
      guard let key, self.table[key]?.regions.isBusy ?? false else { continue }
      let findings = self.table[key]?.regions.continueJudging(now: now, effort: &effort) ?? []
      effects += self.judged(findings, in: key, now: now)
    }
    return effects
  }

  /// Whether work is left for the next turn: regions that move, that wait to be judged, or whose deadline has passed.
  ///
  /// It looks each feed up, because going through the table copies each feed as a whole.
  func isWorkLeft(now: Instant) -> Bool {
    self.isWorkLeft(in: nil, now: now) || self.keys.contains { self.isWorkLeft(in: $0, now: now) }
  }

  private func isWorkLeft(in key: FixFeedKey?, now: Instant) -> Bool {
    self.regionCount(in: key) > 0 && self.table[key]?.regions.isWorkLeft(now: now) == true
  }

  // MARK: Time and the receiver

  /// When to call `deadlineReached`.
  var nextDeadline: Instant? { self.deadlines.next }

  /// The soonest deadline of all regions.
  mutating func deadlineReached(now: Instant, effort: inout Int) -> [HolderEffect] {
    self.deadlines.popDue(now: now).map { self.deadlineReached(in: $0, now: now, effort: &effort) } ?? []
  }

  /// The daemon did not run for so long: probes and pending votes get that time.
  mutating func putOff(by gap: Duration, now: Instant) {
    for key in self.allKeys {
      self.table[key]?.putOff(by: gap, now: now)
      self.settle(key, now: now)
    }
  }

  /// The need of a feed's regions.
  func need(in key: FixFeedKey) -> Need { self.needs[key] ?? .none }

  /// How many holders wait for a probe of the feed's regions.
  func watcherCount(in key: FixFeedKey) -> Int { self.table[key]?.regions.holderCount ?? 0 }

  /// Whether the holder is one of them.
  func isWatched(by holder: Holder, in key: FixFeedKey) -> Bool {
    self.table[key].map { $0.regions.count(of: holder) > 0 } ?? false
  }

  /// Turns the receiver on for regions that were added to a feed.
  ///
  /// - Parameter isNew: whether to probe at once, even if another probe was not long ago.
  private mutating func probe(_ key: FixFeedKey?, isNew: Bool, now: Instant) {
    let lastFix = self.current(in: .everything)?.arrival
    if key != nil, self.table[key]?.probe == nil || isNew {
      self.table[key]?.probe = ProbeSchedule(lastFix: lastFix, now: now)
    }
    self.settle(key, now: now)
  }

  /// Stores the next deadline of a feed's regions, and their need.
  private mutating func settle(_ key: FixFeedKey?, now: Instant) {
    guard let count = self.table[key]?.regions.count else { return }
    if count == 0 { self.table[key]?.probe = nil }
    // Overdue regions continue in the next turn anyway.
    let own = self.table[key]?.regions.nextDeadline.flatMap { $0 > now ? $0 : nil }
    self.deadlines.set([self.table[key]?.probe?.nextDeadline, own].compactMap { $0 }.min(), for: key)
    self.needs[key] = self.table[key]?.need
  }
}

/// The number of regions of each holder and user, and of their polygons' corners.
struct RegionCounts: Sendable {
  private struct Count: Sendable {
    let user: UInt32
    var regions = 0
    var corners = 0
  }

  private var holders: [Holder: Count] = [:]
  private(set) var regions = UserCounts()
  private(set) var corners = UserCounts()

  /// How many regions a holder has.
  subscript(holder: Holder) -> Int { self.holders[holder]?.regions ?? 0 }

  /// - Parameter user: The holder's user.
  mutating func add(_ regions: Int, corners: Int, of holder: Holder, _ user: UInt32) {
    self.holders[holder, default: Count(user: user)].regions += regions
    self.holders[holder]?.corners += corners
    if self[holder] == 0 { self.holders[holder] = nil }
    self.regions.add(regions, of: user)
    self.corners.add(corners, of: user)
  }

  /// A region of a holder is removed.
  mutating func remove(_ region: Region, of holder: Holder) {
    guard let user = self.holders[holder]?.user else { return }
    self.add(-1, corners: -region.cornerCount, of: holder, user)
  }

  /// The holder is gone.
  ///
  /// - Returns: whether it had any regions.
  mutating func removeAll(of holder: Holder) -> Bool {
    guard let count = self.holders[holder] else { return false }
    self.add(-count.regions, corners: -count.corners, of: holder, count.user)
    return true
  }
}
