import Positioning
import ReceiverPorts

/// Stops and starts a receiver by bytes that gpsd writes to it; else as ``WatchRung``.
///
/// "Stopped" is stored before the stop is sent. The stop counts when the receiver's reports show it, or its silence. The
/// start is sent with the first watch after it, and counts when its reports prove it. Power-down by bytes is for a receiver that only positiond uses: if
/// another program starts it again, a probe after gpsd's minute finds that.
struct CommandRung: RungMachine {
  private enum Phase {
    /// The receiver is not stopped.
    case watch(WatchRung)
    /// "Stopped" is on its way to the disk.
    case storing(number: Int, giveUpAt: Instant)
    /// The stop was sent.
    case stopping(StopCheck)
    /// Nobody watches.
    case stopped(probeAt: Instant?)
    case probing
    /// gpsd has the stopped receiver open, so watching changes nothing.
    case observing(StopCheck)
    case starting(Start)
  }

  /// A start under way.
  private struct Start: Hashable {
    /// When nobody needs the receiver, it is given up then.
    let patience: Instant
    /// Reports from then on are not of the time before the stop.
    let settledAt: Instant
    /// How many of its parts are written.
    var written = 0
    var attempt = 1
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

    /// Twice as long each time, so that a receiver that begins its search anew with each start has the time for one.
    var pause: Duration {
      min(
        CommandRung.firstReport * (1 << min(max(0, self.attempt - CommandRung.attempts), 16)), CommandRung.longestPause)
    }
  }

  /// gpsd takes some receivers for others at first: a MediaTek is NMEA0183 for some seconds.
  static let identification: Duration = .seconds(10)
  /// How long the disk may take. The receiver runs until "stopped" is stored.
  static let storing: Duration = .seconds(10)
  /// A receiver must report so long after its start; else it is sent again.
  static let firstReport: Duration = .seconds(10)
  /// How many starts it takes until the problem is reported.
  static let attempts = 2
  /// The longest time between two starts.
  static let longestPause: Duration = .seconds(600)
  /// How long a receiver that nobody needs is waited for, to start it.
  static let patience: Duration = .seconds(120)
  /// How long the daemon's end waits for the start: gpsd needs 7 s to open the receiver.
  static let ending: Duration = .seconds(20)

  private let commands: ReceiverCommands
  /// The configured device; `nil`: whatever gpsd has.
  private let wanted: String?
  /// Whether it only starts what an earlier daemon stopped by this rung, which is not the configured one.
  private let isFormer: Bool
  private var phase: Phase
  private(set) var reporter: PowerReporter
  private(set) var failure: String?

  private var isNeeded = false
  private var endsBy: Instant?
  private var source = SourceState.idle
  private var devices: [ReceiverDevice] = []
  private var streamingSince: Instant?
  /// When the last report came, the time between the last two, and when the last that showed a working receiver came.
  private var lastReport: Instant?
  private var cycle: Duration = .seconds(1)
  private var lastWork: Instant?
  private var lastNumber = 0

  /// - Parameters:
  ///   - isStopped: Whether a daemon before this one stopped the receiver.
  ///   - isFormer: Whether to start it only, because another rung is configured now.
  ///   - isOn: Whether a session with the running receiver is under way.
  init(
    commands: ReceiverCommands, device: String?, isStopped: Bool = false, isFormer: Bool = false,
    isOn: Bool = false, reporter: PowerReporter
  ) {
    self.commands = commands
    self.isFormer = isFormer
    self.wanted = device
    self.phase = isStopped ? .stopped(probeAt: nil) : .watch(WatchRung(isOn: isOn, reporter: reporter))
    self.reporter = reporter
  }

  var isStopped: Bool {
    switch self.phase {
    case .watch, .storing: false
    case .stopping, .stopped, .probing, .observing, .starting: true
    }
  }

  var nextDeadline: Instant? {
    switch self.phase {
    case .watch(let watch): watch.nextDeadline ?? self.identifiedBy
    case .storing(_, let giveUpAt): giveUpAt
    case .stopping(let check), .observing(let check): check.deadline
    case .stopped(let probeAt): probeAt
    case .probing: nil
    case .starting(let start): [start.deadline, self.givesUpAt(start)].compactMap { $0 }.min()
    }
  }

  // MARK: Events

  mutating func received(_ event: RungEvent, now: Instant) -> [RungAction] {
    self.note(event, now: now)
    switch self.phase {
    case .watch(var watch):
      guard event != .needed(false) || !watch.isOn || self.endsBy != nil else { return self.release(watch, now: now) }
      let actions = watch.received(event, now: now)
      self.enter(watch)
      self.judgeDriver(now: now)
      return actions
    case .storing(let number, let giveUpAt): return self.storing(event, number: number, giveUpAt: giveUpAt, now: now)
    case .stopping(let check): return self.stopping(event, check, now: now)
    case .stopped(let probeAt): return self.stopped(event, probeAt: probeAt, now: now)
    case .probing: return self.probing(event, now: now)
    case .observing(let check): return self.observing(event, check, now: now)
    case .starting(let start): return self.starting(event, start, now: now)
    }
  }

  /// What each event says whatever the phase.
  private mutating func note(_ event: RungEvent, now: Instant) {
    switch event {
    case .needed(let isNeeded): self.isNeeded = isNeeded
    case .ending: self.endsBy = now + Self.ending
    case .devices(let devices): self.devices = devices
    case .source(let source):
      if source == .streaming, self.source != .streaming { self.streamingSince = now }
      if source != .streaming { (self.streamingSince, self.lastReport) = (nil, nil) }
      self.source = source
    case .report(let isWorking):
      // The reports of one epoch follow each other in fractions of a second.
      if let lastReport, now - lastReport > .milliseconds(500) { self.cycle = now - lastReport }
      self.lastReport = now
      if isWorking { self.lastWork = now }
    case .recovering, .deadlineReached, .probed, .stored, .wrote, .writeRefused, .unitState, .unitEnded: break
    }
  }

  private mutating func enter(_ watch: WatchRung) {
    self.phase = .watch(watch)
    self.reporter = watch.reporter
  }

  private mutating func report(
    _ state: PowerState.State, verifiedBy: String? = nil, problem: String? = nil, now: Instant
  ) -> [RungAction] {
    self.reporter.report(state, verifiedBy: verifiedBy, problem: problem, now: now)
  }

  // MARK: Stopping

  /// The receiver that gpsd would write to.
  private var device: ReceiverDevice? { self.devices.first { self.wanted == nil || $0.path == self.wanted } }

  /// When gpsd must have identified the receiver.
  private var identifiedBy: Instant? {
    guard let since = self.streamingSince, self.failure == nil, self.device?.driver != self.commands.driver else {
      return nil
    }
    return since + Self.identification
  }

  /// Finds out whether this is a receiver for this rung.
  private mutating func judgeDriver(now: Instant) {
    if self.wanted == nil, self.devices.count > 1 {
      self.failure = "gpsd has \(self.devices.count) receivers; name the one to stop with device= in [gpsd]"
    } else if let identifiedBy, now >= identifiedBy {
      let driver = self.device?.driver ?? "unknown"
      self.failure = "gpsd calls the receiver \(driver), not \(self.commands.driver)"
    }
  }

  /// Why the receiver cannot be stopped just now.
  private var obstacle: String? {
    guard self.source == .streaming, self.device != nil else { return "it sent no reports when the need ended" }
    return self.device?.driver == self.commands.driver ? nil : "gpsd has not identified it yet"
  }

  private mutating func release(_ watch: WatchRung, now: Instant) -> [RungAction] {
    var watch = watch
    if let obstacle {
      let actions = watch.turnOff(because: "the receiver is not stopped: \(obstacle)", now: now)
      self.enter(watch)
      return actions
    }
    self.phase = .storing(number: self.lastNumber + 1, giveUpAt: now + Self.storing)
    return [
      self.store(StoppedReceiver(rung: self.commands.rung, device: self.device?.path))
    ] + self.report(.turningOff, now: now)
  }

  private mutating func store(_ stopped: StoppedReceiver?) -> RungAction {
    self.lastNumber += 1
    return .store(stopped, number: self.lastNumber)
  }

  private mutating func storing(_ event: RungEvent, number: Int, giveUpAt: Instant, now: Instant) -> [RungAction] {
    switch event {
    case .stored(number, nil):
      guard self.source == .streaming else { return [self.store(nil)] + self.releaseUnstopped(now: now) }
      return self.stop(now: now)
    case .stored(number, let error?): return self.releaseUnstopped(because: "that cannot be stored: \(error)", now: now)
    case .deadlineReached where now >= giveUpAt:
      return [self.store(nil)] + self.releaseUnstopped(because: "that could not be stored in time", now: now)
    case .needed(true): return [self.store(nil)] + self.runOn(now: now)
    case .ending: return [self.store(nil)] + self.runOn(now: now) + [.ended]
    case .needed, .recovering, .source, .devices, .report, .deadlineReached, .probed, .stored, .wrote, .writeRefused,
      .unitState, .unitEnded:
      return []
    }
  }

  /// Sends the stop; "stopped" is stored.
  private mutating func stop(now: Instant) -> [RungAction] {
    self.phase = .stopping(
      StopCheck(
        sentAt: now, cycle: self.cycle,
        worked: self.lastWork.map { now - $0 < max(.seconds(5), self.cycle * 3) } ?? false))
    return [.expectSilence(true), .write(self.commands.stop)] + self.report(.turningOff, now: now)
  }

  private var isStreaming: Bool { self.source == .streaming }

  /// The receiver was not stopped, and is released.
  private mutating func releaseUnstopped(
    because reason: String = "the connection to gpsd broke", now: Instant
  ) -> [RungAction] {
    var watch = WatchRung(isOn: true, reporter: self.reporter)
    let actions = watch.turnOff(because: "the receiver is not stopped: \(reason)", now: now)
    self.enter(watch)
    return actions
  }

  /// The receiver runs, and a session with it.
  private mutating func runOn(now: Instant) -> [RungAction] {
    var watch = WatchRung(isOn: true, reporter: self.reporter)
    let actions = watch.received(.source(self.source), now: now)
    self.enter(watch)
    return actions
  }

  private mutating func stopping(_ event: RungEvent, _ check: StopCheck, now: Instant) -> [RungAction] {
    var check = check
    switch event {
    case .needed(true), .ending: return self.start(settledAt: check.settledAt, now: now)
    case .report(let isWorking):
      check.reported(isWorking: isWorking, now: now)
      self.phase = .stopping(check)
      return []
    case .writeRefused(let reason):
      self.failure = "gpsd does not write to the receiver: \(reason); its option -b forbids that"
      return [.expectSilence(false), self.store(nil)] + self.runOn(now: now)
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
      self.failure =
        "the receiver works on after \(self.commands.name): it ignores that, or gpsd does not write it (option -b)"
      return [.expectSilence(false), self.store(nil)] + self.runOn(now: now)
    }
  }

  /// Ends the session with a receiver that was stopped, and probes after gpsd's minute.
  private mutating func rest(
    _ state: PowerState.State, verifiedBy: String? = nil, problem: String? = nil, now: Instant
  ) -> [RungAction] {
    self.phase = .stopped(probeAt: now + WatchRung.probeDelay)
    return [.expectSilence(false), .stopSession]
      + self.report(state, verifiedBy: verifiedBy, problem: problem, now: now)
  }

  // MARK: Stopped

  private mutating func stopped(_ event: RungEvent, probeAt: Instant?, now: Instant) -> [RungAction] {
    switch event {
    case .needed(true), .recovering, .ending: return self.start(now: now)
    case .deadlineReached:
      guard let probeAt, now >= probeAt else { return [] }
      self.phase = .probing
      return [.probe]
    case .needed, .source, .devices, .report, .probed, .stored, .wrote, .writeRefused, .unitState, .unitEnded: return []
    }
  }

  private mutating func probing(_ event: RungEvent, now: Instant) -> [RungAction] {
    switch event {
    case .needed(true), .ending: return self.start(now: now)
    case .probed(true?):
      // Only reports show whether another program started it.
      self.phase = .observing(StopCheck(sentAt: now, cycle: self.cycle, worked: true))
      return [.expectSilence(true), .startSession]
    case .probed:
      self.phase = .stopped(probeAt: nil)
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
      check.reported(isWorking: isWorking, now: now)
      self.phase = .observing(check)
      guard check.hasWorked else { return [] }
      self.enter(WatchRung(reporter: self.reporter))
      return [.expectSilence(false), .stopSession, self.store(nil)] + self.restarted(now: now)
    case .deadlineReached:
      guard check.verdict(now: now) != nil else { return [] }
      self.phase = .stopped(probeAt: nil)
      return [.expectSilence(false), .stopSession]
    case .needed, .recovering, .source, .devices, .probed, .stored, .wrote, .writeRefused, .unitState, .unitEnded:
      return []
    }
  }

  private mutating func restarted(now: Instant) -> [RungAction] {
    let problem =
      "another program has started the receiver again; stopping it is for a receiver that only positiond uses"
    let actions = self.report(.released, verifiedBy: Evidence.reports, problem: problem, now: now)
    self.enter(WatchRung(reporter: self.reporter))
    return [.log(.receiverShared, "\(problem, .rung, self.reporter.rung.rawValue)")] + actions
  }

  // MARK: Starting

  // The start of a receiver that was stopped is sent with the first watch, and again with growing pauses until what the
  // receiver reports proves that it runs. A u-blox reports while it is stopped, so its reports alone prove nothing.
  // "Stopped" stays stored until the proof.

  /// - Parameter settledAt: When the reports of the time before the stop have come; `nil`: they have.
  private mutating func start(settledAt: Instant? = nil, now: Instant) -> [RungAction] {
    self.phase = .starting(Start(patience: now + Self.patience, settledAt: settledAt ?? now))
    return [.expectSilence(false), .startSession, .write(self.commands.start[0])] + self.report(.turningOn, now: now)
  }

  private mutating func starting(_ event: RungEvent, _ start: Start, now: Instant) -> [RungAction] {
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
  private func givesUpAt(_ start: Start) -> Instant? {
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
