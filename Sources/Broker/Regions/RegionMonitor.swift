package import Positioning

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
package struct RegionMonitor<Holder: Hashable & Sendable & Comparable>: Sendable {
  package typealias Event = RegionFinding<Holder>
  package typealias Change = RegionChange<Holder>

  struct Key: Hashable {
    let holder: Holder
    let id: String
  }

  /// The holders whose regions depart, and the regions' future.
  struct Departure: Hashable {
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
  }

  /// One region. Tables refer to it by the number of its slot, because holder and id would take more memory.
  struct Entry: Sendable {
    let holder: Holder
    var region: Region
    var tracker: RegionTracker
    /// In the order of adding.
    let serial: UInt64
    var expiry: Instant?
    var hasDwelled = false
    /// Until when the newest fix inside shows that the device is there; `nil` if there was none since it was restored.
    var seenUntil: Instant?
    /// Whether a vote is pending and the receiver stays on for another.
    var isAwaited = false
    /// When the stay becomes a dwell, as in `deadlines`.
    var dwellArmed: Instant?
    /// Its index in `active`.
    var activePlace: Int?
    /// Set while it waits to be judged: where the path to the newest fix begins.
    var waits: Trail.Continuation?
  }

  enum DeadlineKey: Hashable {
    case expiry(Int)
    case dwell(Int)
    case awaited(Int)
  }

  var entries: [Entry?] = []
  var free: [Int] = []
  var nextSerial: UInt64 = 0
  var holders: [Holder: OrderedTable<String, Int>] = [:]
  /// The slots that are compared with each fix.
  var active: [Int] = []
  var index = RegionIndex()
  var trail = Trail()
  /// The slots that `observation` is still to judge, in the order in which they began to wait.
  var waiting = WaitingSlots()
  /// The newest fix.
  var observation: RegionObservation?
  /// Holders that left or that another feed judges now. Their regions have no effect any more, and are removed one by
  /// one.
  var departing = OrderedTable<Departure, OrderedTable<String, Int>>()
  var deadlines = DeadlineQueue<DeadlineKey>()
  /// The regions with a latency, the shortest first, as if each were a deadline after boot.
  var latencies = DeadlineQueue<Int>()
  var changes = OrderedTable<Key, Change>()
  var awaitedCount = 0
  /// How many regions have `crossed`.
  var crossingCount = 0

  /// How many regions were compared with the last fix, which was its cost.
  package internal(set) var candidatesExamined = 0
  /// The same for the last `nextProbe`.
  package internal(set) var candidatesProbed = 0

  package init() {}

  /// The departing ones among them.
  package var count: Int { self.entries.count - self.free.count }

  /// Whether regions wait to be judged, so that `continueJudging` must be called soon.
  package var isBusy: Bool { !self.waiting.isEmpty }

  /// Whether work is left for the next turn: regions that wait, depart, or are due.
  func isWorkLeft(now: Instant) -> Bool {
    self.isBusy || !self.departing.isEmpty || (self.nextDeadline.map { $0 <= now } ?? false)
  }

  /// The number of a holder's regions here.
  package var holderCount: Int { self.holders.count }

  package func count(of holder: Holder) -> Int { self.holders[holder]?.count ?? 0 }

  /// In the order of adding.
  package func regions(of holder: Holder) -> [MonitoredRegion] {
    (self.holders[holder]?.all ?? []).compactMap { self.entries[$0] }.map {
      MonitoredRegion(region: $0.region, snapshot: $0.snapshot)
    }
  }

  /// At most so many of them, from the first or from the one after an id on, and how many follow.
  func regions(
    of holder: Holder, after id: String?, atMost limit: Int
  ) -> (regions: [MonitoredRegion], omitted: Int) {
    guard let page = self.holders[holder]?.page(after: id, atMost: limit) else { return ([], 0) }
    let regions = page.values.compactMap { self.entries[$0] }.map {
      MonitoredRegion(region: $0.region, snapshot: $0.snapshot)
    }
    return (regions, page.omitted)
  }

  package func region(id: String, of holder: Holder) -> Region? {
    self.slot(id: id, of: holder).flatMap { self.entries[$0]?.region }
  }

  package func snapshot(id: String, of holder: Holder) -> RegionSnapshot? {
    self.slot(id: id, of: holder).flatMap { self.entries[$0]?.snapshot }
  }

  package func state(id: String, of holder: Holder) -> RegionState? { self.snapshot(id: id, of: holder)?.state }

  /// When to call `deadlineReached`: a stay becomes a dwell, a region expires, or a wait ends.
  package var nextDeadline: Instant? { self.deadlines.next }

  /// Whether a vote waits for another fix, so that the receiver must stay on: for at most a minute after the vote; then
  /// `deadlineReached` ends it.
  package var isPending: Bool { self.awaitedCount > 0 }

  /// The states that changed since the last call, in the order of the first change; each region once.
  package mutating func takeChanges() -> [Change] {
    defer { self.changes = OrderedTable() }
    return self.changes.all
  }

  func slot(id: String, of holder: Holder) -> Int? { self.holders[holder]?[id] }

  mutating func noteChange(_ slot: Int) {
    guard let entry = self.entries[slot] else { return }
    let change = Change(holder: entry.holder, id: entry.region.id, snapshot: entry.snapshot)
    self.changes[Key(holder: entry.holder, id: entry.region.id)] = change
  }
}

extension RegionMonitor.Entry {
  var snapshot: RegionSnapshot {
    RegionSnapshot(
      state: self.tracker.state, since: self.tracker.since, hasDwelled: self.hasDwelled, expiry: self.expiry)
  }

  var isForCrossing: Bool { self.region.notify.contains(.crossed) }

  var awaitsDwell: Bool { self.region.notify.contains(.dwell) && !self.hasDwelled }

  /// When the stay becomes a dwell, if it lasts; `nil` if `dwell` is not to be reported or was, and during a vote to
  /// leave.
  private var dwellDue: Instant? {
    guard self.awaitsDwell, self.tracker.state == .inside, self.tracker.candidate == nil,
      let dwellTime = self.region.dwellTime, let since = self.tracker.since
    else { return nil }
    // Of a stay from before this boot it is only known that it has lasted since the boot.
    return max(since, Instant(sinceBoot: .zero)) + dwellTime
  }

  /// When the stay becomes a dwell without another fix; `nil`: nobody knows that it will last until then.
  var dwellDeadline: Instant? {
    guard let due = self.dwellDue, let seenUntil = self.seenUntil, due <= seenUntil else { return nil }
    return due
  }

  /// Whether the stay is a dwell now: it has lasted for long enough, and the device is known to be inside still.
  func isDwell(at now: Instant) -> Bool {
    guard let due = self.dwellDue, let seenUntil = self.seenUntil else { return false }
    return due <= now && now <= seenUntil
  }

  /// The fix shows that the device is inside, and for how long: until it can have reached the edge at its greatest
  /// speed.
  mutating func seen(_ observation: RegionObservation) {
    let depth = max(self.tracker.geometry.depth(of: observation.place), 0)
    let way = Duration.seconds(depth / observation.speedBound)
    self.seenUntil = observation.arrival + max(way, RegionObservation.lifetime)
  }

  /// - Parameter observation: The fix that decided it; `nil`: only time did.
  func event(_ kind: RegionEventKind, observation: RegionObservation?, at moment: Instant) -> RegionMonitor.Event {
    let geometry = self.tracker.geometry
    let event = RegionEvent(
      id: self.region.id, kind: kind, state: self.tracker.state, fix: observation?.fix,
      probability: observation.map { geometry.probability(depth: geometry.depth(of: $0.place), sigma: $0.sigma) })
    return RegionMonitor.Event(holder: self.holder, region: self.region, event: event, at: moment)
  }
}
