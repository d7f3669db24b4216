import Positioning
import ReceiverPorts

/// The start of a receiver that was stopped: sent with the first watch, and again with growing pauses until what the
/// receiver reports proves that it runs.
///
/// A u-blox reports while it is stopped, so its reports alone prove nothing. "Stopped" stays stored until the proof.
extension CommandRung {
  /// - Parameter settledAt: When the reports of the time before the stop have come; `nil`: they have.
  mutating func start(settledAt: Instant? = nil, now: Instant) -> [RungAction] {
    self.phase = .starting(Start(patience: now + Self.patience, settledAt: settledAt ?? now))
    return [.expectSilence(false), .startSession, .write(self.commands.start[0])] + self.report(.turningOn, now: now)
  }

  mutating func starting(_ event: RungEvent, _ start: Start, now: Instant) -> [RungAction] {
    var start = start
    switch event {
    case .wrote:
      start.written += 1
      start.deadline = now + (start.written < self.commands.start.count ? ReceiverCommands.pause : start.pause)
    case .report(let isWorking):
      guard start.attempt > 1 || start.written >= self.commands.start.count, now >= start.settledAt else { break }
      if isWorking || !self.commands.talksWhileStopped { return self.started(start, now: now) }
      start.hasReported = true
    case .deadlineReached:
      if let limit = self.givesUpAt(start), now >= limit { return self.giveUp(start, now: now) }
      guard let deadline = start.deadline, now >= deadline else { return [] }
      return self.startDeadlineReached(start, now: now)
    case .writeRefused(let reason):
      (start.deadline, start.refusal) = (nil, reason)
      guard self.isNeeded, self.endsBy == nil else { return self.giveUp(start, now: now) }
      let actions = self.reportProblem(&start, now: now)
      self.phase = .starting(start)
      return actions
    case .source(.gpsdDown), .source(.gpsdFull):
      // Written anew on the next connection, unless it still waits for one.
      let wasWritten = start.written > 0
      (start.written, start.deadline) = (0, nil)
      self.phase = .starting(start)
      return wasWritten ? [.write(self.commands.start[0])] : []
    case .needed(false) where start.isReported && self.endsBy == nil: return self.giveUp(start, now: now)
    case .needed, .recovering, .ending, .source, .devices, .probed, .stored, .unitState, .unitEnded: break
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
    guard start.attempt < Self.attempts || self.isNeeded || self.endsBy != nil else {
      return self.giveUp(start, now: now)
    }
    let actions = start.attempt < Self.attempts ? [] : self.reportProblem(&start, now: now)
    (start.written, start.attempt) = (0, start.attempt + 1)
    self.phase = .starting(start)
    return actions + [.write(self.commands.start[0])]
  }

  /// Nothing shows that it obeyed; the session goes on.
  private mutating func reportProblem(_ start: inout Start, now: Instant) -> [RungAction] {
    guard self.endsBy == nil else { return [] }
    let problem = self.problem(of: start)
    let log: [RungAction] = start.isReported ? [] : [.log(.receiverNotStarted, "\(problem)")]
    start.isReported = true
    start.isLate = start.isLate || !start.hasReported
    return log + self.report(.unknown, problem: problem, now: now)
  }

  private func problem(of start: Start) -> String {
    let reason: String
    if let refusal = start.refusal {
      reason = "gpsd does not write the start to it: \(refusal)"
    } else if start.attempt == 1, start.written == 0 {
      reason = "it could not be started"
    } else if start.hasReported {
      reason = "its reports have neither a fix nor a satellite in use since its start"
    } else {
      reason = "it sent no report within \(Self.firstReport.components.seconds) s of its start"
    }
    return "the receiver was stopped, and \(reason)"
  }

  /// It stays stored that the receiver is stopped: the next need, or the next daemon, starts it.
  private mutating func giveUp(_ start: Start, now: Instant) -> [RungAction] {
    // It may run, and nobody needs it.
    if start.hasReported, start.refusal == nil, self.isStreaming, !self.isFormer, self.endsBy == nil {
      return self.stop(now: now)
    }
    self.phase = .stopped(probeAt: nil)
    let problem = self.problem(of: start)
    return [.stopSession] + (start.isReported ? [] : [.log(.receiverNotStarted, "\(problem)")])
      + self.report(.unknown, problem: problem, now: now) + (self.endsBy == nil ? [] : [.ended])
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
