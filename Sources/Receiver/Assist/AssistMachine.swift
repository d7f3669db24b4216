import Positioning
import ReceiverPorts
import UBX

/// Decides when a receiver's knowledge is taken, and when a receiver is given what helps it to its first fix.
///
/// It is given once after a start at which the receiver has no fix: at once if its power may have been cut, else after
/// ``patience``. It is taken before the receiver is turned off or the daemon ends, and each hour while it is on: orbits are valid for
/// four hours, and nobody announces a loss of power.
struct AssistMachine: Sendable {
  enum Event: Hashable, Sendable {
    /// A session with the receiver begins or ends.
    case session(isOn: Bool)
    /// Whether somebody needs the receiver. If nobody does, it is turned off unless the machine ``isHolding`` it.
    case needed(Bool)
    /// The daemon ends.
    case ending
    case source(SourceState)
    case devices([ReceiverDevice])
    case report(PositionReport)
    /// A message of the receiver.
    case packet(UBXFrame)
    /// gpsd refused to write; in its words.
    case refused(String)
    case loaded(LoadedAssistance)
    /// Why the file could not be written.
    case keepFailed(String)
    /// This process did not run for so long.
    case gapEnded(Duration)
    case deadlineReached
  }

  enum Action: Hashable, Sendable {
    case write([UInt8])
    /// Have gpsd pass on the receiver's own messages.
    case askForPackets
    /// Read what the disk has for this time, and send it.
    case load(AssistDialect, Timestamp)
    /// Replace the file.
    case keep(KeptAssistance)
    /// Give the file another name, so that it is not lost.
    case setAside
    case report(Assistance)
    case log(LogKind, LogMessage)
    /// The receiver is not held any more.
    case release
  }

  /// A start of the receiver.
  private struct Start: Hashable {
    /// Whether its power may have been cut before.
    var isCold: Bool
    /// When the first report without a fix came.
    var firstReport: Instant?
    var isLoading = false
    /// It was given something, or has a fix.
    var isSettled = false
    /// What was said of this start.
    var problem: String?
  }

  private struct Giving: Hashable {
    var writes: ArraySlice<[UInt8]>
    var plan: AssistPlan
    var nextAt: Instant
    var refusals = 0
  }

  private struct Taking: Hashable {
    /// The polls that are not sent yet.
    var polls: ArraySlice<UBXFrame>
    var frames: [UBXFrame] = []
    var bytes = 0
    /// When the last message came, and when the last poll was sent.
    var lastAt: Instant
    var isAnswered = false
  }

  /// How long a start whose power was not cut, as far as anybody knows, may be without a fix.
  static let patience: Duration = .seconds(10)
  /// Between two writes, so that they do not fill gpsd's buffers.
  static let pace: Duration = .milliseconds(20)
  /// How long after the last write its refusal may come.
  static let lateness: Duration = .seconds(1)
  /// An answer has ended after so long without a message.
  static let quiet: Duration = .milliseconds(700)
  /// How long a receiver may take until it begins to answer.
  static let answer: Duration = .seconds(2)
  /// How old what was taken may be until it is taken again: while the receiver is on, before it is turned off, and before the
  /// daemon ends.
  static let interval: (on: Duration, off: Duration, end: Duration) = (.seconds(3600), .seconds(1800), .seconds(600))
  /// A receiver has received its orbits so long after its first fix.
  static let settling: Duration = .seconds(45)

  private let rung: PowerRung
  private let wanted: String?
  private var devices: [ReceiverDevice] = []
  private var isStreaming = false
  private var isNeeded = false
  private var isEnding = false
  /// Whether the receiver may have lost its power since its last fix.
  private var isPowerDoubtful = true
  private var start: Start?
  private var giving: Giving?
  private var taking: Taking?
  private(set) var isHolding = false
  /// Since when it has a fix without a break.
  private var fixedSince: Instant?
  private var place: LastPlace?
  /// The receiver's time, and when it came.
  private var time: (Timestamp, Instant)?
  private var takenAt: Instant?
  /// What is taken is not polled again before: the receiver did not answer.
  private var notBefore: Instant?
  private var generation = 0
  private var isRefused = false

  /// - Parameter wanted: The configured device; `nil`: whatever gpsd has.
  init(rung: PowerRung, device wanted: String?) {
    (self.rung, self.wanted) = (rung, wanted)
  }

  /// When to send `deadlineReached`.
  var nextDeadline: Instant? {
    let takingEnd = self.taking.map { $0.lastAt + ($0.isAnswered ? Self.quiet : Self.answer) }
    return [self.giving?.nextAt, takingEnd].compactMap { $0 }.min()
  }

  /// - Parameter clock: Read where it is needed.
  mutating func received(_ event: Event, now: Instant, clock: () -> AssistClock) -> [Action] {
    switch event {
    case .session(let isOn): return self.sessionChanged(isOn, now: now)
    case .needed(let isNeeded): return self.needed(isNeeded, now: now)
    case .ending:
      self.isEnding = true
      return self.hold(ifOlderThan: Self.interval.end, now: now)
    case .source(let source): return self.sourceChanged(source, now: now)
    case .devices(let devices):
      self.devices = devices
      if self.device == nil { self.isPowerDoubtful = true }
      return []
    case .report(let report): return self.reported(report, now: now, clock)
    case .packet(let frame): return self.received(frame, now: now)
    case .refused(let reason): return self.refused(reason, now: now)
    case .loaded(let loaded): return self.loaded(loaded, now: now, clock)
    case .keepFailed(let reason): return [.log(.assistanceFailed, "the receiver's knowledge cannot be kept: \(reason)")]
    case .gapEnded(let gap):
      // A receiver whose answer nobody could read has not fallen silent.
      if let taking { self.taking?.lastAt = taking.lastAt + gap }
      return []
    case .deadlineReached: return self.deadlineReached(now: now)
    }
  }

  // MARK: The receiver

  /// The receiver that gpsd writes to; `nil`: none, or nobody knows which.
  private var device: ReceiverDevice? {
    if let wanted { return self.devices.first { $0.path == wanted } }
    return self.devices.count == 1 ? self.devices[0] : nil
  }

  private var receiver: (source: KeptAssistance.Source, dialect: AssistDialect)? {
    guard self.isStreaming, let device, let driver = device.driver, let dialect = AssistDialect(driver: driver) else {
      return nil
    }
    return (KeptAssistance.Source(driver: driver, firmware: device.subtype), dialect)
  }

  private mutating func sessionChanged(_ isOn: Bool, now: Instant) -> [Action] {
    self.start = isOn ? Start(isCold: self.isPowerDoubtful || self.rung == .unit) : nil
    (self.fixedSince, self.time) = (nil, nil)
    return self.abandon(now: now)
  }

  private mutating func sourceChanged(_ source: SourceState, now: Instant) -> [Action] {
    self.isStreaming = source == .streaming
    switch source {
    case .streaming, .opening, .idle: return []
    case .receiverMissing(.unplugged), .receiverMissing(.noDevice), .receiverMissing(.notConfiguredDevice),
      .receiverMissing(.silent):
      self.isPowerDoubtful = true
      if self.start != nil { self.start = Start(isCold: true) }
    // The next gpsd may write.
    case .gpsdDown: self.isRefused = false
    case .gpsdFull: break
    }
    (self.fixedSince, self.time) = (nil, nil)
    return self.abandon(now: now)
  }

  /// What is under way cannot go on.
  private mutating func abandon(now: Instant) -> [Action] {
    var actions: [Action] = []
    if let giving {
      self.giving = nil
      actions += self.report([], problem: "the receiver went away before it was given all", giving.plan, now: now)
    }
    self.taking = nil
    return actions + self.letGo()
  }

  private mutating func letGo() -> [Action] {
    guard self.isHolding else { return [] }
    self.isHolding = false
    return [.release]
  }

  private mutating func needed(_ isNeeded: Bool, now: Instant) -> [Action] {
    self.isNeeded = isNeeded
    guard isNeeded else { return self.hold(ifOlderThan: Self.interval.off, now: now) }
    // What is being taken is taken to its end; the receiver stays on anyway.
    self.isHolding = self.isHolding && self.isEnding
    return []
  }

  private mutating func hold(ifOlderThan age: Duration, now: Instant) -> [Action] {
    if self.taking != nil {
      self.isHolding = true
      return []
    }
    guard self.mayTake(ifOlderThan: age, now: now) else { return [] }
    let actions = self.beginTaking(now: now)
    self.isHolding = self.taking != nil
    return actions
  }

  private mutating func reported(_ report: PositionReport, now: Instant, _ clock: () -> AssistClock) -> [Action] {
    guard report.device == nil || self.device.map({ $0.path == report.device }) ?? false else { return [] }
    guard report.hasPosition, let latitude = report.latitude, let longitude = report.longitude else {
      // A report that does not say whether there is a fix shows nothing.
      guard report.mode == .noFix else { return [] }
      self.fixedSince = nil
      return self.considerGiving(now: now, clock)
    }
    self.isPowerDoubtful = false
    self.fixedSince = self.fixedSince ?? now
    self.start?.isSettled = true
    if let time = report.time {
      self.time = (time, now)
      self.place = LastPlace(
        coordinate: Coordinate(latitude: latitude, longitude: longitude),
        altitude: report.ellipsoidalAltitude ?? report.altitude ?? 0,
        accuracy: report.eph ?? max(report.epx ?? 50, report.epy ?? 50), time: time)
    }
    let actions = self.giving.map { self.finish($0, now: now) } ?? []
    guard self.taking == nil, self.mayTake(ifOlderThan: Self.interval.on, now: now) else { return actions }
    return actions + self.beginTaking(now: now)
  }

  // MARK: Giving

  private mutating func considerGiving(now: Instant, _ clock: () -> AssistClock) -> [Action] {
    guard var start, !start.isSettled, !start.isLoading, self.isNeeded, !self.isRefused,
      let (_, dialect) = self.receiver
    else { return [] }
    defer { self.start = start }
    let first = start.firstReport ?? now
    start.firstReport = first
    guard start.isCold || now - first >= Self.patience else { return [] }
    let reading = clock()
    guard let error = reading.error, error <= dialect.worstTime else {
      let problem =
        reading.error == nil
        ? "the system clock is not synchronised; assist-clock-error= in [receiver] can say how wrong it may be"
        : "the system clock may be wrong by more than \(Int(dialect.worstTime.seconds)) s"
      guard start.problem != problem else { return [] }
      start.problem = problem
      return [.report(Assistance(given: [], at: now, problem: problem))]
    }
    start.isLoading = true
    return [.load(dialect, reading.time)]
  }

  private mutating func loaded(_ loaded: LoadedAssistance, now: Instant, _ clock: () -> AssistClock) -> [Action] {
    guard var start, start.isLoading, !start.isSettled, let (source, dialect) = self.receiver else {
      self.start?.isLoading = false
      return loaded.problems.map { .log(.assistanceFailed, "\($0)") }
    }
    (start.isLoading, start.isSettled) = (false, true)
    self.start = start
    let reading = clock()
    guard let error = reading.error else { return [] }
    let plan = AssistPlan(
      for: source, dialect, place: self.place, loaded: loaded, time: reading.time, error: error)
    self.giving = Giving(writes: AssistMessage.writes(plan.messages)[...], plan: plan, nextAt: now)
    let warnings: [Action] = plan.problems.map { .log(.assistanceFailed, "\($0)") }
    return warnings + (plan.isKeptUseless ? [.setAside] : []) + self.giveNext(now: now)
  }

  private mutating func giveNext(now: Instant) -> [Action] {
    guard var giving, now >= giving.nextAt else { return [] }
    guard let bytes = giving.writes.popFirst() else { return self.finish(giving, now: now) }
    giving.nextAt = now + (giving.writes.isEmpty ? Self.lateness : Self.pace)
    self.giving = giving
    return [.write(bytes)]
  }

  /// All was written, or the receiver has its fix.
  private mutating func finish(_ giving: Giving, now: Instant) -> [Action] {
    self.giving = nil
    var problem: String?
    if giving.refusals > 0 {
      problem = "the receiver refused \(giving.refusals) of \(giving.plan.messages.count) messages"
    }
    return self.report(giving.plan.given, problem: problem, giving.plan, now: now)
  }

  private func report(_ given: [Assistance.Part], problem: String?, _ plan: AssistPlan, now: Instant) -> [Action] {
    let problems = [problem].compactMap { $0 } + plan.problems
    let assistance = Assistance(
      given: given, at: now, problem: problems.isEmpty ? nil : problems.joined(separator: "; "))
    let parts = given.map(\.rawValue).joined(separator: ", ")
    let log: [Action] = problem.map { [.log(.assistanceFailed, "\($0)")] } ?? []
    return log + (given.isEmpty ? [] : [.log(.assistanceGiven, "the receiver was given for its start: \(parts)")])
      + [.report(assistance)]
  }

  private mutating func refused(_ reason: String, now: Instant) -> [Action] {
    self.isRefused = true
    let problem = "gpsd does not write to the receiver: \(reason)"
    self.giving = nil
    self.taking = nil
    return [
      .log(.assistanceFailed, "a start of the receiver cannot be assisted: \(problem)"),
      .report(Assistance(given: [], at: now, problem: problem)),
    ] + self.letGo()
  }

  // MARK: Taking

  private func mayTake(ifOlderThan age: Duration, now: Instant) -> Bool {
    guard !self.isRefused, self.giving == nil, self.receiver != nil, self.time != nil, let fixedSince,
      now - fixedSince >= Self.settling, self.notBefore.map({ now >= $0 }) ?? true
    else { return false }
    return self.takenAt.map { now - $0 >= age } ?? true
  }

  private mutating func beginTaking(now: Instant) -> [Action] {
    guard let (source, dialect) = self.receiver else { return [] }
    switch dialect {
    case .mediaTek:
      // A MediaTek does not say what it knows; its place is kept.
      return self.keep([], from: source, now: now)
    case .ublox:
      let polls = self.generation == 0 ? [.databasePoll] : UBXFrame.aidingPolls
      self.taking = Taking(polls: polls[...].dropFirst(), lastAt: now)
      return [.askForPackets] + polls.prefix(1).map { .write($0.bytes) }
    }
  }

  private mutating func received(_ frame: UBXFrame, now: Instant) -> [Action] {
    let answer = UBXAssistanceAnswer(frame)
    if let answer, !answer.isAccepted { self.giving?.refusals += 1 }
    guard var taking else { return [] }
    if let answer, answer.identifier == UBXFrame.Assistance.database {
      // It is the end of the entries, or the poll was refused.
      return self.pollAnswered(taking, now: now)
    }
    let isWanted = frame.isKnowledge && (frame.messageClass == UBXFrame.MessageClass.aiding) == (self.generation == 1)
    (taking.lastAt, taking.isAnswered) = (now, true)
    let length = frame.payload.count + 8
    if isWanted, taking.bytes + length <= KeptAssistance.mostMessageBytes {
      taking.frames.append(frame)
      taking.bytes += length
    }
    self.taking = taking
    return []
  }

  private mutating func pollAnswered(_ taking: Taking, now: Instant) -> [Action] {
    var taking = taking
    if let poll = taking.polls.popFirst() {
      (taking.lastAt, taking.isAnswered) = (now, false)
      self.taking = taking
      return [.write(poll.bytes)]
    }
    self.taking = nil
    if taking.frames.isEmpty {
      // One before the eighth generation has no database.
      if self.generation == 0 {
        self.generation = 1
        return self.beginTaking(now: now)
      }
      self.generation = 0
      self.notBefore = now + .seconds(86_400)
      return [.log(.assistanceFailed, "the receiver does not say what it knows, so that nothing is kept")]
        + self.letGo()
    }
    guard let (source, _) = self.receiver else { return self.letGo() }
    return self.keep(taking.frames, from: source, now: now) + self.letGo()
  }

  private mutating func keep(_ frames: [UBXFrame], from source: KeptAssistance.Source, now: Instant) -> [Action] {
    guard let (time, at) = self.time else { return [] }
    self.takenAt = now
    let count = frames.count
    return [
      .keep(KeptAssistance(source: source, taken: time + (now - at), place: self.place, frames: frames)),
      .log(.assistanceKept, "kept what the receiver knows: \(count) messages"),
    ]
  }

  private mutating func deadlineReached(now: Instant) -> [Action] {
    if let taking, now >= taking.lastAt + (taking.isAnswered ? Self.quiet : Self.answer) {
      return self.pollAnswered(taking, now: now)
    }
    return self.giveNext(now: now)
  }
}
