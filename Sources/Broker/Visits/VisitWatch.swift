import Positioning

/// Watches for visits while anybody may know them: its need of the receiver, its results, and the state to store.
struct VisitWatch: Sendable {
  /// What is to happen, in this order.
  enum Effect: Hashable, Sendable {
    case store(StoreChange)
    /// The device has come to a place, or left it.
    case report(Visit)
  }

  private var detector = VisitDetector()
  private var storing = VisitStoring()
  /// `nil` while nobody subscribes to visits.
  private var schedule: ProbeSchedule?

  init(restoring memory: VisitDetector.Snapshot?) {
    guard let memory else { return }
    self.detector = VisitDetector(restoring: memory)
    self.storing = VisitStoring(kept: memory)
  }

  /// What an earlier daemon knew is known only now, with what follows from it for visits that were reported already.
  mutating func restore(_ memory: VisitDetector.Snapshot, now: Instant) -> [Effect] {
    self.storing = VisitStoring(kept: memory)
    return self.effects(of: self.detector.restore(memory), now: now)
  }

  /// The memory that outlives the daemon.
  var snapshot: VisitDetector.Snapshot { self.detector.snapshot }

  var need: Need { self.schedule?.need ?? .none }

  /// When to call `deadlineReached`.
  var nextDeadline: Instant? { self.schedule?.nextDeadline }

  /// - Parameters:
  ///   - isWanted: Whether anybody with permission subscribes to visits.
  ///   - isOwed: Whether the present stay goes on while nobody watches, for somebody who may know of it again.
  /// - Returns: What is stored if the stay has ended because nobody watches any more.
  mutating func change(isWanted: Bool, isOwed: Bool, lastFix: Instant?, now: Instant) -> StoreChange? {
    guard !isWanted else {
      self.schedule = self.schedule ?? ProbeSchedule(lastFix: lastFix, now: now)
      return nil
    }
    defer { self.schedule = nil }
    guard self.schedule != nil, !isOwed else { return nil }
    self.detector.watchEnded()
    return self.keep(isPressing: true, now: now)
  }

  /// If the fix is too inaccurate, or has no vote, a probe continues.
  mutating func fixed(_ fix: Fix, now: Instant) -> [Effect] {
    guard self.schedule != nil, fix.castsVotes, VisitDetector.isUsable(fix) else { return [] }
    let events = self.detector.fixed(fix)
    self.schedule?.fixed(next: self.detector.nextProbe(now: now), now: now)
    return self.effects(of: events, now: now)
  }

  private mutating func effects(of events: [VisitEvent], now: Instant) -> [Effect] {
    (self.keep(isPressing: !events.isEmpty, now: now).map { [.store($0)] } ?? []) + events.map { .report($0.visit) }
  }

  /// The daemon did not run for so long: a probe gets that time.
  mutating func putOff(by gap: Duration) { self.schedule?.putOff(by: gap) }

  mutating func deadlineReached(now: Instant) { self.schedule?.deadlineReached(now: now) }

  /// Stores the memory, whoever subscribed to visits: after a restart no arrival is reported again, and no number is used
  /// again.
  ///
  /// - Parameter isPressing: Whether a visit was reported, or the daemon ends.
  mutating func keep(isPressing: Bool, now: Instant) -> StoreChange? {
    self.storing.snapshotToKeep(of: self.detector.snapshot, isPressing: isPressing, now: now)
      .map { .putVisitMemory($0) }
  }
}

/// Decides when the memory of visits is stored, so that a daemon that crashes has it again.
///
/// It is not stored with every fix, because each time is a write to the disk. A crash loses up to a minute of a stay
/// that builds, which delays the arrival by no more than that, and up to five minutes of a visit, which makes its
/// departure less certain.
struct VisitStoring: Hashable, Sendable {
  static let whileBuilding: Duration = .seconds(60)
  static let otherwise: Duration = .seconds(300)

  private var kept: VisitDetector.Snapshot
  /// `nil` if it was before the daemon started: then the first change is stored at once.
  private var keptAt: Instant?

  /// - Parameter kept: The stored memory; an empty one need not be stored.
  init(kept: VisitDetector.Snapshot = VisitDetector.Snapshot()) { self.kept = kept }

  /// The memory to store now; `nil` if the stored one is good enough.
  ///
  /// - Parameter isPressing: Whether a visit was reported, or the daemon ends.
  mutating func snapshotToKeep(
    of snapshot: VisitDetector.Snapshot, isPressing: Bool, now: Instant
  ) -> VisitDetector.Snapshot? {
    guard snapshot != self.kept else { return nil }
    if !isPressing, let keptAt, now - keptAt < Self.interval(snapshot) { return nil }
    self.kept = snapshot
    self.keptAt = now
    return snapshot
  }

  /// There is little to store of a device that passes through.
  private static func interval(_ snapshot: VisitDetector.Snapshot) -> Duration {
    guard let stay = snapshot.stay, stay.visit == nil, stay.duration >= Self.whileBuilding else {
      return Self.otherwise
    }
    return Self.whileBuilding
  }
}
