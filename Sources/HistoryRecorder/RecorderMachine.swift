package import History
package import PositionClient
package import Positioning

/// What happens to the recorder.
package enum RecorderEvent: Sendable {
  /// The first of all: what the file knows.
  case started(lastEvent: Int?, newest: Timestamp?, hasGap: Bool)
  case session(DurableSession.Event)
  /// The records of `RecorderAction.record` are in the file.
  case stored
  /// None of them is.
  case storeFailed(String)
  /// A person wants nothing to be recorded until then; a time in the past: no more.
  case paused(until: Timestamp)
  /// The moment of `RecorderAction.wait` has come.
  case timeReached
  /// The last of all.
  case stopped
}

/// What the recorder is to do.
package enum RecorderAction: Hashable, Sendable {
  /// Connect to positiond: `permitted` or `failed` follows.
  case beginSession
  /// Disconnect. Nothing follows.
  case endSession
  case requestPermission
  /// Register regions and visits, and positions if they come under the durable name.
  case register(hasVisits: Bool, hasPositions: Bool)
  case attach(since: Int?)
  /// Follow what other programs need.
  case stream
  case followStatus
  case acknowledge(Int)
  /// Add these to the file: `stored` or `storeFailed` follows at once.
  case record([HistoryRecord], outlivesPower: Bool)
  /// Send `timeReached` at this moment; `nil`: never. The last one counts.
  case wait(until: Instant?)
  case log(LogLevel, String)
  /// For the service manager.
  case state(String)
}

/// Decides what is recorded, and what is said of times of which nothing is.
///
/// An event of the durable name is acknowledged once it is in the file, and its number is stored with it: after a crash of either
/// side none is missing and none comes twice.
package struct RecorderMachine {
  /// The pause before a session that failed, or the file after a failure, is tried again; and the time after which a person's end
  /// of a pause is noticed.
  static let pause = Duration.seconds(60)

  private enum Session: Hashable {
    case idle
    /// It begins again at this moment.
    case waiting(until: Instant)
    /// positiond has not said what it permits.
    case connecting
    /// It permits nothing.
    case refused
    case registering
    case following
  }

  private let settings: RecorderSettings
  private var session = Session.idle
  private var authorization: Authorization?
  /// The newest event that is in the file.
  private var lastEvent = 0
  private var acknowledged = 0
  private var mayAcknowledge = false
  /// Why nothing is recorded, as the file has it.
  private var gap: Gap.Cause?
  private var lastFix: Timestamp?
  /// The time of the newest fix in the file, also of an earlier run.
  private var newest: Timestamp?
  private var isOn: Bool?
  /// The event of the records that are being stored.
  private var storing: Int?
  /// When the file could not be written for the first time since it could.
  private var failedSince: Timestamp?
  /// Why, as it was reported.
  private var failure: String?
  private var pausedUntil: Timestamp?
  /// What was reported last, so that a lasting failure is reported once.
  private var report: String?

  package init(_ settings: RecorderSettings) { self.settings = settings }

  // MARK: Events

  package mutating func handle(_ event: RecorderEvent, at now: WallMoment) -> [RecorderAction] {
    var actions = self.react(to: event, at: now)
    if self.lastEvent > self.acknowledged, self.mayAcknowledge {
      self.mayAcknowledge = false
      actions.append(.acknowledge(self.lastEvent))
    }
    actions.append(.wait(until: self.deadline(now)))
    return actions
  }

  private mutating func react(to event: RecorderEvent, at now: WallMoment) -> [RecorderAction] {
    switch event {
    case .started(let lastEvent, let newest, let hasGap): return self.started(lastEvent, newest, hasGap, at: now)
    case .session(let event): return self.happened(event, at: now)
    case .stored: return self.stored()
    case .storeFailed(let words): return self.storeFailed(words, at: now)
    case .paused(let until): return self.paused(until, at: now)
    case .timeReached:
      guard case .waiting(let until) = self.session, until <= now.instant else { return [] }
      return self.beginSession()
    case .stopped:
      let end: [RecorderAction] = self.session == .idle ? [] : [.endSession]
      self.session = .idle
      return end + (self.failedSince == nil ? self.miss(.off, at: now.timestamp) : [])
    }
  }

  private mutating func started(
    _ lastEvent: Int?, _ newest: Timestamp?, _ hasGap: Bool, at now: WallMoment
  ) -> [RecorderAction] {
    self.lastEvent = lastEvent ?? 0
    self.newest = newest
    var records: [HistoryRecord] = []
    // A recorder that was killed left no mark: nothing is known since its last fix.
    if !hasGap, let newest, newest < now.timestamp { records.append(.gapBegan(.off, at: newest)) }
    records.append(.gapEnded(at: now.timestamp))
    return [.record(records, outlivesPower: false)] + self.beginSession()
  }

  private mutating func beginSession() -> [RecorderAction] {
    self.session = .connecting
    (self.authorization, self.mayAcknowledge, self.acknowledged) = (nil, false, 0)
    return [.beginSession]
  }

  private mutating func fail(_ words: String, at now: WallMoment) -> [RecorderAction] {
    self.session = .waiting(until: now.instant + Self.pause)
    self.mayAcknowledge = false
    return [.endSession] + self.say(.error, words)
  }

  private mutating func say(_ level: LogLevel, _ words: String) -> [RecorderAction] {
    guard self.report != words else { return [] }
    self.report = words
    return [.log(level, words), .state(words)]
  }

  // MARK: positiond

  private mutating func happened(_ event: DurableSession.Event, at now: WallMoment) -> [RecorderAction] {
    switch event {
    case .permitted(let authorization): return self.permitted(authorization, at: now)
    case .decided: return []
    case .registered(let newest):
      guard self.session == .registering else { return [] }
      // positiond has lost its store: its numbers begin anew.
      if newest < self.lastEvent { self.lastEvent = 0 }
      self.acknowledged = self.lastEvent
      let isReduced = self.authorization?.precision == .reduced
      let what = isReduced ? "positions of reduced precision, and regions" : "positions, visits and regions"
      return [.attach(since: self.lastEvent > 0 ? self.lastEvent : nil)] + self.follow("records \(what)")
    case .attached(let newest):
      if newest < self.lastEvent { self.lastEvent = 0 }
      self.acknowledged = min(self.acknowledged, newest)
      self.mayAcknowledge = true
      return []
    case .acknowledged(let number):
      self.mayAcknowledge = true
      self.acknowledged = max(self.acknowledged, number)
      return []
    case .happened(let event): return self.happened(event, at: now)
    case .streamed(let update): return self.streamed(update, at: now)
    case .status(let status):
      let isOn = [.on, .turningOn].contains(status.power.current.state)
      guard isOn != self.isOn else { return [] }
      self.isOn = isOn
      return self.store([.power(PowerChange(time: now.timestamp, isOn: isOn))], at: now)
    case .failed(let words): return self.miss(.disconnected, at: now.timestamp) + self.fail(words, at: now)
    }
  }

  private mutating func permitted(_ authorization: Authorization, at now: WallMoment) -> [RecorderAction] {
    let former = self.authorization
    self.authorization = authorization
    guard former == nil || self.session == .refused else {
      // What was registered and followed depends on it.
      return former == authorization ? [] : [.endSession] + self.beginSession()
    }
    let needsAlways = self.settings.stream == nil
    guard needsAlways ? authorization.state == .always : authorization.isGranted else {
      return self.refused(authorization, at: now)
    }
    guard authorization.state == .always else {
      return self.follow("records positions only: visits and regions need the permission \"always\"")
    }
    let (hasVisits, hasPositions) = (authorization.precision == .precise, !self.isPaused(now))
    // positiond knows no durable name under which nothing is registered.
    guard hasVisits || !self.settings.regions.isEmpty || self.settings.position != nil && hasPositions else {
      return self.follow("records positions of reduced precision")
    }
    self.session = .registering
    return [.register(hasVisits: hasVisits, hasPositions: hasPositions)]
  }

  private mutating func refused(_ authorization: Authorization, at now: WallMoment) -> [RecorderAction] {
    self.session = .refused
    let ask: [RecorderAction] = authorization.state == .notDetermined ? [.requestPermission] : []
    let remedy = authorization.remedy.map { "; \($0)" } ?? ""
    let what = authorization.isGranted ? "positions while it runs, but mode= in [record] needs \"always\"" : "nothing"
    return ask + self.miss(.denied, at: now.timestamp)
      + self.say(.error, "nothing is recorded: positiond permits \(what) (\(authorization.state.rawValue))\(remedy)")
  }

  private mutating func follow(_ words: String) -> [RecorderAction] {
    self.session = .following
    let stream: [RecorderAction] = self.settings.stream == nil || self.pausedUntil != nil ? [] : [.stream]
    return self.say(.notice, words) + stream + [.followStatus]
  }

  private mutating func happened(_ event: DurableEvent, at now: WallMoment) -> [RecorderAction] {
    guard let content = event.content else { return self.noticed(event, at: now) }
    var records: [HistoryRecord] = []
    switch content {
    case .position(let update):
      for fix in update.fixes + (update.fix.map { [$0] } ?? []) { records += self.records(of: fix, at: now) }
    case .region(let event):
      records.append(
        .passage(
          Passage(
            time: event.fix.map { now.time(of: $0) } ?? now.timestamp, region: event.id, kind: event.kind,
            place: event.fix?.coordinate)))
    case .visit(let visit):
      let time = { (instant: Instant?) in instant.map { Timestamp(of: $0, now: now.instant, since1970: now.since1970) }
      }
      records.append(
        .stay(
          Stay(
            number: visit.id, place: visit.coordinate, accuracy: visit.horizontalAccuracy, arrival: time(visit.arrival),
            departure: time(visit.departure))))
    }
    return self.store(records, event: event.id, at: now)
  }

  private mutating func noticed(_ event: DurableEvent, at now: WallMoment) -> [RecorderAction] {
    switch event.reason {
    case .disconnected?:
      self.mayAcknowledge = false
      return self.miss(.disconnected, at: now.timestamp) + self.say(.warning, "positiond is away")
    case .reconnected?: return self.say(.notice, "positiond is back")
    case .overflow?:
      return [
        .log(
          .warning,
          "\(event.dropped) events were dropped, because the recorder was away for long; max-inbox-events= in"
            + " positiond.conf says how many positiond keeps")
      ]
    case .replaced?:
      return self.fail("another program takes the events of the durable name \(self.settings.durable)", at: now)
    case .removed?: return self.fail("the durable name was removed; it is registered again", at: now)
    case .suspended?: return self.miss(.denied, at: now.timestamp)
    default: return []
    }
  }

  // MARK: What is recorded

  private mutating func streamed(_ update: PositionUpdate, at now: WallMoment) -> [RecorderAction] {
    if let fix = update.fix, !update.isRepeat {
      // One that was there before may be in the file.
      if update.isReplay, let newest, now.time(of: fix) - newest < .seconds(1) { return [] }
      return self.store(self.records(of: fix, at: now), at: now)
    }
    switch update.reason {
    case .disconnected?: return self.miss(.disconnected, at: now.timestamp)
    case .suspended?: return self.miss(.denied, at: now.timestamp)
    default: break
    }
    switch update.availability {
    case .available, .accuracyLimited, .unknown: return []
    case .untrusted: return self.miss(.untrusted, at: now.timestamp)
    case .searching, .lost, .stale: return self.miss(.noFix, at: now.timestamp)
    case .poweredDown: return self.miss(.unneeded, at: now.timestamp)
    case .receiverMissing, .gpsdFull, .gpsdDown: return self.miss(.noReceiver, at: now.timestamp)
    case .denied: return self.miss(.denied, at: now.timestamp)
    }
  }

  private mutating func records(of fix: Fix, at now: WallMoment) -> [HistoryRecord] {
    let time = now.time(of: fix)
    let isLate = self.lastFix.map { last in self.settings.longestStep.map { time - last > $0 } ?? false } ?? true
    guard let kept = HistoryFix(fix, at: time, beginsSegment: isLate || self.gap != nil) else { return [] }
    let end: [HistoryRecord] = self.gap == nil ? [] : [.gapEnded(at: time)]
    (self.gap, self.lastFix, self.newest) = (nil, time, time)
    return end + [.fix(kept)]
  }

  private mutating func miss(_ cause: Gap.Cause, at time: Timestamp) -> [RecorderAction] {
    guard self.gap != cause, self.failedSince == nil else { return [] }
    self.gap = cause
    return [.record([.gapBegan(cause, at: time)], outlivesPower: false)]
  }

  private mutating func store(
    _ records: [HistoryRecord], event: Int? = nil, at now: WallMoment
  ) -> [RecorderAction] {
    // After a failure the gap that nobody could write comes first.
    let failure: [HistoryRecord] =
      self.failedSince.map { [.gapBegan(.full, at: $0), .gapEnded(at: now.timestamp)] } ?? []
    let number: [HistoryRecord] = event.map { [.event($0)] } ?? []
    guard !records.isEmpty || event != nil else { return [] }
    self.storing = event
    return [.record(failure + records + number, outlivesPower: event != nil)]
  }

  private mutating func stored() -> [RecorderAction] {
    if let event = self.storing { self.lastEvent = max(self.lastEvent, event) }
    self.storing = nil
    guard self.failedSince != nil else { return [] }
    (self.failedSince, self.failure) = (nil, nil)
    let message = "the history can be written again"
    return [.log(.notice, message), .state(message)]
  }

  /// Events stay with positiond until they can be stored, on a new session; what streams meanwhile is lost.
  private mutating func storeFailed(_ words: String, at now: WallMoment) -> [RecorderAction] {
    (self.storing, self.gap) = (nil, .full)
    self.failedSince = self.failedSince ?? now.timestamp
    self.session = .waiting(until: now.instant + Self.pause)
    self.mayAcknowledge = false
    let message = "nothing is recorded: \(words)"
    guard self.failure != message else { return [.endSession] }
    self.failure = message
    return [.endSession, .log(.error, message), .state(message)]
  }

  // MARK: Pauses

  private func isPaused(_ now: WallMoment) -> Bool { self.pausedUntil.map { $0 > now.timestamp } ?? false }

  private mutating func paused(_ until: Timestamp, at now: WallMoment) -> [RecorderAction] {
    let isPaused = until > now.timestamp
    guard isPaused != (self.pausedUntil != nil) else {
      if isPaused { self.pausedUntil = until }
      return []
    }
    self.pausedUntil = isPaused ? until : nil
    // The next fix begins a segment.
    self.lastFix = nil
    let words = isPaused ? "recording is paused until \(until)" : "recording goes on after a pause"
    // The receiver must not stay on for what is not recorded: a new session registers no positions meanwhile.
    let isRunning = self.session == .registering || self.session == .following
    return self.say(.notice, words) + (isRunning ? [.endSession] + self.beginSession() : [])
  }

  private func deadline(_ now: WallMoment) -> Instant? {
    var deadline: Instant?
    if case .waiting(let until) = self.session { deadline = until }
    guard let end = self.pausedUntil, self.session != .idle else { return deadline }
    let check = now.instant + min(Self.pause, max(.zero, end - now.timestamp))
    return deadline.map { min($0, check) } ?? check
  }
}
