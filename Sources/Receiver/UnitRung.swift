import Positioning
import ReceiverPorts

/// Turns the receiver off and on by two system units of the administrator; else as ``WatchRung``.
///
/// "Stopped" is stored before the unit is started, and until the other one has ended well or the receiver has shown that
/// it works. Off is what the unit's job and gpsd report together: a receiver that still works after the unit has ended
/// well is not off. The two units never run at the same time.
struct UnitRung: RungMachine {
  private enum Phase {
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

  /// How long the receiver may take to report after the unit has ended: it may enumerate anew, and gpsd then opens it.
  static let firstReport: Duration = .seconds(60)

  /// `nil`: not known of a receiver that another daemon turned off.
  private let offUnit: String?
  private let onUnit: String
  private var receiver: StoppableReceiver<Phase>
  /// Why the rung is given up once the receiver runs.
  private var offFailure: String?
  /// Between two starts of the unit that turns it on.
  private var pause = GrowingPause(first: Self.firstReport, longest: .seconds(600))
  private var logged: String?

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
    self.receiver = StoppableReceiver(
      stopped: isStopped ? .off : nil, isOn: isOn, isFormer: isFormer, participle: "turned off", reporter: reporter)
  }

  var failure: String? { self.receiver.failure }
  var isStopped: Bool { self.receiver.isStopped }
  var reporter: PowerReporter { self.receiver.reporter }

  var nextDeadline: Instant? {
    switch self.receiver.phase {
    case .watch(let watch): watch.nextDeadline
    case .storing(_, let giveUpAt): giveUpAt
    case .stopped(.checking(let check)): check.deadline
    case .stopped(.opening(let opening)): opening.reportBy
    case .stopped(.turningOff(let start)), .stopped(.turningOn(let start)):
      [self.receiver.endsBy, start.deadline].compactMap { $0 }.min()
    case .stopped(.off): nil
    }
  }

  // MARK: Events

  mutating func received(_ event: RungEvent, now: Instant) -> [RungAction] {
    self.receiver.note(event, now: now)
    switch self.receiver.phase {
    case .watch(let watch):
      if event == .needed(false), watch.isOn, self.receiver.endsBy == nil, let offUnit {
        return self.release(offUnit, now: now)
      }
      return self.receiver.received(event, watch, now: now)
    case .storing(let number, let giveUpAt): return self.storing(event, number: number, giveUpAt: giveUpAt, now: now)
    case .stopped(.turningOff(let start)): return self.turningOff(event, start, now: now)
    case .stopped(.checking(let check)): return self.checking(event, check, now: now)
    case .stopped(.off): return self.off(event, now: now)
    case .stopped(.turningOn(let start)): return self.turningOn(event, start, now: now)
    case .stopped(.opening(let opening)): return self.opening(event, opening, now: now)
    }
  }

  // MARK: Turning off

  private mutating func release(_ offUnit: String, now: Instant) -> [RungAction] {
    self.receiver.beginStoring(StoppedReceiver(rung: .unit, unit: self.onUnit, offUnit: offUnit), now: now)
  }

  private mutating func storing(_ event: RungEvent, number: Int, giveUpAt: Instant, now: Instant) -> [RungAction] {
    if let actions = self.receiver.storing(event, number: number, giveUpAt: giveUpAt, now: now) { return actions }
    guard let offUnit else { preconditionFailure("a receiver is turned off by no unit") }
    let start = UnitStart(of: offUnit, after: self.onUnit)
    self.receiver.enter(.turningOff(start))
    return [.expectSilence(true), start.first]
  }

  /// A need that comes while the unit runs waits for its end.
  private mutating func turningOff(_ event: RungEvent, _ start: UnitStart, now: Instant) -> [RungAction] {
    var start = start
    switch event {
    case .needed(true) where !start.isRunning: return self.leaveOn(now: now)
    case .ending where !start.isRunning: return self.leaveOn(now: now) + [.ended]
    case .unitState(start.other, .unknown(let error)):
      self.receiver.failure = "it could not turn the receiver off: \(error)"
      return self.leaveOn(now: now)
    case .unitState(start.other, let state):
      let actions = start.answered(isBusy: state == .busy, now: now)
      self.receiver.enter(.turningOff(start))
      return actions
    case .unitEnded(start.unit, let result): return self.turnedOff(start.unit, result, now: now)
    case .deadlineReached:
      let actions = start.deadlineReached(now: now)
      self.receiver.enter(.turningOff(start))
      return actions + self.giveUpAtEnd(waitingFor: start.unit, now: now)
    case .needed, .recovering, .ending, .source, .devices, .report, .probed, .stored, .wrote, .writeRefused,
      .unitState, .unitEnded:
      return []
    }
  }

  /// Nothing was done to the receiver.
  private mutating func leaveOn(now: Instant) -> [RungAction] {
    [.expectSilence(false), self.receiver.store(nil)] + self.receiver.runOn(now: now)
  }

  private mutating func turnedOff(_ offUnit: String, _ result: UnitResult, now: Instant) -> [RungAction] {
    switch result {
    case .done where self.receiver.isNeeded || self.receiver.endsBy != nil: return self.turnOn(now: now)
    case .done:
      self.receiver.enter(
        .checking(
          StopCheck(
            sentAt: now, cycle: .seconds(1), worked: self.receiver.lastWork.map { now - $0 < .seconds(60) } ?? false)))
      return []
    case .failed(let error):
      self.offFailure = "it could not turn the receiver off: \(error)"
      return self.turnOn(now: now)
    case .notStarted(let error):
      self.receiver.failure = "it could not turn the receiver off: \(error)"
      return self.leaveOn(now: now) + (self.receiver.endsBy == nil ? [] : [.ended])
    }
  }

  private mutating func checking(_ event: RungEvent, _ check: StopCheck, now: Instant) -> [RungAction] {
    var check = check
    switch event {
    case .needed(true), .ending: return self.turnOn(now: now)
    case .report(let isWorking):
      check.reported(isWorking: isWorking, now: now)
      self.receiver.enter(.checking(check))
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
    self.receiver.enter(.off)
    return [.expectSilence(false), .stopSession]
      + self.receiver.report(.off, verifiedBy: Evidence.unit(self.offUnit ?? "its unit", and: evidence), now: now)
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
    self.pause.reset()
    self.logged = nil
    return [self.startOnUnit()] + self.receiver.report(.turningOn, now: now)
  }

  private mutating func startOnUnit() -> RungAction {
    let start = UnitStart(of: self.onUnit, after: self.offUnit)
    self.receiver.enter(.turningOn(start))
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
      self.receiver.enter(.turningOn(start))
      if start.isWaiting || wasWaiting {
        let problem = start.isWaiting ? "\(start.unit) waits until \(start.other ?? "the other unit") has ended" : nil
        actions += self.receiver.report(.turningOn, problem: problem, now: now)
      }
      return actions
    case .unitEnded(start.unit, let result): return self.turnedOn(result, now: now)
    case .deadlineReached:
      let actions = start.deadlineReached(now: now)
      self.receiver.enter(.turningOn(start))
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
    if self.receiver.endsBy != nil { return self.end(error: error) }
    let opening = Opening(error: error, reportBy: now + self.pause.take(), settledAt: now + StopCheck.settling)
    self.receiver.enter(.opening(opening))
    let actions: [RungAction] = [.expectSilence(false), .startSession]
    return actions
      + (error == nil ? self.receiver.report(.turningOn, now: now) : self.report(self.problem(of: opening), now: now))
  }

  private mutating func opening(_ event: RungEvent, _ opening: Opening, now: Instant) -> [RungAction] {
    switch event {
    case .report(let isWorking) where opening.isProved(byWorking: isWorking, now: now):
      return self.opened(error: opening.error, now: now)
    case .needed(false):
      // The long pauses are for a need that lasts.
      var opening = opening
      opening.reportBy = min(opening.reportBy, now + Self.firstReport)
      self.receiver.enter(.opening(opening))
      return []
    case .ending: return opening.error == nil ? self.end(error: nil) : self.turnOn(now: now)
    case .deadlineReached where now >= opening.reportBy:
      let actions = self.report(self.problem(of: opening), now: now)
      guard self.receiver.isNeeded else {
        self.receiver.enter(.off)
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
      + self.receiver.report(.unknown, problem: problem, now: now)
  }

  /// The daemon ends; that the unit has ended well is enough.
  private mutating func end(error: String?) -> [RungAction] {
    if let error {
      let problem = "the receiver was turned off, and could not be turned on: \(error)"
      return [.log(.receiverNotStarted, "\(problem, .unit, self.onUnit)"), .ended]
    }
    self.receiver.enter(WatchRung(reporter: self.reporter))
    return [self.receiver.store(nil), .ended]
  }

  private mutating func giveUpAtEnd(waitingFor unit: String, now: Instant) -> [RungAction] {
    guard let endsBy = self.receiver.endsBy, now >= endsBy else { return [] }
    return [.log(.receiverNotStarted, "the receiver was turned off, and \(unit, .unit) did not end in time"), .ended]
  }

  private mutating func opened(error: String?, now: Instant) -> [RungAction] {
    self.receiver.failure = self.offFailure ?? error.map { "it could not turn the receiver on: \($0)" }
    let actions = [self.receiver.store(nil)] + self.receiver.runOn(now: now)
    guard !self.receiver.isNeeded, !self.receiver.isFormer, self.receiver.failure == nil, self.receiver.endsBy == nil,
      let offUnit
    else { return actions }
    return actions + self.release(offUnit, now: now)
  }
}

/// The start of one of two system units that contradict each other: it waits until the other one has ended, whoever
/// started that. Only systemd knows, since a daemon before this one may have done it.
struct UnitStart: Hashable {
  private enum Step: Hashable {
    case asking
    /// The other unit is at work; systemd is asked about it again at this moment.
    case waiting(until: Instant)
    case running
  }

  let unit: String
  /// The unit whose end it waits for; `nil`: none, since nobody knows which one was started.
  let other: String?
  private var step = Step.asking
  /// Between two questions.
  private var pause = GrowingPause(first: .seconds(1), longest: .seconds(5))

  init(of unit: String, after other: String?) {
    self.unit = unit
    self.other = other
    if other == nil { self.step = .running }
  }

  var first: RungAction { self.other.map { .askUnit($0) } ?? .startUnit(self.unit) }

  /// Whether systemd was asked to start it.
  var isRunning: Bool { self.step == .running }

  var isWaiting: Bool { if case .waiting = self.step { true } else { false } }

  var deadline: Instant? { if case .waiting(let until) = self.step { until } else { nil } }

  /// systemd's answer about the other unit.
  mutating func answered(isBusy: Bool, now: Instant) -> [RungAction] {
    guard self.step == .asking else { return [] }
    guard isBusy else {
      self.step = .running
      return [.startUnit(self.unit)]
    }
    self.step = .waiting(until: now + self.pause.take())
    return []
  }

  mutating func deadlineReached(now: Instant) -> [RungAction] {
    guard let other, case .waiting(let until) = self.step, now >= until else { return [] }
    self.step = .asking
    return [.askUnit(other)]
  }
}
