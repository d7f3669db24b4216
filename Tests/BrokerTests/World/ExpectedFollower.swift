import Positioning

@testable import Broker

/// The possible deliveries of one subscription with its commands.
struct ExpectedFollower {
  private(set) var isPaused = false
  private let began: Instant
  /// Whether the update that it is paused must still follow.
  private var isPauseOwed = false
  private var isLost = false
  /// Whether a search was reported, and its outcome was not.
  private var isOutcomeOwed = false
  /// The newest fix of its batches, and the newest delivered singly.
  private var lastInBatch: Fix?
  private var lastSingle: Fix?
  private var visits = ExpectedVisits()

  init(now: Instant) { self.began = now }

  mutating func commanded(_ order: SubscriptionCommand) {
    switch order {
    case .pause:
      self.isPauseOwed = !self.isPaused
      self.isPaused = true
    case .resume: self.isPaused = false
    case .acquire, .flush: break
    }
  }

  /// Processes an update; returns what is wrong with it.
  ///
  /// - Parameter isFlushed: Whether its client has just requested the batch.
  mutating func received(_ update: PositionUpdate, isFlushed: Bool) -> String? {
    if self.isPaused {
      let isOrdered = update.reason == .ended || update.reason == .flush && isFlushed
      let isConsequence = update.reason == .paused || update.reason == .acquisitionFailed
      guard isOrdered || isConsequence && self.isPauseOwed else {
        return "an update while paused: \(update)"
      }
      if update.reason == .paused { self.isPauseOwed = false }
    }
    if let complaint = self.receivedSearch(update) { return complaint }
    switch update.reason {
    case .lost, .restored:
      if self.isLost == (update.reason == .lost) { return "\(update.state) twice" }
      self.isLost.toggle()
    case .available: if self.isLost { return "available, not restored" }
    case .distance, .timeout, .flush, .ended: return self.received(batch: update)
    case .changed, .paused, .resumed, .acquiring, .acquisitionFailed:
      if update.fix != nil { return "\(update.state) with a fix" }
    case .significantChange, .acquired: if update.fix == nil { return "no fix" }
    case nil: if update.fix == nil, !update.isRepeat { return "an update about nothing" }
    default: return "a reason that no daemon has: \(update)"
    }
    if !update.fixes.isEmpty { return "a batch without a reason" }
    guard let fix = update.fix, !update.isRepeat else { return nil }
    defer { self.lastSingle = fix }
    if let last = self.lastSingle, fix.arrival <= last.arrival { return "a fix twice, or back in arrival: \(update)" }
    return nil
  }

  /// Each search that is reported has one outcome, before a pause and before the next one.
  private mutating func receivedSearch(_ update: PositionUpdate) -> String? {
    switch update.reason {
    case .significantChange, .acquiring, .paused:
      if self.isOutcomeOwed { return "a search without an outcome" }
      self.isOutcomeOwed = update.reason != .paused
    case .acquired, .acquisitionFailed: self.isOutcomeOwed = false
    default: break
    }
    return nil
  }

  private mutating func received(batch update: PositionUpdate) -> String? {
    if update.fixes.isEmpty || update.fix != nil { return "no batch" }
    for fix in update.fixes {
      if let last = self.lastInBatch, fix.arrival <= last.arrival { return "a fix in two batches, or out of order" }
      if fix.arrival < self.began { return "a fix of before the subscription" }
      self.lastInBatch = fix
    }
    return nil
  }

  mutating func received(_ visit: Visit) -> String? { self.visits.received(visit) }
}

/// A visit is delivered twice, and visits follow one another.
struct ExpectedVisits: Hashable {
  private var last: Visit?

  mutating func received(_ visit: Visit) -> String? {
    defer { self.last = visit }
    guard let last else { return nil }
    if visit.departure == nil { return visit.id > last.id && last.departure != nil ? nil : "an arrival too many" }
    return visit.id == last.id && last.departure == nil ? nil : "a departure of another visit"
  }
}

/// Entering and leaving alternate.
struct ExpectedRegion {
  var region: Region
  private(set) var last: RegionEventKind?

  init(region: Region) { self.region = region }

  /// The state after the last event; `nil` if there was none.
  var state: RegionState? { self.last.map { $0 == .enter ? .inside : .outside } }

  /// The region again; a new shape begins again.
  mutating func replaced(by region: Region) {
    if region.shape != self.region.shape { self.last = nil }
    self.region = region
  }

  mutating func received(_ event: RegionEvent) -> String? {
    switch event.kind {
    case .enter, .exit:
      if event.kind == self.last { return "\(event.kind) twice of \(event.id)" }
      self.last = event.kind
      return event.state == self.state ? nil : "\(event.kind) and \(event.state)"
    case .dwell: return event.state == .inside ? nil : "a dwell outside"
    case .crossed: return event.state == .outside ? nil : "a crossing inside"
    case .expired: return nil
    case .unknown: return "an unknown event"
    }
  }
}
