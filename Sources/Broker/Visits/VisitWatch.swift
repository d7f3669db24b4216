import Positioning

/// Watches for visits while anybody may know them: its need of the receiver, its results, and the state to store.
struct VisitWatch: Sendable {
  private var detector = VisitDetector()
  private var storing = VisitStoring()
  /// `nil` while nobody subscribes to visits.
  private var schedule: ProbeSchedule?

  init(restoring memory: VisitDetector.Snapshot?) {
    guard let memory else { return }
    self.detector = VisitDetector(restoring: memory)
    self.storing = VisitStoring(kept: memory)
  }

  /// What was stored is known only now.
  ///
  /// - Returns: What follows from it for visits that were reported already.
  mutating func restore(_ memory: VisitDetector.Snapshot) -> [VisitEvent] {
    self.storing = VisitStoring(kept: memory)
    return self.detector.restore(memory)
  }

  /// The memory that outlives the daemon.
  var snapshot: VisitDetector.Snapshot { self.detector.snapshot }

  var need: Need { self.schedule?.need ?? .none }

  /// When to call `deadlineReached`.
  var nextDeadline: Instant? { self.schedule?.nextDeadline }

  /// - Parameters:
  ///   - isWanted: Whether anybody with permission subscribes to visits.
  ///   - isOwed: Whether the present stay goes on while nobody watches, for somebody who may know of it again.
  /// - Returns: Whether the stay has ended because nobody watches any more.
  mutating func change(isWanted: Bool, isOwed: Bool, lastFix: Instant?, now: Instant) -> Bool {
    guard !isWanted else {
      self.schedule = self.schedule ?? ProbeSchedule(lastFix: lastFix, now: now)
      return false
    }
    guard self.schedule != nil, !isOwed else {
      self.schedule = nil
      return false
    }
    self.schedule = nil
    self.detector.watchEnded()
    return true
  }

  /// - Returns: `nil` if nobody subscribes to visits, or the fix is too inaccurate or has no vote; a probe then continues.
  mutating func fixed(_ fix: Fix, now: Instant) -> [VisitEvent]? {
    guard self.schedule != nil, fix.castsVotes, VisitDetector.isUsable(fix) else { return nil }
    let events = self.detector.fixed(fix)
    self.schedule?.fixed(next: self.detector.nextProbe(now: now), now: now)
    return events
  }

  /// The daemon did not run for so long: a probe gets that time.
  mutating func putOff(by gap: Duration) { self.schedule?.putOff(by: gap) }

  mutating func deadlineReached(now: Instant) { self.schedule?.deadlineReached(now: now) }

  /// The memory to store now; `nil`: none.
  ///
  /// - Parameter isPressing: Whether a visit was reported, or the daemon ends.
  mutating func takeSnapshotToKeep(isPressing: Bool, now: Instant) -> VisitDetector.Snapshot? {
    self.storing.snapshotToKeep(of: self.detector.snapshot, isPressing: isPressing, now: now)
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
