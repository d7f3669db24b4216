package import Positioning

/// All regions of all holders, and what every fix says of them.
///
/// A holder is whoever owns regions: a client, or a durable name. The monitor reads no clock; whoever drives it calls
/// `deadlineReached` at `nextDeadline`, keeps the receiver on while `isPending`, and lets it sleep no longer than
/// `nextLook` says.
///
/// Every fix is held against the active regions: those that the device is inside, those undecided, and those with
/// something under way. Of all others, which the device is outside of, only those are looked at that the index finds at
/// the fix or on the way to it; what it leaves out could not have changed.
///
/// Thousands of regions may lie where the device is. They are judged in slices: each call takes an effort that it may
/// spend, and while `isBusy` the driver calls `goOn` in its next turns. A newer fix does not wait for that. Those who
/// wait are judged by the newest fix there is, in the order in which they began to wait, and so none waits for ever; a
/// region's events are those that follow from the fixes that it was judged by, and the way to a fix begins at the one
/// before it by which that region was judged.
package struct RegionMonitor<Holder: Hashable & Sendable & Comparable>: Sendable {
  package typealias Event = RegionFinding<Holder>
  package typealias Change = RegionChange<Holder>

  struct Key: Hashable {
    let holder: Holder
    let id: String
  }

  /// Whose regions depart, and what becomes of them.
  struct Departure: Hashable {
    enum Fate {
      /// They go on elsewhere from what was known of them.
      case keepsStates
      /// They go on elsewhere as if they were new.
      case beginsAnew
      /// Their holder is gone; another may come that is called the same.
      case isForgotten
    }

    let holder: Holder
    let fate: Fate
  }

  /// One region. It stands in a numbered slot, which is its name wherever a holder and an id would cost too much.
  struct Entry: Sendable {
    let holder: Holder
    var region: Region
    var tracker: RegionTracker
    /// In the order of adding.
    let serial: UInt64
    var expiry: Instant?
    var hasDwelled = false
    /// Whether a fix has been inside since it was restored: time alone makes no dwell of a stay from before.
    var isSeen = false
    /// Whether a vote stands and the receiver stays on for another.
    var isAwaited = false
    /// When the stay becomes a dwell, as `deadlines` has it.
    var dwellArmed: Instant?
    /// Its place in `active`.
    var activePlace: Int?
    /// Set while it waits to be judged: from where the way leads to the newest fix.
    var waits: Trail.Way?
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
  /// Slots that every fix is held against.
  var active: [Int] = []
  var index = RegionIndex()
  var trail = Trail()
  /// Those that are still to be judged by `sighting`, in the order in which they began to wait.
  var waiting = WaitingSlots()
  /// The newest fix.
  var sighting: Sighting?
  /// Regions whose holder left or is judged elsewhere now. They tell nothing any more, and are taken out one by one.
  var departing = OrderedTable<Departure, OrderedTable<String, Int>>()
  var deadlines = DeadlineQueue<DeadlineKey>()
  /// The regions that state a latency, the shortest first: as if each were a deadline after boot.
  var latencies = DeadlineQueue<Int>()
  var changes = OrderedTable<Key, Change>()
  var awaitedCount = 0
  /// How many regions are told of ways through them.
  var crossingCount = 0

  /// How many regions the last fix was held against, in the index and by the rule: what it cost.
  package internal(set) var candidatesExamined = 0
  /// The same for the last `nextLook`.
  package internal(set) var candidatesLookedAt = 0

  package init() {}

  /// Those that depart among them.
  package var count: Int { self.entries.count - self.free.count }

  /// Whether regions wait to be judged, so that `goOn` must be called soon.
  package var isBusy: Bool { !self.waiting.isEmpty }

  /// Whether anything is to go on in the next turn: regions that wait, that depart, or that are due.
  func isWorkLeft(now: Instant) -> Bool {
    self.isBusy || !self.departing.isEmpty || (self.nextDeadline.map { $0 <= now } ?? false)
  }

  /// How many own regions here.
  package var holderCount: Int { self.holders.count }

  package func count(of holder: Holder) -> Int { self.holders[holder]?.count ?? 0 }

  /// In the order of adding.
  package func regions(of holder: Holder) -> [MonitoredRegion] {
    (self.holders[holder]?.all ?? []).compactMap { self.entries[$0] }.map {
      MonitoredRegion(region: $0.region, standing: $0.standing)
    }
  }

  /// At most so many of them, from the first or from the one after an id on, and how many come after them.
  func regions(
    of holder: Holder, after id: String?, atMost limit: Int
  ) -> (regions: [MonitoredRegion], omitted: Int) {
    guard let page = self.holders[holder]?.page(after: id, atMost: limit) else { return ([], 0) }
    let regions = page.values.compactMap { self.entries[$0] }.map {
      MonitoredRegion(region: $0.region, standing: $0.standing)
    }
    return (regions, page.omitted)
  }

  package func region(id: String, of holder: Holder) -> Region? {
    self.slot(id: id, of: holder).flatMap { self.entries[$0]?.region }
  }

  package func standing(id: String, of holder: Holder) -> RegionStanding? {
    self.slot(id: id, of: holder).flatMap { self.entries[$0]?.standing }
  }

  package func state(id: String, of holder: Holder) -> RegionState? { self.standing(id: id, of: holder)?.state }

  /// When `deadlineReached` must be called: a stay that becomes a dwell, a region that expires, a wait that ends.
  package var nextDeadline: Instant? { self.deadlines.next }

  /// Whether a vote stands and waits for another fix: the receiver must stay on. Not for longer than a minute after the
  /// vote; `deadlineReached` ends it.
  package var isPending: Bool { self.awaitedCount > 0 }

  /// What changed since it was asked last, in the order of the first change; each region once.
  package mutating func takeChanges() -> [Change] {
    defer { self.changes = OrderedTable() }
    return self.changes.all
  }

  func slot(id: String, of holder: Holder) -> Int? { self.holders[holder]?[id] }

  mutating func noteChange(_ slot: Int) {
    guard let entry = self.entries[slot] else { return }
    let change = Change(holder: entry.holder, id: entry.region.id, standing: entry.standing)
    self.changes[Key(holder: entry.holder, id: entry.region.id)] = change
  }
}

extension RegionMonitor.Entry {
  var standing: RegionStanding {
    RegionStanding(
      state: self.tracker.state, since: self.tracker.since, hasDwelled: self.hasDwelled, expiry: self.expiry)
  }

  var isForCrossing: Bool { self.region.notify.contains(.crossed) }

  /// When the stay becomes a dwell; `nil` where nobody wants to know, or does already, and while the device may have
  /// left.
  var dwellDue: Instant? {
    guard self.region.notify.contains(.dwell), self.tracker.state == .inside, !self.hasDwelled, self.isSeen,
      self.tracker.candidate == nil, let dwellTime = self.region.dwellTime, let since = self.tracker.since
    else { return nil }
    // Of a stay from before this boot no more is known than that it has lasted since the boot.
    return max(since, Instant(sinceBoot: .zero)) + dwellTime
  }

  /// - Parameter sighting: what decided it; `nil`: time alone.
  func event(_ kind: RegionEventKind, sighting: Sighting?, at moment: Instant) -> RegionMonitor.Event {
    let geometry = self.tracker.geometry
    let event = RegionEvent(
      id: self.region.id, kind: kind, state: self.tracker.state, fix: sighting?.fix,
      probability: sighting.map { geometry.probability(depth: geometry.depth(of: $0.place), sigma: $0.sigma) })
    return RegionMonitor.Event(holder: self.holder, region: self.region, event: event, at: moment)
  }
}
