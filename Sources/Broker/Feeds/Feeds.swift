import Positioning

/// Which fixes clients get to see, by what they may know, and what those fixes say of the regions that they watch.
///
/// A region is judged by the fixes that its holder sees. What is too small for those, and what belongs to somebody who
/// sees none, is in a feed of its own into which no fix comes. When the holder comes to see another feed its regions
/// depart, and whoever drives this puts them in where they are judged from then on, a few in each turn.
struct Feeds: Sendable {
  typealias Finding = RegionMonitor<Holder>.Event

  private struct Feed: Sendable {
    /// The newest fix of the feed.
    var current: Fix?
    var epoch = 0
    var regions = RegionMonitor<Holder>()
    /// When to probe for the regions; `nil` while there are none.
    var probe: ProbeSchedule?
    /// How many clients and durable names see it.
    var viewers = 0

    /// What the regions need of the receiver.
    var need: Need { self.regions.isPending ? .now : self.probe?.need ?? .none }

    /// After some or all regions were judged by the newest fix: the receiver stays on while any waits.
    mutating func judged(now: Instant) {
      // A fix of unknown accuracy decides nothing, and a probe that brought one goes on.
      guard let current, current.horizontalAccuracy != nil else { return }
      let isOver = !self.regions.isBusy && !self.regions.isPending
      let sleep =
        isOver ? self.regions.nextProbe(after: current, speedBound: Activity.other.speedBound, now: now) : nil
      self.probe?.fixed(next: sleep ?? .zero, now: now)
    }
  }

  /// An older fix says nothing about where the device is now.
  private static let regionFixAge: Duration = .seconds(10)

  /// Those that somebody sees or has seen. `nil`: that of those who may know nothing.
  private var table: [FixFeedKey?: Feed] = [nil: Feed(), .everything: Feed()]
  /// The feeds with fixes, always in the same order.
  private(set) var keys: [FixFeedKey] = [.everything]
  /// When the regions of each want to be asked, and what they need of the receiver.
  private var deadlines = DeadlineQueue<FixFeedKey?>()
  private var needs: [FixFeedKey?: Need] = [:]
  private var reducedFixes: ReducedFixes
  private var counts = RegionCounts()
  /// The one whose work comes first, so that each has its turn.
  private var firstAtWork = 0

  init(restoring fuzzer: LocationFuzzer.Snapshot?, seed: UInt64, now: Instant) {
    self.reducedFixes = ReducedFixes(restoring: fuzzer, seed: seed, now: now)
  }

  // MARK: Who sees which

  /// The feeds with fixes, and the one without.
  var allKeys: [FixFeedKey?] { self.keys + [nil] }

  func viewers(of key: FixFeedKey?) -> Int { self.table[key]?.viewers ?? 0 }

  /// One more sees a feed, and at once what came into it last.
  ///
  /// - Parameter newest: the newest fix of all.
  mutating func enter(_ key: FixFeedKey?, newest: Fix?, epoch: Int) {
    if let key, self.table[key] == nil { self.keys = (self.keys + [key]).sorted() }
    self.table[key, default: Feed()].viewers += 1
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

  /// When the next fix can come into the feed, where that is not at once.
  func nextFix(in key: FixFeedKey, now: Instant) -> Instant? {
    guard key.interval > .zero, let arrival = self.table[key]?.current?.arrival else { return nil }
    let due = arrival + key.interval
    return due > now ? due : nil
  }

  /// Takes a fix, or a better one of the same epoch. Returns whether it is published.
  mutating func take(_ fix: Fix, epoch: Int, in key: FixFeedKey) -> Bool {
    if key.interval > .zero, let feed = self.table[key], let current = feed.current,
      epoch != feed.epoch || fix.isReduced
    {
      // Allows for small variations of the receiver's cycle.
      let tolerance = min(key.interval / 10, .milliseconds(100))
      guard fix.arrival - current.arrival >= key.interval - tolerance else { return false }
    }
    self.table[key, default: Feed()].current = fix
    self.table[key]?.epoch = epoch
    return true
  }

  // MARK: Reduced fixes

  /// What must outlive the daemon, so that nobody is shown the position by another offset.
  var fuzzer: LocationFuzzer.Snapshot { self.reducedFixes.snapshot }

  /// What a fix becomes for those who may know the position roughly, if there is anybody and it is time; and by which
  /// offset others were shown that are kept.
  ///
  /// - Parameter mayDrift: whether another offset could be kept.
  mutating func reduce(_ fix: Fix, mayDrift: Bool, now: Instant) -> (reduced: Fix, kept: LocationFuzzer.Snapshot)? {
    guard self.keys.contains(where: { $0.precision == .reduced && self.viewers(of: $0) > 0 }) else { return nil }
    let kept = self.fuzzer
    return self.reducedFixes.fixed(fix, mayDrift: mayDrift, now: now).map { ($0, kept) }
  }

  /// What was made of a fix is kept, or cannot be.
  ///
  /// - Returns: what is shown, and what is to be kept instead.
  mutating func confirmed(
    _ reduced: Fix, of fix: Fix, kept: LocationFuzzer.Snapshot, isKept: Bool
  ) -> (shown: Fix, correction: StoreChange?) {
    self.reducedFixes.confirmed(reduced, of: fix, kept: kept, isKept: isKept)
  }

  // MARK: Regions and their holders

  /// How many regions a holder has, those on their way among them.
  func regionCount(of holder: Holder) -> Int { self.counts[holder] }

  /// How many regions are judged by a feed, those that depart among them.
  func regionCount(in key: FixFeedKey?) -> Int { self.table[key]?.regions.count ?? 0 }

  /// How many each user has, and how many corners.
  var holdings: (regions: Tally, corners: Tally) { (self.counts.regions, self.counts.corners) }

  /// Whether the user may have one more, or one in place of another.
  func checkRoom(replacing isKnown: Bool, of user: UInt32, _ settings: BrokerSettings) throws(CallFailure) {
    if !isKnown { try settings.regionLimit.checkRoom(in: self.counts.regions, of: user) }
  }

  func checkRoom(forCorners corners: Int, of user: UInt32, _ settings: BrokerSettings) throws(CallFailure) {
    if corners > 0 { try settings.cornerLimit.checkRoom(for: corners, in: self.counts.corners, of: user) }
  }

  /// Where a region is judged; what is too small for the feed that its holder sees is where no fix comes.
  func place(of id: String, _ holder: Holder, seeing own: FixFeedKey?) -> FixFeedKey?? {
    Self.places(seeing: own).first { self.table[$0]?.regions.state(id: id, of: holder) != nil }
  }

  func region(id: String, of holder: Holder, in key: FixFeedKey?) -> Region? {
    self.table[key]?.regions.region(id: id, of: holder)
  }

  func state(id: String, of holder: Holder, in key: FixFeedKey?) -> RegionState? {
    self.table[key]?.regions.state(id: id, of: holder)
  }

  /// The regions in the feed, then those that are too small, then those that are moving; at most so many, and how many
  /// follow.
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

  /// The same in the stored form.
  func stored(of holder: Holder, seeing own: FixFeedKey?) -> [StoredRegion] {
    Self.places(seeing: own).flatMap { self.table[$0]?.regions.stored(of: holder) ?? [] }
      + self.allKeys.flatMap { self.table[$0]?.regions.storedDeparting(of: holder) ?? [] }
  }

  /// Where the regions of somebody are who sees that feed.
  private static func places(seeing own: FixFeedKey?) -> [FixFeedKey?] { own == nil ? [nil] : [own, nil] }

  // MARK: Adding and removing

  /// Adds a region, in place of another if one is given.
  ///
  /// - Parameter lastFix: when the receiver had a fix last.
  /// - Returns: how it stands, and what the newest fix of the feed says of it.
  mutating func add(
    _ region: Region, _ geometry: RegionGeometry, replacing replaced: Region?, of holder: Holder, _ user: UInt32,
    in key: FixFeedKey?, lastFix: Instant?, now: Instant
  ) -> (snapshot: RegionSnapshot, findings: [Finding]) {
    let corners = region.cornerCount - (replaced?.cornerCount ?? 0)
    self.counts.add(replaced == nil ? 1 : 0, corners: corners, of: holder, user)
    // A region that was too small for its feed, and is not any more.
    if key != nil { self.table[nil]?.regions.remove(id: region.id, of: holder) }
    let fix = self.current(in: key).flatMap { $0.age(at: now) <= Self.regionFixAge ? $0 : nil }
    let findings = self.table[key, default: Feed()].regions.add(
      region, geometry: geometry, of: holder, fix: fix, now: now)
    self.probe(key, isNew: true, lastFix: lastFix, now: now)
    return (self.table[key]?.regions.snapshot(id: region.id, of: holder) ?? RegionSnapshot(), findings)
  }

  /// Adds one that stood before the daemon was started again. `probe` comes after the last of them.
  mutating func restore(
    _ region: Region, _ geometry: RegionGeometry, _ snapshot: RegionSnapshot, of holder: Holder, _ user: UInt32,
    in key: FixFeedKey?, now: Instant
  ) {
    self.counts.add(1, corners: region.cornerCount, of: holder, user)
    self.put(region, geometry, snapshot, of: holder, in: key, now: now)
  }

  private mutating func put(
    _ region: Region, _ geometry: RegionGeometry, _ snapshot: RegionSnapshot, of holder: Holder, in key: FixFeedKey?,
    now: Instant
  ) {
    _ = self.table[key, default: Feed()].regions.add(
      region, geometry: geometry, of: holder, restored: snapshot, fix: nil, now: now)
  }

  /// The removed region's state; `nil` if there is none with this id.
  mutating func remove(id: String, of holder: Holder, in key: FixFeedKey?, now: Instant) -> RegionState? {
    guard let region = self.region(id: id, of: holder, in: key),
      let state = self.table[key]?.regions.remove(id: id, of: holder)
    else { return nil }
    self.counts.remove(region, of: holder)
    self.settle(key, now: now)
    return state
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

  /// The holder sees another feed from now on: its regions have no effect until they are added there.
  ///
  /// - Parameter keepsStates: whether they go on from what was known of them.
  /// - Returns: from where they depart.
  mutating func depart(_ holder: Holder, from old: FixFeedKey?, keepsStates: Bool) -> [FixFeedKey?] {
    let places = Self.places(seeing: old)
    // Regions that are moving already lose their states as well.
    for key in keepsStates ? places : self.allKeys {
      self.table[key]?.regions.depart(holder, keepsStates: keepsStates)
    }
    return places
  }

  /// The holder is gone: its regions have no effect any more, and are removed.
  ///
  /// - Returns: from where they depart.
  mutating func forget(_ holder: Holder) -> [FixFeedKey?] {
    guard self.counts.removeAll(of: holder) else { return [] }
    for key in self.allKeys { self.table[key]?.regions.forget(holder) }
    return self.allKeys
  }

  /// Takes out the next one that departs. `probe` or `settle` comes after the last of them.
  mutating func takeDeparted(from key: FixFeedKey?) -> DepartedRegion<Holder>? {
    self.table[key]?.regions.takeDeparted()
  }

  /// Takes out one that departs before its turn, wherever it is.
  mutating func takeDeparted(id: String, of holder: Holder) -> DepartedRegion<Holder>? {
    for key in self.allKeys {
      if let departed = self.table[key]?.regions.takeDeparted(id: id, of: holder) { return departed }
    }
    return nil
  }

  /// Puts in one that departed from elsewhere, where its holder's are judged now; that is where `probe` comes next.
  mutating func put(_ departed: DepartedRegion<Holder>, seeing own: FixFeedKey?, now: Instant) -> FixFeedKey? {
    let place = departed.geometry.fits(own) ? own : nil
    self.put(departed.region, departed.geometry, departed.snapshot, of: departed.holder, in: place, now: now)
    return place
  }

  // MARK: Judging

  /// Judges the regions by the newest fix of their feed, as far as the effort goes.
  mutating func judge(by fix: Fix, in key: FixFeedKey, now: Instant, effort: inout Int) -> [Finding] {
    guard let count = self.table[key]?.regions.count, count > 0 else { return [] }
    return self.judged(self.table[key]?.regions.fixed(fix, now: now, effort: &effort) ?? [], in: key, now: now)
  }

  /// Goes on with those that wait to be judged.
  mutating func continueJudging(in key: FixFeedKey, now: Instant, effort: inout Int) -> [Finding] {
    guard self.table[key]?.regions.isBusy ?? false else { return [] }
    return self.judged(self.table[key]?.regions.continueJudging(now: now, effort: &effort) ?? [], in: key, now: now)
  }

  private mutating func judged(_ findings: [Finding], in key: FixFeedKey, now: Instant) -> [Finding] {
    self.table[key]?.judged(now: now)
    self.settle(key, now: now)
    return findings
  }

  /// Time alone ends a stay, a wait, or a region.
  mutating func deadlineReached(in key: FixFeedKey?, now: Instant, effort: inout Int) -> [Finding] {
    self.table[key]?.probe?.deadlineReached(now: now)
    let findings = self.table[key]?.regions.deadlineReached(now: now, effort: &effort) ?? []
    for finding in findings where finding.event.kind == .expired {
      self.counts.remove(finding.region, of: finding.holder)
    }
    self.settle(key, now: now)
    return findings
  }

  /// What changed of the regions since it was asked last.
  mutating func takeChanges(in key: FixFeedKey?) -> [RegionMonitor<Holder>.Change] {
    self.table[key]?.regions.takeChanges() ?? []
  }

  // MARK: Work that goes on

  /// Whether anything goes on in the next turn: regions that move, that wait to be judged, or whose time has come.
  func isWorkLeft(now: Instant) -> Bool { self.table.values.contains { $0.regions.isWorkLeft(now: now) } }

  func isWorkLeft(in key: FixFeedKey?, now: Instant) -> Bool {
    self.table[key]?.regions.isWorkLeft(now: now) ?? false
  }

  func isOverdue(_ key: FixFeedKey?, now: Instant) -> Bool {
    self.table[key]?.regions.nextDeadline.map { $0 <= now } ?? false
  }

  /// Those at work, each the first in its turn, so that one with many regions holds up no other.
  mutating func takeWorkingFeeds() -> [FixFeedKey?] {
    let keys = self.allKeys
    self.firstAtWork = (self.firstAtWork + 1) % keys.count
    return Array(keys[self.firstAtWork...] + keys[..<self.firstAtWork])
  }

  // MARK: Time and the receiver

  /// When `takeDue` must be asked.
  var nextDeadline: Instant? { self.deadlines.next }

  /// Takes the feed whose regions want to be asked the soonest, if it is time.
  mutating func takeDue(now: Instant) -> FixFeedKey?? { self.deadlines.popDue(now: now) }

  /// What the regions of a feed need of the receiver.
  func need(in key: FixFeedKey) -> Need { self.needs[key] ?? .none }

  /// How many holders wait for a probe of the feed's regions.
  func watcherCount(in key: FixFeedKey) -> Int { self.table[key]?.regions.holderCount ?? 0 }

  /// Whether the holder is one of them.
  func isWatched(by holder: Holder, in key: FixFeedKey) -> Bool {
    self.table[key].map { $0.regions.count(of: holder) > 0 } ?? false
  }

  /// Has the receiver look for regions that came into a feed.
  ///
  /// - Parameter isNew: whether it looks at once, though it looked for others not long ago.
  mutating func probe(_ key: FixFeedKey?, isNew: Bool, lastFix: Instant?, now: Instant) {
    if key != nil, self.table[key]?.probe == nil || isNew {
      self.table[key]?.probe = ProbeSchedule(lastFix: lastFix, now: now)
    }
    self.settle(key, now: now)
  }

  /// Stores when the regions of a feed want to be called, and what they need.
  mutating func settle(_ key: FixFeedKey?, now: Instant) {
    guard let count = self.table[key]?.regions.count else { return }
    if count == 0 { self.table[key]?.probe = nil }
    // Overdue regions continue in the next turn anyway.
    let own = self.table[key]?.regions.nextDeadline.flatMap { $0 > now ? $0 : nil }
    self.deadlines.set([self.table[key]?.probe?.nextDeadline, own].compactMap { $0 }.min(), for: key)
    self.needs[key] = self.table[key]?.need
  }
}
