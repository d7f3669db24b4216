import Positioning
import ReceiverPorts

/// Stops and starts a receiver by bytes that gpsd writes to it; else as ``WatchRung``.
///
/// "Stopped" is stored before the stop is sent. The stop counts when the receiver's reports show it, or its silence. The
/// start is sent with the first watch after it, and counts when its reports prove it. Power-down by bytes is for a receiver that only positiond uses: if
/// another program starts it again, a probe after gpsd's minute finds that.
struct CommandRung: RungMachine {
  private enum Phase {
    /// The stop was sent.
    case stopping(StopCheck)
    /// Nobody watches.
    case resting(probeAt: Instant?)
    case probing
    /// gpsd has the stopped receiver open, so watching changes nothing.
    case observing(StopCheck)
    case starting(Start)
  }

  /// A start under way.
  private struct Start: Hashable {
    /// When a start of a receiver that nobody needs is given up.
    let timesOutAt: Instant
    /// Reports from then on are not of the time before the stop.
    let settledAt: Instant
    /// How many of its parts are written.
    var written = 0
    var attempt = 1
    /// How long until the next attempt. It grows, so that a receiver whose search begins anew with each start has the time
    /// to finish one.
    var pause = GrowingPause(first: CommandRung.firstReport, longest: .seconds(600))
    /// When the next part is written; then, when its reports must have proved the start.
    var deadline: Instant?
    /// Whether the receiver has sent a report that proves nothing.
    var hasReported = false
    /// gpsd's words, if it does not write.
    var refusal: String?
    /// Whether the problem was reported.
    var isReported = false
    /// The rung fails once the receiver runs.
    var isLate = false
  }

  /// gpsd takes some receivers for others at first: a MediaTek is NMEA0183 for some seconds.
  static let identification: Duration = .seconds(10)
  /// A receiver must report so long after its start; else it is sent again.
  static let firstReport: Duration = .seconds(10)
  /// How many starts it takes until the problem is reported.
  static let attempts = 2
  /// How long the start of a receiver that nobody needs may take.
  static let startTimeout: Duration = .seconds(120)

  private let commands: ReceiverCommands
  /// The configured device; `nil`: whatever gpsd has.
  private let wanted: String?
  private var receiver: StoppableReceiver<Phase>
  private var devices: [ReceiverDevice] = []
  private var streamingSince: Instant?
  /// When the last report came, and the time between the last two.
  private var lastReport: Instant?
  private var cycle: Duration = .seconds(1)

  /// - Parameters:
  ///   - isStopped: Whether a daemon before this one stopped the receiver.
  ///   - isFormer: Whether to start it only, because another rung is configured now.
  ///   - isOn: Whether a session with the running receiver is under way.
  init(
    commands: ReceiverCommands, device: String?, isStopped: Bool = false, isFormer: Bool = false,
    isOn: Bool = false, reporter: PowerReporter
  ) {
    self.commands = commands
    self.wanted = device
    self.receiver = StoppableReceiver(
      stopped: isStopped ? .resting(probeAt: nil) : nil, isOn: isOn, isFormer: isFormer, participle: "stopped",
      reporter: reporter)
  }

  var failure: String? { self.receiver.failure }
  var isStopped: Bool { self.receiver.isStopped }
  var reporter: PowerReporter { self.receiver.reporter }

  var nextDeadline: Instant? {
    switch self.receiver.phase {
    case .watch(let watch): watch.nextDeadline ?? self.identifiedBy
    case .storing(_, let giveUpAt): giveUpAt
    case .stopped(.stopping(let check)), .stopped(.observing(let check)): check.deadline
    case .stopped(.resting(let probeAt)): probeAt
    case .stopped(.probing): nil
    case .stopped(.starting(let start)): [start.deadline, self.givesUpAt(start)].compactMap { $0 }.min()
    }
  }

  // MARK: Events

  mutating func received(_ event: RungEvent, now: Instant) -> [RungAction] {
    self.note(event, now: now)
    switch self.receiver.phase {
    case .watch(let watch):
      guard event != .needed(false) || !watch.isOn || self.receiver.endsBy != nil else { return self.release(now: now) }
      let actions = self.receiver.received(event, watch, now: now)
      self.judgeDriver(now: now)
      return actions
    case .storing(let number, let giveUpAt): return self.storing(event, number: number, giveUpAt: giveUpAt, now: now)
    case .stopped(.stopping(let check)): return self.stopping(event, check, now: now)
    case .stopped(.resting(let probeAt)): return self.resting(event, probeAt: probeAt, now: now)
    case .stopped(.probing): return self.probing(event, now: now)
    case .stopped(.observing(let check)): return self.observing(event, check, now: now)
    case .stopped(.starting(let start)): return self.starting(event, start, now: now)
    }
  }

  /// What each event says whatever the phase.
  private mutating func note(_ event: RungEvent, now: Instant) {
    switch event {
    case .devices(let devices): self.devices = devices
    case .source(let source):
      if source == .streaming, !self.isStreaming { self.streamingSince = now }
      if source != .streaming { (self.streamingSince, self.lastReport) = (nil, nil) }
    case .report:
      // The reports of one epoch follow each other in fractions of a second.
      if let lastReport, now - lastReport > .milliseconds(500) { self.cycle = now - lastReport }
      self.lastReport = now
    case .needed, .recovering, .ending, .deadlineReached, .probed, .stored, .wrote, .writeRefused, .unitState,
      .unitEnded:
      break
    }
    self.receiver.note(event, now: now)
  }

  private var isStreaming: Bool { self.receiver.source == .streaming }

  // MARK: Stopping

  /// The receiver that gpsd would write to.
  private var device: ReceiverDevice? { self.devices.first { self.wanted == nil || $0.path == self.wanted } }

  /// When gpsd must have identified the receiver.
  private var identifiedBy: Instant? {
    // A receiver that was unplugged need not be identified: the session reports that it is gone, and begins anew with the
    // next one.
    guard let since = self.streamingSince, self.receiver.failure == nil, let device = self.device,
      device.driver != self.commands.driver
    else {
      return nil
    }
    return since + Self.identification
  }

  /// Finds out whether this is a receiver for this rung.
  private mutating func judgeDriver(now: Instant) {
    if self.wanted == nil, self.devices.count > 1 {
      self.receiver.failure = "gpsd has \(self.devices.count) receivers; name the one to stop with device= in [gpsd]"
    } else if let identifiedBy, now >= identifiedBy {
      let driver = self.device?.driver ?? "unknown"
      self.receiver.failure = "gpsd calls the receiver \(driver), not \(self.commands.driver)"
    }
  }

  /// Why the receiver cannot be stopped just now.
  private var obstacle: String? {
    guard self.isStreaming, self.device != nil else { return "it sent no reports when the need ended" }
    return self.device?.driver == self.commands.driver ? nil : "gpsd has not identified it yet"
  }

  private mutating func release(now: Instant) -> [RungAction] {
    if let obstacle { return self.receiver.releaseUnstopped(because: obstacle, now: now) }
    return self.receiver.beginStoring(
      StoppedReceiver(rung: self.commands.rung, device: self.device?.path), now: now)
  }

  private mutating func storing(_ event: RungEvent, number: Int, giveUpAt: Instant, now: Instant) -> [RungAction] {
    if let actions = self.receiver.storing(event, number: number, giveUpAt: giveUpAt, now: now) { return actions }
    guard self.isStreaming else {
      return [self.receiver.store(nil)]
        + self.receiver.releaseUnstopped(because: "the connection to gpsd broke", now: now)
    }
    return self.stop(now: now)
  }

  /// Sends the stop; "stopped" is stored.
  private mutating func stop(now: Instant) -> [RungAction] {
    self.receiver.enter(
      .stopping(
        StopCheck(
          sentAt: now, cycle: self.cycle,
          worked: self.receiver.lastWork.map { now - $0 < max(.seconds(5), self.cycle * 3) } ?? false)))
    return [.expectSilence(true), .write(self.commands.stop)] + self.receiver.report(.turningOff, now: now)
  }

  private mutating func stopping(_ event: RungEvent, _ check: StopCheck, now: Instant) -> [RungAction] {
    var check = check
    switch event {
    case .needed(true), .ending: return self.start(settledAt: check.settledAt, now: now)
    case .report(let isWorking):
      check.reported(isWorking: isWorking || !self.commands.talksWhileStopped, now: now)
      self.receiver.enter(.stopping(check))
      return []
    case .writeRefused(let reason):
      self.receiver.failure = "gpsd does not write to the receiver: \(reason); its option -b forbids that"
      return [.expectSilence(false), self.receiver.store(nil)] + self.receiver.runOn(now: now)
    case .source(.gpsdDown), .source(.gpsdFull), .source(.receiverMissing(.unplugged)),
      .source(.receiverMissing(.noDevice)), .source(.receiverMissing(.notConfiguredDevice)):
      return self.rest(.unknown, problem: "the connection to the receiver broke before its stop was verified", now: now)
    case .deadlineReached: return self.judgeStop(check, now: now)
    case .needed, .recovering, .source, .devices, .probed, .stored, .wrote, .unitState, .unitEnded: return []
    }
  }

  private mutating func judgeStop(_ check: StopCheck, now: Instant) -> [RungAction] {
    switch check.verdict(now: now) {
    case nil: return []
    case .stopped(let evidence): return self.rest(.off, verifiedBy: evidence, now: now)
    case .unproved:
      return self.rest(
        .released, problem: "the receiver had no fix before its stop either, so nothing shows that it obeyed", now: now)
    case .ignored:
      self.receiver.failure =
        "the receiver works on after \(self.commands.name): it ignores that, or gpsd does not write it (option -b)"
      return [.expectSilence(false), self.receiver.store(nil)] + self.receiver.runOn(now: now)
    }
  }

  /// Ends the session with a receiver that was stopped, and probes after gpsd's minute.
  private mutating func rest(
    _ state: PowerState.State, verifiedBy: String? = nil, problem: String? = nil, now: Instant
  ) -> [RungAction] {
    self.receiver.enter(.resting(probeAt: now + WatchRung.probeDelay))
    return [.expectSilence(false), .stopSession]
      + self.receiver.report(state, verifiedBy: verifiedBy, problem: problem, now: now)
  }

  // MARK: Stopped

  private mutating func resting(_ event: RungEvent, probeAt: Instant?, now: Instant) -> [RungAction] {
    switch event {
    case .needed(true), .recovering, .ending: return self.start(now: now)
    case .deadlineReached:
      guard let probeAt, now >= probeAt else { return [] }
      self.receiver.enter(.probing)
      return [.probe]
    case .needed, .source, .devices, .report, .probed, .stored, .wrote, .writeRefused, .unitState, .unitEnded: return []
    }
  }

  private mutating func probing(_ event: RungEvent, now: Instant) -> [RungAction] {
    switch event {
    case .needed(true), .ending: return self.start(now: now)
    case .probed(true?):
      // Only reports show whether another program started it.
      self.receiver.enter(.observing(StopCheck(sentAt: now, cycle: self.cycle, worked: true)))
      return [.expectSilence(true), .startSession]
    case .probed:
      self.receiver.enter(.resting(probeAt: nil))
      return []
    case .needed, .recovering, .source, .devices, .report, .deadlineReached, .stored, .wrote, .writeRefused,
      .unitState, .unitEnded:
      return []
    }
  }

  private mutating func observing(_ event: RungEvent, _ check: StopCheck, now: Instant) -> [RungAction] {
    var check = check
    switch event {
    case .needed(true), .ending: return self.start(now: now)
    case .report(let isWorking):
      check.reported(isWorking: isWorking || !self.commands.talksWhileStopped, now: now)
      self.receiver.enter(.observing(check))
      guard check.hasWorked else { return [] }
      self.receiver.enter(WatchRung(reporter: self.reporter))
      return [.expectSilence(false), .stopSession, self.receiver.store(nil)] + self.restarted(now: now)
    case .deadlineReached:
      guard check.verdict(now: now) != nil else { return [] }
      self.receiver.enter(.resting(probeAt: nil))
      return [.expectSilence(false), .stopSession]
    case .needed, .recovering, .source, .devices, .probed, .stored, .wrote, .writeRefused, .unitState, .unitEnded:
      return []
    }
  }

  private mutating func restarted(now: Instant) -> [RungAction] {
    let problem =
      "another program has started the receiver again; stopping it is for a receiver that only positiond uses"
    let actions = self.receiver.report(.released, verifiedBy: Evidence.reports, problem: problem, now: now)
    self.receiver.enter(WatchRung(reporter: self.reporter))
    return [.log(.receiverShared, "\(problem, .rung, self.reporter.rung.rawValue)")] + actions
  }

  // MARK: Starting

  // The start of a receiver that was stopped is sent with the first watch, and again with growing pauses until what the
  // receiver reports proves that it runs. A u-blox reports while it is stopped, so its reports alone prove nothing.
  // "Stopped" stays stored until the proof.

  /// - Parameter settledAt: When the reports of the time before the stop have come; `nil`: they have.
  private mutating func start(settledAt: Instant? = nil, now: Instant) -> [RungAction] {
    self.receiver.enter(.starting(Start(timesOutAt: now + Self.startTimeout, settledAt: settledAt ?? now)))
    return [.expectSilence(false), .startSession, .write(self.commands.start[0])]
      + self.receiver.report(.turningOn, now: now)
  }

  private mutating func starting(_ event: RungEvent, _ start: Start, now: Instant) -> [RungAction] {
    var start = start
    switch event {
    case .wrote:
      start.written += 1
      start.deadline = now + (start.written < self.commands.start.count ? ReceiverCommands.pause : start.pause.next)
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
      guard self.receiver.isNeeded, self.receiver.endsBy == nil else { return self.giveUp(start, now: now) }
      let actions = self.reportProblem(&start, now: now)
      self.receiver.enter(.starting(start))
      return actions
    case .source(.gpsdDown), .source(.gpsdFull):
      // Written anew on the next connection, unless it still waits for one.
      let wasWritten = start.written > 0
      (start.written, start.deadline) = (0, nil)
      self.receiver.enter(.starting(start))
      return wasWritten ? [.write(self.commands.start[0])] : []
    case .needed(false) where start.isReported && self.receiver.endsBy == nil: return self.giveUp(start, now: now)
    case .needed, .recovering, .ending, .source, .devices, .probed, .stored, .unitState, .unitEnded: break
    }
    self.receiver.enter(.starting(start))
    return []
  }

  /// When the start is given up; `nil`: not while the receiver is needed.
  private func givesUpAt(_ start: Start) -> Instant? {
    self.receiver.endsBy ?? (self.receiver.isNeeded ? nil : start.timesOutAt)
  }

  private mutating func startDeadlineReached(_ start: Start, now: Instant) -> [RungAction] {
    var start = start
    start.deadline = nil
    if start.written < self.commands.start.count {
      self.receiver.enter(.starting(start))
      return [.write(self.commands.start[start.written])]
    }
    guard start.attempt < Self.attempts || self.receiver.isNeeded || self.receiver.endsBy != nil else {
      return self.giveUp(start, now: now)
    }
    let actions = start.attempt < Self.attempts ? [] : self.reportProblem(&start, now: now)
    if start.attempt >= Self.attempts { start.pause.take() }
    (start.written, start.attempt) = (0, start.attempt + 1)
    self.receiver.enter(.starting(start))
    return actions + [.write(self.commands.start[0])]
  }

  /// Nothing shows that it obeyed; the session goes on.
  private mutating func reportProblem(_ start: inout Start, now: Instant) -> [RungAction] {
    guard self.receiver.endsBy == nil else { return [] }
    let problem = self.problem(of: start)
    let log: [RungAction] = start.isReported ? [] : [.log(.receiverNotStarted, "\(problem)")]
    start.isReported = true
    start.isLate = start.isLate || !start.hasReported
    return log + self.receiver.report(.unknown, problem: problem, now: now)
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
    if start.hasReported, start.refusal == nil, self.isStreaming, !self.receiver.isFormer, self.receiver.endsBy == nil {
      return self.stop(now: now)
    }
    self.receiver.enter(.resting(probeAt: nil))
    let problem = self.problem(of: start)
    return [.stopSession] + (start.isReported ? [] : [.log(.receiverNotStarted, "\(problem)")])
      + self.receiver.report(.unknown, problem: problem, now: now) + (self.receiver.endsBy == nil ? [] : [.ended])
  }

  private mutating func started(_ start: Start, now: Instant) -> [RungAction] {
    if start.isLate {
      self.receiver.failure = "the receiver did not report within \(Self.firstReport.components.seconds) s of its start"
    }
    let actions = [self.receiver.store(nil)] + self.receiver.runOn(now: now)
    if self.receiver.endsBy != nil { return actions + [.ended] }
    guard !self.receiver.isNeeded, !self.receiver.isFormer, self.receiver.failure == nil else {
      return actions
    }
    return actions + self.release(now: now)
  }
}
