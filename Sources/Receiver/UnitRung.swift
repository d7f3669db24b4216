import Positioning
import ReceiverPorts

/// Turns the receiver off and on by two system units of the administrator; else as ``WatchRung``.
///
/// "Stopped" is stored before the unit is started. Off is what the unit's job and gpsd report together: a receiver that
/// works on after the unit has ended well is none that is off.
struct UnitRung: RungMachine {
  private enum Phase {
    /// The receiver is not turned off.
    case watch(WatchRung)
    /// "Stopped" is on its way to the disk.
    case storing(number: Int, giveUpAt: Instant)
    /// The unit that turns it off runs.
    case turningOff
    /// That unit has ended well.
    case checking(StopCheck)
    /// Nobody watches.
    case off
    /// The unit that turns it on runs.
    case turningOn
    /// That unit has ended; the error, if it did not end well.
    case opening(reportBy: Instant, error: String?)
  }

  /// How long the disk may take.
  static let storing: Duration = .seconds(10)
  /// How long the receiver may take to report after the unit has ended: it may enumerate anew, and gpsd then opens it.
  static let firstReport: Duration = .seconds(60)
  /// How long the daemon's end waits for the unit.
  static let ending: Duration = .seconds(20)

  private let offUnit: String
  private let onUnit: String
  private let isFormer: Bool
  private var phase: Phase
  private(set) var reporter: PowerReporter
  private(set) var failure: String?

  private var isNeeded = false
  private var endsBy: Instant?
  private var source = SourceState.idle
  private var lastWork: Instant?
  private var lastNumber = 0

  /// - Parameters:
  ///   - isStopped: Whether a daemon before this one turned the receiver off.
  ///   - isFormer: Whether to turn it on only, because another rung is configured now.
  ///   - isOn: Whether a session with the running receiver is under way.
  init(
    offUnit: String, onUnit: String, isStopped: Bool = false, isFormer: Bool = false, isOn: Bool = false,
    reporter: PowerReporter
  ) {
    self.offUnit = offUnit
    self.onUnit = onUnit
    self.isFormer = isFormer
    self.phase = isStopped ? .off : .watch(WatchRung(isOn: isOn, reporter: reporter))
    self.reporter = reporter
  }

  var isStopped: Bool {
    switch self.phase {
    case .watch, .storing: false
    case .turningOff, .checking, .off, .turningOn, .opening: true
    }
  }

  var nextDeadline: Instant? {
    switch self.phase {
    case .watch(let watch): watch.nextDeadline
    case .storing(_, let giveUpAt): giveUpAt
    case .checking(let check): check.deadline
    case .opening(let reportBy, _): self.endsBy ?? reportBy
    case .turningOff, .off, .turningOn: self.endsBy
    }
  }

  // MARK: Events

  mutating func received(_ event: RungEvent, now: Instant) -> [RungAction] {
    self.note(event, now: now)
    switch self.phase {
    case .watch(var watch):
      if event == .needed(false), watch.isOn, self.endsBy == nil { return self.release(now: now) }
      let actions = watch.received(event, now: now)
      self.enter(watch)
      return actions
    case .storing(let number, let giveUpAt): return self.storing(event, number: number, giveUpAt: giveUpAt, now: now)
    case .turningOff: return self.turningOff(event, now: now)
    case .checking(let check): return self.checking(event, check, now: now)
    case .off: return self.off(event, now: now)
    case .turningOn: return self.turningOn(event, now: now)
    case .opening(let reportBy, let error): return self.opening(event, reportBy: reportBy, error: error, now: now)
    }
  }

  private mutating func note(_ event: RungEvent, now: Instant) {
    switch event {
    case .needed(let isNeeded): self.isNeeded = isNeeded
    case .ending: self.endsBy = now + Self.ending
    case .source(let source): self.source = source
    case .report(isWorking: true): self.lastWork = now
    case .recovering, .devices, .report, .deadlineReached, .probed, .stored, .wrote, .writeRefused, .unitEnded: break
    }
  }

  private mutating func enter(_ watch: WatchRung) {
    self.phase = .watch(watch)
    self.reporter = watch.reporter
  }

  private mutating func store(_ stopped: StoppedReceiver?) -> RungAction {
    self.lastNumber += 1
    return .store(stopped, number: self.lastNumber)
  }

  /// The receiver runs, and a session with it.
  private mutating func runOn(now: Instant) -> [RungAction] {
    var watch = WatchRung(isOn: true, reporter: self.reporter)
    let actions = watch.received(.source(self.source), now: now)
    self.enter(watch)
    return actions
  }

  // MARK: Turning off

  private mutating func release(now: Instant) -> [RungAction] {
    self.phase = .storing(number: self.lastNumber + 1, giveUpAt: now + Self.storing)
    return [self.store(StoppedReceiver(rung: .unit, unit: self.onUnit))] + self.reporter.report(.turningOff, now: now)
  }

  private mutating func storing(_ event: RungEvent, number: Int, giveUpAt: Instant, now: Instant) -> [RungAction] {
    switch event {
    case .stored(number, nil):
      self.phase = .turningOff
      return [.expectSilence(true), .startUnit(self.offUnit)]
    case .stored(number, let error?): return self.releaseUnstopped(because: "that cannot be stored: \(error)", now: now)
    case .deadlineReached where now >= giveUpAt:
      return [self.store(nil)] + self.releaseUnstopped(because: "that could not be stored in time", now: now)
    case .needed(true): return [self.store(nil)] + self.runOn(now: now)
    case .ending: return [self.store(nil)] + self.runOn(now: now) + [.ended]
    case .needed, .recovering, .source, .devices, .report, .deadlineReached, .probed, .stored, .wrote, .writeRefused,
      .unitEnded:
      return []
    }
  }

  private mutating func releaseUnstopped(because reason: String, now: Instant) -> [RungAction] {
    var watch = WatchRung(isOn: true, reporter: self.reporter)
    let actions = watch.turnOff(because: "the receiver is not turned off: \(reason)", now: now)
    self.enter(watch)
    return actions
  }

  /// A need that comes now waits for the unit: two that contradict each other must not run at one time.
  private mutating func turningOff(_ event: RungEvent, now: Instant) -> [RungAction] {
    switch event {
    case .unitEnded(self.offUnit, let error):
      if self.isNeeded || self.endsBy != nil { return self.turnOn(now: now) }
      if let error { return self.fail("it could not turn the receiver off: \(error)", now: now) }
      self.phase = .checking(
        StopCheck(sentAt: now, cycle: .seconds(1), worked: self.lastWork.map { now - $0 < .seconds(60) } ?? false))
      return []
    case .deadlineReached: return self.giveUpAtEnd(now: now)
    case .needed, .recovering, .ending, .source, .devices, .report, .probed, .stored, .wrote, .writeRefused, .unitEnded:
      return []
    }
  }

  private mutating func checking(_ event: RungEvent, _ check: StopCheck, now: Instant) -> [RungAction] {
    var check = check
    switch event {
    case .needed(true), .ending: return self.turnOn(now: now)
    case .report(let isWorking):
      check.reported(isWorking: isWorking, now: now)
      self.phase = .checking(check)
      return []
    case .source(.receiverMissing(.unplugged)), .source(.receiverMissing(.noDevice)),
      .source(.receiverMissing(.notConfiguredDevice)), .source(.gpsdDown):
      // A gpsd that has no device left may end.
      return self.rest(Evidence.unit(self.offUnit, and: Evidence.gone), now: now)
    case .deadlineReached:
      switch check.verdict(now: now) {
      case nil: return []
      case .stopped(let evidence): return self.rest(Evidence.unit(self.offUnit, and: evidence), now: now)
      case .unproved: return self.rest(Evidence.unit(self.offUnit), now: now)
      case .ignored: return self.fail("the receiver works on after \(self.offUnit)", now: now)
      }
    case .needed, .recovering, .source, .devices, .probed, .stored, .wrote, .writeRefused, .unitEnded: return []
    }
  }

  private mutating func rest(_ evidence: String, now: Instant) -> [RungAction] {
    self.phase = .off
    return [.expectSilence(false), .stopSession] + self.reporter.report(.off, verifiedBy: evidence, now: now)
  }

  /// The receiver was not turned off, or not wholly: the other unit undoes what the first one did.
  private mutating func fail(_ reason: String, now: Instant) -> [RungAction] {
    self.failure = reason
    return [.expectSilence(false), .startUnit(self.onUnit), self.store(nil)] + self.runOn(now: now)
  }

  // MARK: Turning on

  private mutating func off(_ event: RungEvent, now: Instant) -> [RungAction] {
    switch event {
    case .needed(true), .recovering, .ending: return self.turnOn(now: now)
    case .needed, .source, .devices, .report, .deadlineReached, .probed, .stored, .wrote, .writeRefused, .unitEnded:
      return []
    }
  }

  private mutating func turnOn(now: Instant) -> [RungAction] {
    self.phase = .turningOn
    return [.startUnit(self.onUnit)] + self.reporter.report(.turningOn, now: now)
  }

  /// gpsd is asked for the receiver only once the unit has ended: it gives up a device that is not there.
  private mutating func turningOn(_ event: RungEvent, now: Instant) -> [RungAction] {
    switch event {
    case .unitEnded(self.onUnit, let error):
      if self.endsBy != nil { return self.end(error: error) }
      self.phase = .opening(reportBy: now + Self.firstReport, error: error)
      let problem = error.map { "the receiver was turned off, and could not be turned on: \($0)" }
      let log = problem.map { RungAction.log(.receiverNotStarted, "\($0, .unit, self.onUnit)") }
      return [.expectSilence(false), .startSession] + (log.map { [$0] } ?? [])
        + self.reporter.report(.turningOn, problem: problem, now: now)
    case .deadlineReached: return self.giveUpAtEnd(now: now)
    case .needed, .recovering, .ending, .source, .devices, .report, .probed, .stored, .wrote, .writeRefused, .unitEnded:
      return []
    }
  }

  private mutating func opening(
    _ event: RungEvent, reportBy: Instant, error: String?, now: Instant
  ) -> [RungAction] {
    switch event {
    case .report: return self.opened(error: error, now: now)
    case .ending: return self.end(error: error)
    case .deadlineReached where now >= reportBy && !self.isNeeded: return self.giveUp(error: error, now: now)
    case .deadlineReached where now >= reportBy:
      self.phase = .opening(reportBy: now + Self.firstReport, error: error)
      return self.reporter.report(.unknown, problem: self.silence(error), now: now)
    case .needed, .recovering, .source, .devices, .deadlineReached, .probed, .stored, .wrote, .writeRefused, .unitEnded:
      return []
    }
  }

  private func silence(_ error: String?) -> String {
    error.map { "the receiver was turned off, and could not be turned on: \($0)" }
      ?? "the receiver sends no report though \(self.onUnit) has ended well"
  }

  /// It stays stored that the receiver is off: the next need, or the next daemon, turns it on.
  private mutating func giveUp(error: String?, now: Instant) -> [RungAction] {
    self.phase = .off
    return [.stopSession, .log(.receiverNotStarted, "\(self.silence(error), .unit, self.onUnit)")]
      + self.reporter.report(.unknown, problem: self.silence(error), now: now)
  }

  /// The daemon ends; that the unit has ended well is enough.
  private mutating func end(error: String?) -> [RungAction] {
    guard error == nil else { return [.ended] }
    self.enter(WatchRung(reporter: self.reporter))
    return [self.store(nil), .ended]
  }

  private mutating func giveUpAtEnd(now: Instant) -> [RungAction] {
    guard let endsBy, now >= endsBy else { return [] }
    return [
      .log(.receiverNotStarted, "the receiver was turned off, and \(self.onUnit, .unit) did not end in time"), .ended,
    ]
  }

  private mutating func opened(error: String?, now: Instant) -> [RungAction] {
    if let error { self.failure = "it could not turn the receiver on: \(error)" }
    let actions = [self.store(nil)] + self.runOn(now: now)
    guard !self.isNeeded, !self.isFormer, self.failure == nil, self.endsBy == nil else { return actions }
    return actions + self.release(now: now)
  }
}
