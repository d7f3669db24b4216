import Positioning

/// The fixes that the clients of one feed get to see, and the regions that are judged by them.
struct FixFeed: Sendable {
  /// `nil`: of those who may know nothing. No fix ever comes into it.
  let key: FixFeedKey?
  /// The newest fix of the feed.
  private(set) var current: Fix?
  private(set) var epoch = 0
  var regions = RegionMonitor<Holder>()
  /// When the receiver must look for the regions; `nil` while there are none.
  var regionLook: ProbeSchedule?
  /// How many clients and durable names see it.
  var holders = 0

  init(key: FixFeedKey?) { self.key = key }

  /// What the regions need of the receiver.
  var regionNeed: Need { self.regions.isPending ? .now : self.regionLook?.need ?? .none }

  /// The least time between two fixes.
  private var interval: Duration {
    guard let key else { return .zero }
    return key.precision == .reduced ? max(key.minInterval, LocationFuzzer.interval) : key.minInterval
  }

  /// When the next fix can come, where that is not at once.
  func nextDue(now: Instant) -> Instant? {
    guard let current, self.interval > .zero else { return nil }
    let due = current.arrival + self.interval
    return due > now ? due : nil
  }

  /// Takes a fix, or a better one of the same epoch; whether it comes into the feed.
  mutating func take(_ fix: Fix, epoch: Int) -> Bool {
    guard self.key != nil else { return false }
    if let current, self.interval > .zero, epoch != self.epoch || fix.isReduced {
      // A receiver's cycle is never quite even.
      let tolerance = min(self.interval / 10, .milliseconds(100))
      guard fix.arrival - current.arrival >= self.interval - tolerance else { return false }
    }
    self.current = fix
    self.epoch = epoch
    return true
  }
}

/// All feeds that a client has or had.
struct FixFeeds: Sendable {
  private var table: [FixFeedKey?: FixFeed] = [nil: FixFeed(key: nil)]
  /// When the regions of each want to be asked.
  private var deadlines = DeadlineQueue<FixFeedKey?>()
  /// Those into which fixes come, always in the same order.
  private(set) var keys: [FixFeedKey] = []

  init() { self.join(.everything, by: 0) }

  /// Those into which fixes come, and the one into which none does.
  var allKeys: [FixFeedKey?] { self.keys + [nil] }

  subscript(key: FixFeedKey?) -> FixFeed { self.table[key] ?? FixFeed(key: key) }

  /// Changes one in place.
  @discardableResult
  mutating func modify<Result>(_ key: FixFeedKey?, _ body: (inout FixFeed) -> Result) -> Result {
    body(&self.table[key, default: FixFeed(key: key)])
  }

  /// When `takeDue` must be asked.
  var nextDeadline: Instant? { self.deadlines.next }

  /// Takes the feed whose regions want to be asked the soonest, if it is time.
  mutating func takeDue(now: Instant) -> FixFeedKey?? { self.deadlines.popDue(now: now) }

  /// Keeps when the regions of a feed want to be asked.
  mutating func refreshRegions(in key: FixFeedKey?, now: Instant) {
    let (look, own) = self.modify(key) { feed in
      if feed.regions.count == 0 { feed.regionLook = nil }
      return (feed.regionLook, feed.regions.nextDeadline)
    }
    // What is due already goes on in the next turn by itself.
    let later = own.flatMap { $0 > now ? $0 : nil }
    self.deadlines.set([look?.nextDeadline, later].compactMap { $0 }.min(), for: key)
  }

  /// So many more see it.
  mutating func join(_ key: FixFeedKey?, by count: Int) {
    if let key, self.table[key] == nil { self.keys = (self.keys + [key]).sorted() }
    self.modify(key) { $0.holders += count }
  }

  /// Whether anybody sees the position roughly.
  var isAnyReduced: Bool {
    self.keys.contains { $0.precision == .reduced && self[$0].holders > 0 }
  }
}
