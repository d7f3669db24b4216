import Geodesy
import Positioning

/// All regions of all holders in one feed, judged by each of its fixes.
///
/// A holder is a client or a durable name. The monitor reads no clock; its driver calls `deadlineReached` at
/// `nextDeadline`, keeps the receiver on while `isPending`, and lets it sleep no longer than `nextProbe` says.
///
/// Each fix is compared with the active regions: those that the device is inside, those without a state, and those with
/// pending votes. Of the others, which the device is outside of, only those are compared that the index finds at the
/// fix or on the path to it; the rest cannot have changed.
///
/// Thousands of regions may contain the device. They are judged in slices: each call has a limited effort, and while
/// `isBusy` the driver calls `continueJudging` in its next turns. A newer fix does not wait for that. Waiting regions
/// are judged by the newest fix, in the order in which they began to wait, so that none waits for ever. A region's
/// events follow from the fixes by which it was judged, and the path to a fix begins at the previous one by which the
/// region was judged.
struct RegionMonitor: Sendable {
  private struct Key: Hashable {
    let holder: Holder
    let id: String
  }

  /// The holders whose regions depart, and the regions' future.
  private struct Departure: Hashable {
    enum Outcome {
      /// They keep their states in another feed.
      case keepsStates
      /// They begin again in another feed.
      case beginsAnew
      /// Their holder is gone; a new holder may have the same name.
      case isForgotten
    }

    let holder: Holder
    let outcome: Outcome

    /// The state of a departing region in the other feed.
    func snapshot(of entry: RegionEntry) -> RegionSnapshot {
      self.outcome == .keepsStates ? entry.snapshot : RegionSnapshot(expiry: entry.expiry)
    }
  }

  private enum DeadlineKey: Hashable {
    case expiry(Int)
    case dwell(Int)
    case awaited(Int)

    var slot: Int {
      switch self {
      case .expiry(let slot), .dwell(let slot), .awaited(let slot): slot
      }
    }
  }

  /// An event with its order among those of the same moment.
  private struct OrderedEvent {
    let event: RegionFinding
    let serial: UInt64

    /// Ordered by holder, then as the regions were added, then as the events occurred, rather than as the search found
    /// them.
    static func inOrder(_ found: [OrderedEvent]) -> [RegionFinding] {
      if found.count < 2 { return found.map(\.event) }
      return found.enumerated().sorted { left, right in
        (left.element.event.holder, left.element.serial, left.offset)
          < (right.element.event.holder, right.element.serial, right.offset)
      }.map(\.element.event)
    }
  }

  /// The longest time after a fix for which its place counts: the device may be faster than the greatest speed.
  static let longestSleep: Duration = .seconds(900)
  /// The effort for computing depths in one search.
  private static let exactDistances = 2000

  private(set) var entries: [RegionEntry?] = []
  private var free: [Int] = []
  private var nextSerial: UInt64 = 0
  private(set) var holders: [Holder: OrderedTable<String, Int>] = [:]
  /// The slots that are compared with each fix.
  private(set) var active: [Int] = []
  private(set) var index = RegionIndex()
  private var trail = Trail()
  /// The slots that `observation` is still to judge, in the order in which they began to wait. A slot may belong to
  /// another region meanwhile, which its serial shows.
  private var waiting = Fifo<(slot: Int, serial: UInt64)>()
  /// The newest fix.
  private var observation: RegionObservation?
  /// Holders that left or that another feed judges now. Their regions have no effect any more, and are removed one by
  /// one.
  private var departing = OrderedTable<Departure, OrderedTable<String, Int>>()
  private var deadlines = DeadlineQueue<DeadlineKey>()
  /// The regions with a latency, the shortest first, as if each were a deadline after boot.
  private(set) var latencies = DeadlineQueue<Int>()
  private var changes = OrderedTable<Key, RegionChange>()
  private var awaitedCount = 0
  /// When the daemon last began to look again, after a time in which it could not.
  private var absenceEnd: Instant?
  /// How many regions have `crossed`.
  private(set) var crossingCount = 0

  /// How many regions were compared with the last fix, which was its cost.
  private(set) var candidatesExamined = 0
  /// How many regions the last `nextProbe` examined, which was its cost.
  private(set) var candidatesProbed = 0

  init() {}

  // MARK: Reading

  /// The departing ones among them.
  var count: Int { self.entries.count - self.free.count }

  /// Whether regions wait to be judged, so that `continueJudging` must be called soon.
  var isBusy: Bool { !self.waiting.isEmpty }

  /// Whether work is left for the next turn: regions that wait, depart, or are due.
  func isWorkLeft(now: Instant) -> Bool {
    self.isBusy || !self.departing.isEmpty || (self.nextDeadline.map { $0 <= now } ?? false)
  }

  /// How many holders have regions here.
  var holderCount: Int { self.holders.count }

  func count(of holder: Holder) -> Int { self.holders[holder]?.count ?? 0 }

  /// At most so many in the order of adding, from the first or from the one after an id on, and how many follow.
  func regions(of holder: Holder, after id: String?, atMost limit: Int) -> (regions: [MonitoredRegion], omitted: Int) {
    guard let page = self.holders[holder]?.page(after: id, atMost: limit) else { return ([], 0) }
    let regions = page.values.compactMap { self.entries[$0] }.map {
      MonitoredRegion(region: $0.region, snapshot: $0.snapshot)
    }
    return (regions, page.omitted)
  }

  func region(id: String, of holder: Holder) -> Region? {
    self.slot(id: id, of: holder).flatMap { self.entries[$0]?.region }
  }

  func snapshot(id: String, of holder: Holder) -> RegionSnapshot? {
    self.slot(id: id, of: holder).flatMap { self.entries[$0]?.snapshot }
  }

  func state(id: String, of holder: Holder) -> RegionState? { self.snapshot(id: id, of: holder)?.state }

  /// When to call `deadlineReached`: a stay becomes a dwell, a region expires, or a wait ends.
  var nextDeadline: Instant? { self.deadlines.next }

  /// Whether a vote waits for another fix, so that the receiver must stay on: for at most a minute after the vote; then
  /// `deadlineReached` ends it.
  var isPending: Bool { self.awaitedCount > 0 }

  private func slot(id: String, of holder: Holder) -> Int? { self.holders[holder]?[id] }

  // MARK: Adding and removing

  /// Adds a region, or changes the options of an existing one; with a new shape it begins again, with an unknown state.
  ///
  /// - Parameters:
  ///   - region: A checked region.
  ///   - geometry: The geometry of its shape, if it was computed before.
  ///   - restored: The state from before a restart; its expiry applies rather than the region's `expiresIn`.
  ///   - fix: The current fix, if it is young enough to judge by.
  mutating func add(
    _ region: Region, geometry: RegionGeometry? = nil, of holder: Holder, restored: RegionSnapshot? = nil, fix: Fix?,
    now: Instant
  ) -> [RegionFinding] {
    let slot: Int
    if let held = self.slot(id: region.id, of: holder), let entry = self.entries[held] {
      slot = held
      self.replace(slot, entry, with: region, geometry, now: now)
    } else {
      let geometry = geometry ?? RegionGeometry(region.shape)
      slot = self.insert(region, geometry, of: holder, restored: restored, now: now)
    }
    guard let fix, self.entries[slot]?.tracker.state == .unknown, let observation = self.trail.observation(of: fix)
    else {
      return []
    }
    return self.judge(slot, observation, on: .broken, now: now).events
  }

  /// The removed region's state; `nil` if there is none with this id.
  @discardableResult
  mutating func remove(id: String, of holder: Holder) -> RegionState? {
    guard let slot = self.slot(id: id, of: holder), let entry = self.entries[slot] else { return nil }
    self.freeSlot(slot)
    self.changes[Key(holder: holder, id: id)] = nil
    return entry.tracker.state
  }

  private mutating func insert(
    _ region: Region, _ geometry: RegionGeometry, of holder: Holder, restored: RegionSnapshot?, now: Instant
  ) -> Int {
    let tracker = RegionTracker(geometry: geometry, state: restored?.state ?? .unknown, since: restored?.since)
    self.nextSerial += 1
    var entry = RegionEntry(holder: holder, region: region, tracker: tracker, serial: self.nextSerial)
    entry.expiry = restored?.expiry ?? (restored == nil ? region.expiresIn.map { now + $0 } : nil)
    entry.hasDwelled = restored?.hasDwelled ?? false
    entry.watchedSince = restored == nil ? now : nil
    let slot = self.free.popLast() ?? self.entries.count
    if slot == self.entries.count { self.entries.append(entry) } else { self.entries[slot] = entry }
    self.holders[holder, default: OrderedTable()][region.id] = slot
    self.enlist(slot)
    return slot
  }

  private mutating func replace(
    _ slot: Int, _ entry: RegionEntry, with region: Region, _ geometry: RegionGeometry?, now: Instant
  ) {
    self.removeFromIndexes(slot)
    self.entries[slot]?.region = region
    self.entries[slot]?.expiry = region.expiresIn.map { now + $0 }
    if entry.region.shape != region.shape {
      self.entries[slot]?.tracker = RegionTracker(geometry: geometry ?? RegionGeometry(region.shape))
      self.entries[slot]?.hasDwelled = false
      self.entries[slot]?.watchedSince = now
      self.noteChange(slot)
    }
    self.enlist(slot)
  }

  private mutating func freeSlot(_ slot: Int) {
    guard let entry = self.entries[slot] else { return }
    self.holders[entry.holder]?[entry.region.id] = nil
    if self.holders[entry.holder]?.isEmpty ?? false { self.holders[entry.holder] = nil }
    self.release(slot)
  }

  /// Removes a region without a holder.
  private mutating func release(_ slot: Int) {
    self.removeFromIndexes(slot)
    self.entries[slot] = nil
    self.free.append(slot)
  }

  /// Enters a region into all tables.
  private mutating func enlist(_ slot: Int) {
    guard let entry = self.entries[slot] else { return }
    let geometry = entry.tracker.geometry
    self.index.insert(
      RegionIndex.Item(
        slot: slot, middle: geometry.middle, radius: geometry.radius, latency: entry.region.latency ?? .zero))
    if let latency = entry.region.latency { self.latencies.set(Instant(sinceBoot: latency), for: slot) }
    if entry.isForCrossing { self.crossingCount += 1 }
    if let expiry = entry.expiry { self.deadlines.set(expiry, for: .expiry(slot)) }
    self.settle(slot)
  }

  private mutating func removeFromIndexes(_ slot: Int) {
    guard let entry = self.entries[slot] else { return }
    self.index.remove(slot: slot)
    if entry.region.latency != nil { self.latencies.set(nil, for: slot) }
    if entry.isForCrossing { self.crossingCount -= 1 }
    if entry.expiry != nil { self.deadlines.set(nil, for: .expiry(slot)) }
    self.setDwell(nil, slot)
    self.setAwaited(nil, slot)
    self.setActive(false, slot)
  }

  // MARK: Judging

  /// A new fix, or a better one of the newest epoch. The events of one call are ordered by holder, and then as the
  /// regions were added.
  ///
  /// - Parameter effort: The effort that is left. If regions wait already, the others wait behind them.
  mutating func fixed(_ fix: Fix, now: Instant, effort: inout Int) -> [RegionFinding] {
    self.candidatesExamined = 0
    guard let (observation, continuation) = self.trail.extend(by: fix) else { return [] }
    let wasBusy = self.isBusy
    self.observation = observation
    self.candidatesExamined += self.active.count
    for slot in self.active + self.quietRegions(observation, on: continuation) { self.wait(slot, on: continuation) }
    return wasBusy ? [] : self.continueJudging(now: now, effort: &effort)
  }

  /// Judges waiting regions, as far as the effort allows.
  mutating func continueJudging(now: Instant, effort: inout Int) -> [RegionFinding] {
    guard let observation else { return [] }
    var found: [OrderedEvent] = []
    while effort > 0, let (slot, serial) = self.waiting.popFirst() {
      effort -= 1
      guard self.entries[slot]?.serial == serial, let continuation = self.entries[slot]?.waits.take(),
        !self.isDeparting(slot)
      else { continue }
      for (observation, continuation) in self.due(observation, on: continuation) {
        let (events, spent) = self.judge(slot, observation, on: continuation, now: now)
        effort -= spent
        found += events.map { OrderedEvent(event: $0, serial: serial) }
      }
    }
    return OrderedEvent.inOrder(found)
  }

  /// The fixes by which a waiting region is judged: the newest. If that one is too inaccurate for the path, first the
  /// fix at the end of the path, because the path to it would be lost otherwise.
  private func due(_ newest: RegionObservation, on continuation: Trail.Continuation) -> [(
    RegionObservation, Trail.Continuation
  )] {
    guard self.trail.isNewestAside, let end = self.trail.end else {
      return [(newest, continuation.leading(to: newest))]
    }
    switch continuation {
    case .aside: return [(newest, .aside)]
    case .from, .broken: return [(end, continuation.leading(to: end)), (newest, .aside)]
    }
  }

  /// Queues a region to be judged by the newest fix. The path of a waiting region still begins where it did.
  private mutating func wait(_ slot: Int, on continuation: Trail.Continuation) {
    guard let entry = self.entries[slot] else { return }
    switch entry.waits {
    case .from, .broken: break
    // It would have been judged by an inaccurate fix, from which no path continues.
    case .aside: self.entries[slot]?.waits = continuation
    case nil:
      self.entries[slot]?.waits = continuation
      self.waiting.append((slot, entry.serial))
    }
  }

  /// The quiet regions that the fix may change.
  private mutating func quietRegions(_ observation: RegionObservation, on continuation: Trail.Continuation) -> [Int] {
    let place = observation.place.cartesian
    var segment = Segment(from: place, to: place)
    var includesCrossing = false
    if case .from(let start) = continuation, self.crossingCount > 0 {
      segment = Segment(from: start.place.cartesian, to: place)
      includesCrossing = true
    }
    let finding = self.index.search(along: segment, sigma: observation.sigma, includesCrossing: includesCrossing)
    self.candidatesExamined += finding.examined
    return finding.slots.filter { self.entries[$0]?.activePlace == nil }
  }

  /// Compares one region with a fix.
  private mutating func judge(
    _ slot: Int, _ observation: RegionObservation, on continuation: Trail.Continuation, now: Instant
  ) -> (events: [RegionFinding], effort: Int) {
    guard let isForCrossing = self.entries[slot]?.isForCrossing else { return ([], 0) }
    let voteBefore = self.entries[slot]?.tracker.candidate?.last
    guard let verdict = self.entries[slot]?.tracker.sighted(observation, on: continuation, isForCrossing: isForCrossing)
    else {
      return ([], 0)
    }
    var effort = verdict.effort
    if verdict.vote == .inside, self.entries[slot]?.awaitsDwell ?? false {
      self.entries[slot]?.seen(observation, absenceEnd: self.absenceEnd)
      effort += self.entries[slot]?.tracker.geometry.effort ?? 0
    }
    let candidate = self.entries[slot]?.tracker.candidate
    if candidate?.last != voteBefore { self.setAwaited(candidate.map { $0.last + RegionRule.memory }, slot) }
    var events: [RegionFinding] = []
    switch verdict.decision {
    case .decided(let state): events += self.decided(slot, from: state, by: observation)
    case .crossed(let passage): events += self.crossed(slot, passage, by: observation)
    case nil: break
    }
    events += self.dwelled(slot, by: observation, at: now)
    self.settle(slot)
    return (events, effort)
  }

  private mutating func decided(
    _ slot: Int, from before: RegionState, by observation: RegionObservation
  ) -> [RegionFinding] {
    self.entries[slot]?.hasDwelled = false
    self.noteChange(slot)
    guard let entry = self.entries[slot] else { return [] }
    let kind: RegionEventKind = entry.tracker.state == .inside ? .enter : .exit
    let isReported: Bool
    if before != .unknown {
      isReported = entry.region.notify.contains(kind)
    } else {
      switch entry.region.initial {
      case .none: isReported = false
      case .ifInside: isReported = kind == .enter
      case .always: isReported = true
      }
    }
    guard isReported else { return [] }
    var finding = entry.event(kind, observation: observation, at: observation.moment)
    finding.event.isInitial = before == .unknown
    return [finding]
  }

  private func crossed(
    _ slot: Int, _ passage: ClosedRange<Instant>, by observation: RegionObservation
  ) -> [RegionFinding] {
    guard var finding = self.entries[slot]?.event(.crossed, observation: observation, at: observation.moment) else {
      return []
    }
    finding.event.isInferred = true
    finding.event.passage = passage
    // The probability of the last fix, which is outside, does not describe the crossing.
    finding.event.probability = nil
    return [finding]
  }

  /// A long stay, as far as fixes show it: time in which nobody looked makes none, nor does a vote to leave that is
  /// pending.
  private mutating func dwelled(_ slot: Int, by observation: RegionObservation?, at now: Instant) -> [RegionFinding] {
    guard self.entries[slot]?.isDwell(at: now) ?? false else { return [] }
    self.entries[slot]?.hasDwelled = true
    self.noteChange(slot)
    return self.entries[slot].map { [$0.event(.dwell, observation: observation, at: now)] } ?? []
  }

  /// The daemon did not run until now: the path is unknown, and what lasted meanwhile was not seen.
  mutating func wasAbsent(for gap: Duration, until now: Instant) {
    if gap > Trail.longestGap { self.absenceEnd = now }
  }

  // MARK: Consequences of a state

  /// Updates what follows from a region's state: whether it is active, and when its stay becomes a dwell.
  private mutating func settle(_ slot: Int) {
    self.setActive(!(self.entries[slot]?.tracker.isQuiet ?? true), slot)
    self.setDwell(self.entries[slot]?.dwellDeadline, slot)
  }

  private mutating func setDwell(_ due: Instant?, _ slot: Int) {
    guard self.entries[slot]?.dwellArmed != due else { return }
    self.entries[slot]?.dwellArmed = due
    self.deadlines.set(due, for: .dwell(slot))
  }

  private mutating func setAwaited(_ until: Instant?, _ slot: Int) {
    guard let wasAwaited = self.entries[slot]?.isAwaited, until != nil || wasAwaited else { return }
    self.entries[slot]?.isAwaited = until != nil
    self.awaitedCount += (until != nil ? 1 : 0) - (wasAwaited ? 1 : 0)
    self.deadlines.set(until, for: .awaited(slot))
  }

  private mutating func setActive(_ isActive: Bool, _ slot: Int) {
    let place = self.entries[slot]?.activePlace
    guard isActive != (place != nil) else { return }
    if isActive {
      self.entries[slot]?.activePlace = self.active.count
      self.active.append(slot)
    } else if let place, let last = self.active.last {
      // The last takes the place of the removed one.
      self.active[place] = last
      self.entries[last]?.activePlace = place
      self.active.removeLast()
      self.entries[slot]?.activePlace = nil
    }
  }

  /// The states that changed since the last call, in the order of the first change; each region once.
  mutating func takeChanges() -> [RegionChange] {
    defer { self.changes = OrderedTable() }
    return self.changes.all
  }

  private mutating func noteChange(_ slot: Int) {
    guard let entry = self.entries[slot] else { return }
    let change = RegionChange(holder: entry.holder, id: entry.region.id, snapshot: entry.snapshot)
    self.changes[Key(holder: entry.holder, id: entry.region.id)] = change
  }

  // MARK: Deadlines

  /// - Parameter effort: The effort that is left. Regions that are not reached remain due.
  mutating func deadlineReached(now: Instant, effort: inout Int) -> [RegionFinding] {
    var found: [OrderedEvent] = []
    while effort > 0, let due = self.deadlines.popDue(now: now) {
      effort -= 1
      guard let serial = self.entries[due.slot]?.serial, !self.isDeparting(due.slot) else { continue }
      let events: [RegionFinding]
      switch due {
      case .expiry(let slot): events = self.expired(slot, now: now)
      case .dwell(let slot):
        self.entries[slot]?.dwellArmed = nil
        events = self.dwelled(slot, by: nil, at: now)
      case .awaited(let slot):
        self.setAwaited(nil, slot)
        events = []
      }
      found += events.map { OrderedEvent(event: $0, serial: serial) }
    }
    return OrderedEvent.inOrder(found)
  }

  private mutating func expired(_ slot: Int, now: Instant) -> [RegionFinding] {
    guard let entry = self.entries[slot] else { return [] }
    self.freeSlot(slot)
    let key = Key(holder: entry.holder, id: entry.region.id)
    self.changes[key] = RegionChange(holder: entry.holder, id: entry.region.id, snapshot: nil)
    return [entry.event(.expired, observation: nil, at: now)]
  }

  // MARK: Probing

  /// How long the receiver may sleep from now on; `nil` if there are no regions.
  ///
  /// A region is probed as soon as the device can have moved from the fix to where the region's state might change, at
  /// the latest after `longestSleep`, and at once if the fix's accuracy is unknown; with a latency, so much later.
  ///
  /// Only a limited number is computed exactly. For others the enclosing ball is used, which is never too late.
  ///
  /// - Parameter speedBound: How fast the device can move unless the fix shows that it is faster, metres per second;
  ///   greater than 0.
  mutating func nextProbe(after fix: Fix, speedBound: Double, now: Instant) -> Duration? {
    precondition(speedBound > 0, "a device that cannot move")
    self.candidatesProbed = 0
    guard self.count > 0 else { return nil }
    if self.isPending { return .zero }
    let latency = self.latencies.next?.sinceBoot ?? .zero
    let shortest = self.index.promptCount > 0 ? .zero : latency
    guard let accuracy = fix.horizontalAccuracy95 else { return shortest }
    let place = Place(fix.coordinate)
    let sigma = accuracy / CircularError.radius95
    let speedBound = max(speedBound, self.trail.observation(of: fix)?.speed ?? 0)
    let reach = RegionIndex.Reach(
      place: place.cartesian, sigma: sigma, gone: speedBound * max(fix.age(at: now).seconds, 0), speed: speedBound)
    var effort = Self.exactDistances
    let found = self.index.leastSleep(
      reach, below: (Self.longestSleep + shortest).seconds, latency: latency.seconds
    ) { slot in
      guard let geometry = self.entries[slot]?.tracker.geometry else { return .infinity }
      effort -= geometry.effort
      guard effort > 0 else {
        return geometry.leastDistance(to: place) - RegionRule.exitDistance(sigma: sigma, reach: geometry.reach)
      }
      return abs(geometry.depth(of: place)) - RegionRule.exitDistance(sigma: sigma, reach: geometry.reach)
    }
    self.candidatesProbed = found.examined
    return .seconds(found.sleep)
  }

  // MARK: Departing

  // Holders that leave, or that another feed judges from now on. This takes effect at once and takes the same time for
  // any number of regions; the regions themselves are removed later, a few at a time.

  /// The holder's regions have no effect here any more.
  ///
  /// - Parameter keepsStates: Whether they keep their states in the other feed. If not, regions that depart already
  ///   lose them too.
  mutating func depart(_ holder: Holder, keepsStates: Bool = false) {
    self.depart(holder, as: keepsStates ? .keepsStates : .beginsAnew, besides: keepsStates ? [] : [.keepsStates])
  }

  /// The holder is gone: its regions, including those that depart already, are removed.
  mutating func forget(_ holder: Holder) {
    self.depart(holder, as: .isForgotten, besides: [.keepsStates, .beginsAnew])
  }

  private mutating func depart(_ holder: Holder, as outcome: Departure.Outcome, besides departing: [Departure.Outcome])
  {
    let departure = Departure(holder: holder, outcome: outcome)
    for other in departing {
      let earlier = Departure(holder: holder, outcome: other)
      guard let ids = self.departing[earlier] else { continue }
      self.departing[earlier] = nil
      self.depart(ids, as: departure)
    }
    if let ids = self.holders.removeValue(forKey: holder) { self.depart(ids, as: departure) }
  }

  private mutating func depart(_ ids: OrderedTable<String, Int>, as departure: Departure) {
    guard var others = self.departing[departure] else { return self.departing[departure] = ids }
    // It left, returned and left again before all regions were removed.
    for id in ids.keys {
      if let old = others[id] { self.release(old) }
      others[id] = ids[id]
    }
    self.departing[departure] = others
  }

  /// Removes the next departing region.
  mutating func takeDeparted() -> DepartedRegion? {
    guard let departure = self.departing.firstKey, let id = self.departing[departure]?.firstKey else { return nil }
    return self.takeDeparted(id: id, as: departure)
  }

  /// Removes a departing region before its turn.
  mutating func takeDeparted(id: String, of holder: Holder) -> DepartedRegion? {
    guard let departure = self.departures(of: holder).first(where: { self.departing[$0]?[id] != nil }) else {
      return nil
    }
    return self.takeDeparted(id: id, as: departure)
  }

  private mutating func takeDeparted(id: String, as departure: Departure) -> DepartedRegion? {
    guard let slot = self.departing[departure]?[id], let entry = self.entries[slot] else { return nil }
    self.departing.modify(departure) { $0[id] = nil }
    if self.departing[departure]?.isEmpty ?? false { self.departing[departure] = nil }
    self.release(slot)
    return DepartedRegion(
      holder: departure.holder, region: entry.region, geometry: entry.tracker.geometry,
      snapshot: departure.snapshot(of: entry), isForgotten: departure.outcome == .isForgotten)
  }

  /// Only regions whose holder still exists.
  private func departures(of holder: Holder) -> [Departure] {
    [Departure.Outcome.keepsStates, .beginsAnew].map { Departure(holder: holder, outcome: $0) }
      .filter { self.departing[$0] != nil }
  }

  private func isDeparting(_ slot: Int) -> Bool {
    guard !self.departing.isEmpty, let entry = self.entries[slot] else { return false }
    return [Departure.Outcome.keepsStates, .beginsAnew, .isForgotten].contains { outcome in
      self.departing[Departure(holder: entry.holder, outcome: outcome)]?[entry.region.id] == slot
    }
  }

  /// At most so many departing regions, and how many follow: in their future form.
  func departing(of holder: Holder, atMost limit: Int) -> (regions: [MonitoredRegion], omitted: Int) {
    var (regions, omitted) = ([MonitoredRegion](), 0)
    for departure in self.departures(of: holder) {
      guard let page = self.departing[departure]?.page(after: nil, atMost: limit - regions.count) else { continue }
      regions += page.values.compactMap { self.entries[$0] }.map {
        MonitoredRegion(region: $0.region, snapshot: departure.snapshot(of: $0))
      }
      omitted += page.omitted
    }
    return (regions, omitted)
  }

  // MARK: The stored form

  /// In the order of adding.
  func stored(of holder: Holder) -> [StoredRegion] {
    (self.holders[holder]?.all ?? []).compactMap { self.entries[$0] }.map { $0.stored($0.snapshot) }
  }

  /// The departing regions in their future form.
  func storedDeparting(of holder: Holder) -> [StoredRegion] {
    self.departures(of: holder).flatMap { departure in
      (self.departing[departure]?.all ?? []).compactMap { self.entries[$0] }.map {
        $0.stored(departure.snapshot(of: $0))
      }
    }
  }
}

extension Trail.Continuation {
  /// The path to a fix of a waiting region. The fixes in between show that the fix belongs to the path.
  fileprivate func leading(to observation: RegionObservation) -> Trail.Continuation {
    switch self {
    case .from(let start): Trail.isGap(from: start, to: observation) ? .broken : self
    case .broken, .aside: self
    }
  }
}
