import Positioning

/// Watches for visits while anybody may know them: its need of the receiver, its results, and the state to store.
struct VisitWatch: Sendable {
  private var detector = VisitDetector()
  private var keeper = VisitKeeper()
  /// `nil` while nobody subscribes to visits.
  private var schedule: ProbeSchedule?

  init(restoring memory: VisitDetector.Snapshot?) {
    guard let memory else { return }
    self.detector = VisitDetector(restoring: memory)
    self.keeper = VisitKeeper(kept: memory)
  }

  /// What was stored is known only now.
  ///
  /// - Returns: What follows from it for visits that were reported already.
  mutating func restore(_ memory: VisitDetector.Snapshot) -> [VisitEvent] {
    self.keeper = VisitKeeper(kept: memory)
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

  /// - Returns: `nil` if nobody subscribes to visits, or the fix is too inaccurate; a probe then continues.
  mutating func fixed(_ fix: Fix, now: Instant) -> [VisitEvent]? {
    guard self.schedule != nil, VisitDetector.isUsable(fix) else { return nil }
    let events = self.detector.fixed(fix)
    self.schedule?.fixed(next: self.detector.nextProbe(now: now), now: now)
    return events
  }

  /// Nobody searched for so long.
  mutating func putOff(by gap: Duration) { self.schedule?.putOff(by: gap) }

  mutating func deadlineReached(now: Instant) { self.schedule?.deadlineReached(now: now) }

  /// The memory to store now; `nil`: none.
  ///
  /// - Parameter isPressing: Whether a visit was reported, or the daemon ends.
  mutating func takeSnapshotToKeep(isPressing: Bool, now: Instant) -> VisitDetector.Snapshot? {
    self.keeper.snapshotToKeep(of: self.detector.snapshot, isPressing: isPressing, now: now)
  }
}
