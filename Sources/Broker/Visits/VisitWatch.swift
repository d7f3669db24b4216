import Positioning

/// Looks for visits while anybody may know them: when it needs the receiver, what it found, and what of it is to be kept.
struct VisitWatch: Sendable {
  private var detector = VisitDetector()
  private var keeper = VisitKeeper()
  /// `nil` while nobody wants to know.
  private var schedule: ProbeSchedule?

  init(restoring memory: VisitDetector.Snapshot?) {
    guard let memory else { return }
    self.detector = VisitDetector(restoring: memory)
    self.keeper = VisitKeeper(kept: memory)
  }

  /// What is to outlive the daemon.
  var snapshot: VisitDetector.Snapshot { self.detector.snapshot }

  var need: Need { self.schedule?.need ?? .none }

  /// When `deadlineReached` must be called.
  var nextDeadline: Instant? { self.schedule?.nextDeadline }

  /// - Parameter isWanted: whether anybody wants to know, who may.
  mutating func change(isWanted: Bool, lastFix: Instant?, now: Instant) {
    if !isWanted {
      self.schedule = nil
    } else if self.schedule == nil {
      self.schedule = ProbeSchedule(lastFix: lastFix, now: now)
    }
  }

  /// - Returns: `nil`: nobody wants to know, or the fix is too vague to say anything; a probe that brought one goes on.
  mutating func fixed(_ fix: Fix, now: Instant) -> [VisitEvent]? {
    guard self.schedule != nil, VisitDetector.canTell(fix) else { return nil }
    let events = self.detector.fixed(fix)
    self.schedule?.fixed(next: self.detector.nextLook(now: now), now: now)
    return events
  }

  mutating func deadlineReached(now: Instant) { self.schedule?.deadlineReached(now: now) }

  /// What was learned and is to be kept now.
  ///
  /// - Parameter isPressing: whether something was reported, or the daemon ends.
  mutating func takeSnapshotToKeep(isPressing: Bool, now: Instant) -> VisitDetector.Snapshot? {
    self.keeper.snapshotToKeep(of: self.detector.snapshot, isPressing: isPressing, now: now)
  }
}
