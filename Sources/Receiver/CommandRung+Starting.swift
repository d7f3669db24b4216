import Positioning
import ReceiverPorts

/// The start of a receiver that was stopped: sent with the first watch, verified by a report, repeated once.
extension CommandRung {
  mutating func start(now: Instant) -> [RungAction] {
    self.phase = .starting(Start(patience: now + Self.patience))
    return [.expectSilence(false), .startSession, .write(self.commands.start[0])] + self.report(.turningOn, now: now)
  }

  mutating func starting(_ event: RungEvent, _ start: Start, now: Instant) -> [RungAction] {
    var start = start
    switch event {
    case .wrote:
      start.written += 1
      start.deadline = now + (start.written < self.commands.start.count ? ReceiverCommands.pause : Self.firstReport)
    case .report where start.written >= self.commands.start.count: return self.started(start, now: now)
    case .deadlineReached:
      if let limit = self.givesUpAt(start), now >= limit { return self.giveUp("it could not be started", now: now) }
      guard let deadline = start.deadline, now >= deadline else { return [] }
      return self.startDeadlineReached(start, now: now)
    case .writeRefused(let reason):
      start.deadline = nil
      self.phase = .starting(start)
      return self.late(start, "gpsd does not write the start to it: \(reason)", now: now)
    case .source(.gpsdDown), .source(.gpsdFull):
      // Written anew on the next connection, unless it still waits for one.
      let wasWritten = start.written > 0
      start = Start(patience: start.patience, attempt: start.attempt, isLate: start.isLate)
      self.phase = .starting(start)
      return wasWritten ? [.write(self.commands.start[0])] : []
    case .needed(false) where start.isLate && self.endsBy == nil:
      return self.giveUp("it sent no report after its start", now: now)
    case .needed, .recovering, .ending, .source, .devices, .report, .probed, .stored, .unitState, .unitEnded: break
    }
    self.phase = .starting(start)
    return []
  }

  /// When the start is given up; `nil`: not while the receiver is needed.
  func givesUpAt(_ start: Start) -> Instant? {
    self.endsBy ?? (self.isNeeded ? nil : start.patience)
  }

  private mutating func startDeadlineReached(_ start: Start, now: Instant) -> [RungAction] {
    var start = start
    start.deadline = nil
    if start.written < self.commands.start.count {
      self.phase = .starting(start)
      return [.write(self.commands.start[start.written])]
    }
    guard start.attempt >= Self.attempts else {
      self.phase = .starting(Start(patience: start.patience, attempt: start.attempt + 1))
      return [.write(self.commands.start[0])]
    }
    self.phase = .starting(start)
    return self.late(start, "it sent no report within \(Self.firstReport.components.seconds) s of its start", now: now)
  }

  /// The start failed as far as is known; while the receiver is needed the session goes on.
  private mutating func late(_ start: Start, _ problem: String, now: Instant) -> [RungAction] {
    guard self.isNeeded, self.endsBy == nil else { return self.giveUp(problem, now: now) }
    var start = start
    start.isLate = true
    self.phase = .starting(start)
    return [.log(.receiverNotStarted, "the receiver was stopped, and \(problem)")]
      + self.report(.unknown, problem: "the receiver was stopped, and \(problem)", now: now)
  }

  /// It stays stored that the receiver is stopped: the next need, or the next daemon, starts it.
  private mutating func giveUp(_ problem: String, now: Instant) -> [RungAction] {
    self.phase = .stopped(probeAt: nil)
    let actions: [RungAction] = [.stopSession, .log(.receiverNotStarted, "the receiver was stopped, and \(problem)")]
    return actions + self.report(.unknown, problem: "the receiver was stopped, and \(problem)", now: now)
      + (self.endsBy == nil ? [] : [.ended])
  }

  private mutating func started(_ start: Start, now: Instant) -> [RungAction] {
    if start.isLate {
      self.failure = "the receiver did not report within \(Self.firstReport.components.seconds) s of its start"
    }
    let actions = [self.store(nil)] + self.runOn(now: now)
    if self.endsBy != nil { return actions + [.ended] }
    guard !self.isNeeded, !self.isFormer, self.failure == nil, case .watch(let watch) = self.phase else {
      return actions
    }
    return actions + self.release(watch, now: now)
  }
}
