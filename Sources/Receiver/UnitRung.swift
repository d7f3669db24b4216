import Positioning
import ReceiverPorts

/// Turns the receiver off and on by two system units of the administrator; else as ``WatchRung``.
///
/// "Stopped" is stored before the unit is started, and until the other one has ended well or the receiver has shown that
/// it works. Off is what the unit's job and gpsd report together: a receiver that works on after the unit has ended well
/// is none that is off. The two never run at one time.
struct UnitRung: RungMachine {
  private enum Phase {
    /// The receiver is not turned off.
    case watch(WatchRung)
    /// "Stopped" is on its way to the disk.
    case storing(number: Int, giveUpAt: Instant)
    /// The unit that turns it off runs, or is about to.
    case turningOff(UnitStart)
    /// That unit has ended well.
    case checking(StopCheck)
    /// Nobody watches.
    case off
    /// The unit that turns it on runs, or is about to.
    case turningOn(UnitStart)
    /// That unit has ended.
    case opening(Opening)
  }

  /// A receiver that is to report, now that the unit which turns it on has ended.
  private struct Opening {
    /// What went wrong with the unit; `nil`: nothing.
    let error: String?
    var reportBy: Instant
    /// Reports from then on are not of the time before the receiver was turned off.
    let settledAt: Instant

    /// Whether the report shows that the receiver is on: after a unit that failed it must work, since some receivers
    /// report while they are off.
    func isProved(byWorking isWorking: Bool, now: Instant) -> Bool {
      self.error == nil || isWorking && now >= self.settledAt
    }
  }

  /// How long the disk may take.
  static let storing: Duration = .seconds(10)
  /// How long the receiver may take to report after the unit has ended: it may enumerate anew, and gpsd then opens it.
  static let firstReport: Duration = .seconds(60)
  /// The longest time between two starts of the unit that turns it on.
  static let longestPause: Duration = .seconds(600)
  /// How long the daemon's end waits for the unit.
  static let ending: Duration = .seconds(20)

  /// `nil`: not known of a receiver that another daemon turned off.
  private let offUnit: String?
  private let onUnit: String
  private let isFormer: Bool
  private var phase: Phase
  private(set) var reporter: PowerReporter
  private(set) var failure: String?
  /// Why the rung is given up once the receiver runs.
  private var offFailure: String?
  /// How often the unit that turns it on has been started for this need.
  private var attempts = 0
  private var logged: String?

  private var isNeeded = false
  private var endsBy: Instant?
  private var source = SourceState.idle
  private var lastWork: Instant?
  private var lastNumber = 0

  /// - Parameters:
  ///   - offUnit: `nil`: not known, since a daemon before this one turned the receiver off.
  ///   - isStopped: Whether a daemon before this one turned the receiver off.
  ///   - isFormer: Whether to turn it on only, because something else is configured now.
  ///   - isOn: Whether a session with the running receiver is under way.
  init(
    offUnit: String?, onUnit: String, isStopped: Bool = false, isFormer: Bool = false, isOn: Bool = false,
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
    case .opening(let opening): opening.reportBy
    case .turningOff(let start), .turningOn(let start): [self.endsBy, start.deadline].compactMap { $0 }.min()
    case .off: nil
    }
  }

  // MARK: Events

  mutating func received(_ event: RungEvent, now: Instant) -> [RungAction] {
    self.note(event, now: now)
    switch self.phase {
    case .watch(var watch):
      if event == .needed(false), watch.isOn, self.endsBy == nil, let offUnit { return self.release(offUnit, now: now) }
      let actions = watch.received(event, now: now)
      self.enter(watch)
      return actions
    case .storing(let number, let giveUpAt): return self.storing(event, number: number, giveUpAt: giveUpAt, now: now)
    case .turningOff(let start): return self.turningOff(event, start, now: now)
    case .checking(let check): return self.checking(event, check, now: now)
    case .off: return self.off(event, now: now)
    case .turningOn(let start): return self.turningOn(event, start, now: now)
    case .opening(let opening): return self.opening(event, opening, now: now)
    }
  }

  private mutating func note(_ event: RungEvent, now: Instant) {
    switch event {
    case .needed(let isNeeded): self.isNeeded = isNeeded
    case .ending: self.endsBy = now + Self.ending
    case .source(let source): self.source = source
    case .report(isWorking: true): self.lastWork = now
    case .recovering, .devices, .report, .deadlineReached, .probed, .stored, .wrote, .writeRefused, .unitState,
      .unitEnded:
      break
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

  private mutating func release(_ offUnit: String, now: Instant) -> [RungAction] {
    self.phase = .storing(number: self.lastNumber + 1, giveUpAt: now + Self.storing)
    return [self.store(StoppedReceiver(rung: .unit, unit: self.onUnit, offUnit: offUnit))]
      + self.reporter.report(.turningOff, now: now)
  }

  private mutating func storing(_ event: RungEvent, number: Int, giveUpAt: Instant, now: Instant) -> [RungAction] {
    switch event {
    case .stored(number, nil):
      guard let offUnit else { preconditionFailure("a receiver is turned off by no unit") }
      let start = UnitStart(of: offUnit, after: self.onUnit)
      self.phase = .turningOff(start)
      return [.expectSilence(true), start.first]
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

  private mutating func releaseUnstopped(because reason: String, now: Instant) -> [RungAction] {
    var watch = WatchRung(isOn: true, reporter: self.reporter)
    let actions = watch.turnOff(because: "the receiver is not turned off: \(reason)", now: now)
    self.enter(watch)
    return actions
  }

  /// A need that comes while the unit runs waits for its end.
  private mutating func turningOff(_ event: RungEvent, _ start: UnitStart, now: Instant) -> [RungAction] {
    var start = start
    switch event {
    case .needed(true) where !start.isRunning: return self.leaveOn(now: now)
    case .ending where !start.isRunning: return self.leaveOn(now: now) + [.ended]
    case .unitState(start.other, .unknown(let error)):
      self.failure = "it could not turn the receiver off: \(error)"
      return self.leaveOn(now: now)
    case .unitState(start.other, let state):
      let actions = start.answered(isBusy: state == .busy, now: now)
      self.phase = .turningOff(start)
      return actions
    case .unitEnded(start.unit, let result): return self.turnedOff(start.unit, result, now: now)
    case .deadlineReached:
      let actions = start.deadlineReached(now: now)
      self.phase = .turningOff(start)
      return actions + self.giveUpAtEnd(waitingFor: start.unit, now: now)
    case .needed, .recovering, .ending, .source, .devices, .report, .probed, .stored, .wrote, .writeRefused,
      .unitState, .unitEnded:
      return []
    }
  }

  /// Nothing was done to the receiver.
  private mutating func leaveOn(now: Instant) -> [RungAction] {
    [.expectSilence(false), self.store(nil)] + self.runOn(now: now)
  }

  private mutating func turnedOff(_ offUnit: String, _ result: UnitResult, now: Instant) -> [RungAction] {
    switch result {
    case .done where self.isNeeded || self.endsBy != nil: return self.turnOn(now: now)
    case .done:
      self.phase = .checking(
        StopCheck(sentAt: now, cycle: .seconds(1), worked: self.lastWork.map { now - $0 < .seconds(60) } ?? false))
      return []
    case .failed(let error):
      self.offFailure = "it could not turn the receiver off: \(error)"
      return self.turnOn(now: now)
    case .notStarted(let error):
      self.failure = "it could not turn the receiver off: \(error)"
      return self.leaveOn(now: now) + (self.endsBy == nil ? [] : [.ended])
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
      return self.rest(Evidence.gone, now: now)
    case .deadlineReached:
      switch check.verdict(now: now) {
      case nil: return []
      case .stopped(let evidence): return self.rest(evidence, now: now)
      case .unproved: return self.rest(nil, now: now)
      case .ignored:
        // Or not wholly: the other unit undoes what this one did.
        self.offFailure = "the receiver works on after \(self.offUnit ?? "its unit")"
        return self.turnOn(now: now)
      }
    case .needed, .recovering, .source, .devices, .probed, .stored, .wrote, .writeRefused, .unitState, .unitEnded:
      return []
    }
  }

  private mutating func rest(_ evidence: String?, now: Instant) -> [RungAction] {
    self.phase = .off
    return [.expectSilence(false), .stopSession]
      + self.reporter.report(.off, verifiedBy: Evidence.unit(self.offUnit ?? "its unit", and: evidence), now: now)
  }

  // MARK: Turning on

  private mutating func off(_ event: RungEvent, now: Instant) -> [RungAction] {
    switch event {
    case .needed(true), .recovering, .ending: return self.turnOn(now: now)
    case .needed, .source, .devices, .report, .deadlineReached, .probed, .stored, .wrote, .writeRefused, .unitState,
      .unitEnded:
      return []
    }
  }

  private mutating func turnOn(now: Instant) -> [RungAction] {
    (self.attempts, self.logged) = (0, nil)
    return [self.startOnUnit()] + self.reporter.report(.turningOn, now: now)
  }

  private mutating func startOnUnit() -> RungAction {
    self.attempts += 1
    let start = UnitStart(of: self.onUnit, after: self.offUnit)
    self.phase = .turningOn(start)
    return start.first
  }

  /// gpsd is asked for the receiver only once the unit has ended: it gives up a device that is not there.
  private mutating func turningOn(_ event: RungEvent, _ start: UnitStart, now: Instant) -> [RungAction] {
    var start = start
    switch event {
    case .unitState(start.other, .unknown(let error)): return self.turnedOn(.notStarted(error), now: now)
    case .unitState(start.other, let state):
      let wasWaiting = start.isWaiting
      var actions = start.answered(isBusy: state == .busy, now: now)
      self.phase = .turningOn(start)
      if start.isWaiting || wasWaiting {
        let problem = start.isWaiting ? "\(start.unit) waits until \(start.other ?? "the other unit") has ended" : nil
        actions += self.reporter.report(.turningOn, problem: problem, now: now)
      }
      return actions
    case .unitEnded(start.unit, let result): return self.turnedOn(result, now: now)
    case .deadlineReached:
      let actions = start.deadlineReached(now: now)
      self.phase = .turningOn(start)
      return actions + self.giveUpAtEnd(waitingFor: start.isRunning ? start.unit : start.other ?? start.unit, now: now)
    case .needed, .recovering, .ending, .source, .devices, .report, .probed, .stored, .wrote, .writeRefused,
      .unitState, .unitEnded:
      return []
    }
  }

  private mutating func turnedOn(_ result: UnitResult, now: Instant) -> [RungAction] {
    let error: String? =
      switch result {
      case .done: nil
      case .failed(let error), .notStarted(let error): error
      }
    if self.endsBy != nil { return self.end(error: error) }
    let pause = min(Self.firstReport * (1 << min(self.attempts - 1, 16)), Self.longestPause)
    let opening = Opening(error: error, reportBy: now + pause, settledAt: now + StopCheck.settling)
    self.phase = .opening(opening)
    let actions: [RungAction] = [.expectSilence(false), .startSession]
    return actions
      + (error == nil ? self.reporter.report(.turningOn, now: now) : self.report(self.problem(of: opening), now: now))
  }

  private mutating func opening(_ event: RungEvent, _ opening: Opening, now: Instant) -> [RungAction] {
    switch event {
    case .report(let isWorking) where opening.isProved(byWorking: isWorking, now: now):
      return self.opened(error: opening.error, now: now)
    case .needed(false):
      // The long pauses are for a need that lasts.
      var opening = opening
      opening.reportBy = min(opening.reportBy, now + Self.firstReport)
      self.phase = .opening(opening)
      return []
    case .ending: return opening.error == nil ? self.end(error: nil) : self.turnOn(now: now)
    case .deadlineReached where now >= opening.reportBy:
      let actions = self.report(self.problem(of: opening), now: now)
      guard self.isNeeded else {
        self.phase = .off
        return [.stopSession] + actions
      }
      return actions + [self.startOnUnit()]
    case .needed, .recovering, .source, .devices, .report, .deadlineReached, .probed, .stored, .wrote, .writeRefused,
      .unitState, .unitEnded:
      return []
    }
  }

  private func problem(of opening: Opening) -> String {
    let wasOff = self.offFailure == nil ? "the receiver was turned off" : "the receiver may be off"
    return opening.error.map { "\(wasOff), and could not be turned on: \($0)" }
      ?? "the receiver sends no report though \(self.onUnit) has ended well"
  }

  /// It stays stored that the receiver is off: the next need, or the next daemon, turns it on.
  private mutating func report(_ problem: String, now: Instant) -> [RungAction] {
    let isNews = self.logged != problem
    self.logged = problem
    return (isNews ? [.log(.receiverNotStarted, "\(problem, .unit, self.onUnit)")] : [])
      + self.reporter.report(.unknown, problem: problem, now: now)
  }

  /// The daemon ends; that the unit has ended well is enough.
  private mutating func end(error: String?) -> [RungAction] {
    if let error {
      let problem = "the receiver was turned off, and could not be turned on: \(error)"
      return [.log(.receiverNotStarted, "\(problem, .unit, self.onUnit)"), .ended]
    }
    self.enter(WatchRung(reporter: self.reporter))
    return [self.store(nil), .ended]
  }

  private mutating func giveUpAtEnd(waitingFor unit: String, now: Instant) -> [RungAction] {
    guard let endsBy, now >= endsBy else { return [] }
    return [.log(.receiverNotStarted, "the receiver was turned off, and \(unit, .unit) did not end in time"), .ended]
  }

  private mutating func opened(error: String?, now: Instant) -> [RungAction] {
    self.failure = self.offFailure ?? error.map { "it could not turn the receiver on: \($0)" }
    let actions = [self.store(nil)] + self.runOn(now: now)
    guard !self.isNeeded, !self.isFormer, self.failure == nil, self.endsBy == nil, let offUnit else { return actions }
    return actions + self.release(offUnit, now: now)
  }
}
