import Positioning
import ReceiverPorts
import Trust

/// The reports of the receiver's side: its fixes, satellites, headings and state.
struct ReceiverSide: Sendable {
  /// The results of a report, in order.
  enum Event: Sendable {
    case fix(Fix, epoch: Int)
    /// A report of satellites, which need not be all of its cycle.
    case satellites([Sky.Satellite], at: Instant)
    /// The sky of a cycle.
    case sky(Sky, cycle: Int)
  }

  private var filter: FixFilter
  private var judge = IntegrityJudge()
  private var skyView = SkyView()
  private var headings: HeadingView
  private var devices: [ReceiverDevice] = []
  /// The device that last reported whether it has a fix.
  private var reporting: String?
  /// The configured device; `nil`: the best one.
  private var configuredDevice: String?
  /// Metres per second that the device reaches.
  private var maximumSpeed: Double
  private var reportedHeading: HeadingReading?
  private var isModelExpiryLogged = false

  /// The newest fix with the satellites that it used.
  private(set) var current: Fix?
  private(set) var source = SourceState.idle
  private(set) var power: PowerState
  private(set) var gpsdVersion: String?
  /// How often the daemon has reconnected to gpsd.
  private(set) var reconnects = 0
  private(set) var lastError: DaemonStatus.LastError?
  private(set) var counts = ReportCounts()
  /// The availability for all clients, and since when.
  private(set) var availability = Availability.poweredDown
  private(set) var availabilitySince: Instant
  /// Whether the fixes of the receiver that gives them can be trusted; nothing without a fix.
  private(set) var verdict = Verdict()
  /// The doubt that was reported last.
  private var reportedDoubt = Verdict()

  init(settings: BrokerSettings, now: Instant) {
    self.filter = FixFilter(settings: settings.fixes)
    self.headings = HeadingView(settings: settings.headings)
    self.configuredDevice = settings.fixes.device
    self.maximumSpeed = settings.fixes.maxSpeed
    self.power = PowerState(state: .unknown, since: now)
    self.availabilitySince = now
  }

  mutating func change(_ settings: BrokerSettings) {
    self.configuredDevice = settings.fixes.device
    self.maximumSpeed = settings.fixes.maxSpeed
    self.filter.change(settings.fixes)
    self.headings.change(settings.headings)
  }

  // MARK: Events

  mutating func received(_ event: ReceiverEvent, now: Instant) -> [Event] {
    switch event {
    case .position(let report):
      self.counts.reports += 1
      if report.mode != .unknown { self.reporting = report.device ?? self.reporting }
      let epoch = self.filter.epoch(of: report.device)
      // What is not the receiver's own position speaks neither for nor against those that are.
      if !self.filter.isForeign(report) { self.judge.received(report, maximumSpeed: self.maximumSpeed) }
      let events = self.counted(self.filter.received(report, teaches: self.teaches(report.device)))
      self.updateVerdict()
      guard self.filter.epoch(of: report.device) != epoch else { return events }
      // Before the fix, which has the satellites that it used.
      return self.trusted(self.skyView.epochBegan(of: report.device)) + events
    case .errorEstimate(let report):
      return self.counted(self.filter.received(report, teaches: self.teaches(report.device)))
    case .sky(let report):
      self.filter.received(report)
      self.judge.received(report)
      self.updateVerdict()
      guard self.filter.trusts(report.device) else { return [] }
      let satellites = report.satellites.map { [Event.satellites($0, at: report.arrival)] } ?? []
      return satellites + self.trusted(self.skyView.received(report))
    case .attitude(let report):
      self.headings.received(
        report, isBelieved: self.filter.trusts(report.device), cycle: self.filter.cycle(of: report.device))
    case .reception(let report):
      self.judge.received(report)
      self.updateVerdict()
    case .source(let source): self.sourceChanged(to: source, now: now)
    case .power(let power): self.power = power
    case .devices(let devices):
      self.devices = devices
      self.filter.devicesListed(devices)
    case .superseded(let epochs): self.counts.rejections["superseded", default: 0] += epochs
    case .gpsdVersion(let version): self.gpsdVersion = version
    }
    return []
  }

  /// A position may have the declination; it is used after its fix.
  mutating func learnDeclination(from report: PositionReport) {
    if self.filter.trusts(report.device) { self.headings.received(report) }
  }

  /// When to call `deadlineReached` while the receiver is on.
  var nextDeadline: Instant? { [self.filter.nextDeadline, self.skyView.nextDeadline].compactMap { $0 }.min() }

  mutating func deadlineReached(now: Instant) -> [Event] {
    let events =
      self.trusted(self.skyView.deadlineReached(now: now)) + self.counted(self.filter.deadlineReached(now: now))
    self.updateVerdict()
    return events
  }

  /// The session with the receiver begins or ends, as the broker decided.
  mutating func sessionEnded(isIntended: Bool = true) {
    self.filter.sessionEnded(isIntended: isIntended)
    self.judge.sessionEnded()
    self.updateVerdict()
    self.skyView.sessionEnded()
    self.headings.sessionEnded()
  }

  /// Makes the next fix the newest.
  ///
  /// - Returns: The fix with the satellites that it used, and with what speaks for or against it.
  mutating func take(_ fix: Fix) -> Fix {
    var fix = fix
    fix.satellitesUsed = self.skyView.satellitesUsed(device: fix.device, at: fix.arrival)
    let verdict = self.judge.verdict(of: fix.device)
    (fix.integrity, fix.integrityReasons) = (verdict.integrity, verdict.reasons)
    self.current = fix
    if fix.castsVotes { self.headings.fixed(fix, cycle: self.filter.cycle(of: fix.device)) }
    return fix
  }

  /// Whether something is learned from what the receiver says of its errors.
  private func teaches(_ device: String?) -> Bool { self.judge.verdict(of: device).integrity != .untrusted }

  /// Whether nobody gets the newest fix who did not ask for any. A report that ends the doubt comes a moment before its fix, until
  /// which the newest one is an untrusted one still.
  private var isUntrusted: Bool {
    self.verdict.integrity == .untrusted || self.filter.hasFix && self.current?.integrity == .untrusted
  }

  private mutating func updateVerdict() {
    self.verdict = self.filter.hasFix ? self.judge.verdict(of: self.filter.current?.device) : Verdict()
  }

  /// What speaks against the fixes, if that has changed since the last call. Only while there are fixes is it known that
  /// nothing speaks against them.
  mutating func takeDoubtChange() -> Verdict? {
    guard self.filter.hasFix else { return nil }
    let doubt = self.verdict.reasons.isEmpty ? Verdict() : self.verdict
    guard doubt != self.reportedDoubt else { return nil }
    self.reportedDoubt = doubt
    return doubt
  }

  private mutating func sourceChanged(to source: SourceState, now: Instant) {
    guard source != self.source else { return }
    let previous = self.source
    self.source = source
    if previous == .streaming || source == .idle { self.sessionEnded(isIntended: source == .idle) }
    if case .gpsdDown(.closed) = source { self.reconnects += 1 }
    if source.isFault, let detail = source.detail {
      // The session with gpsd logs it; here it is kept for the status.
      self.lastError = DaemonStatus.LastError(part: .receiver, message: detail, at: now)
    } else if source == .streaming {
      self.lastError = nil
    }
  }

  /// The skies of the receiver whose reports count.
  private func trusted(_ cycles: [SkyView.Cycle]) -> [Event] {
    cycles.filter { self.filter.trusts($0.sky.device) }.map { .sky($0.sky, cycle: $0.number) }
  }

  private mutating func counted(_ events: [FixFilter.Event]) -> [Event] {
    events.compactMap { event in
      switch event {
      case .fixed(let fix, let epoch):
        self.counts.fixes += 1
        return .fix(fix, epoch: epoch)
      case .improved(let fix, let epoch): return .fix(fix, epoch: epoch)
      case .rejected(let rejection):
        self.counts.rejections[rejection.rawValue, default: 0] += 1
        return nil
      }
    }
  }

  // MARK: Results

  var currentEpoch: Int { self.filter.currentEpoch }

  var sky: Sky? { self.skyView.sky }

  /// gpsd's description of the receiver: the configured one, else the one that gives the fixes, else the one that
  /// reports; `nil` if gpsd does not have it.
  ///
  /// Before any device has reported, the first is as likely as any. Afterwards no other device takes its place: beside a
  /// receiver that was unplugged there may be a compass or an AIS.
  var device: ReceiverDevice? {
    if let path = self.configuredDevice { return self.device(at: path) }
    let fixing = self.current?.device
    if fixing == nil, self.reporting == nil { return self.devices.first { $0.isActivated } ?? self.devices.first }
    return self.device(at: fixing) ?? self.device(at: self.reporting)
  }

  private func device(at path: String?) -> ReceiverDevice? { self.devices.first { $0.path == path } }

  /// What is wrong with it or its reports, by what explains most; `nil`: nothing.
  var problem: ReceiverProblem? {
    let problem = self.filter.problem
    guard problem != .repeating, case let antenna? = self.judge.antenna(of: self.device?.path ?? self.reporting) else {
      return problem
    }
    switch antenna {
    case .connected: return problem
    case .short: return .antennaShort
    case .open: return self.filter.hasFix ? problem : .antennaOpen
    }
  }

  var lag: Duration? { self.filter.lag }

  /// - Parameter maximumAge: The greatest age that the client accepts; `nil`: it gave none.
  func availability(isOn: Bool, maximumAge: Duration?, now: Instant) -> Availability {
    AvailabilityFacts(
      isReceiverOn: isOn, source: self.source, hasFix: self.filter.hasFix, isLost: self.filter.isLost,
      newestFix: self.filter.current?.ageBegin, isUntrusted: self.isUntrusted
    ).availability(maximumAge: maximumAge, now: now)
  }

  /// The availability if it has changed since the last call.
  mutating func takeAvailabilityChange(isOn: Bool, now: Instant) -> Availability? {
    let availability = self.availability(isOn: isOn, maximumAge: nil, now: now)
    guard availability != self.availability else { return nil }
    self.availability = availability
    self.availabilitySince = now
    return availability
  }

  /// Adds the receiver's details to diagnostics for a precise client.
  func complete(_ diagnostics: inout Diagnostics, fix: Fix?, now: Instant) {
    let sky = self.sky.flatMap { now - $0.arrival <= SkyView.lifetime ? $0 : nil }
    diagnostics.mode = self.filter.hasFix ? fix?.mode : nil
    diagnostics.satellitesSeen = sky?.satellites.count
    diagnostics.satellitesUsed = sky?.satellitesUsed
    diagnostics.receiver = self.device?.path
    diagnostics.problem = self.problem
    diagnostics.lag = self.filter.lag
    let doubt = self.verdict.reasons.isEmpty ? nil : self.verdict.reasons.text
    diagnostics.detail = self.source.detail ?? doubt ?? self.problem?.text
  }

  // MARK: Headings

  func heading(now: Instant) -> HeadingReading {
    HeadingReading(heading: self.headings.heading(now: now), state: self.headings.state(now: now))
  }

  /// The newest heading, however old.
  func newestHeading(now: Instant) -> Heading? { self.headings.newest(now: now) }

  /// Whether no heading is possible in this session.
  var isHeadingUnavailable: Bool { self.headings.isUnavailable }

  /// When the heading changes if nothing is reported until then.
  func headingExpiry(now: Instant) -> Instant? { self.headings.nextExpiry(now: now) }

  /// The heading if it has changed since the last call.
  mutating func takeHeadingChange(now: Instant) -> HeadingReading? {
    let reading = self.heading(now: now)
    guard self.reportedHeading != reading else { return nil }
    self.reportedHeading = reading
    return reading
  }

  /// Nobody needs headings any more; the next subscriber gets the heading as new.
  mutating func forgetReportedHeading() { self.reportedHeading = nil }

  /// Whether to log that the model of the magnetic field has expired: once, as it remains the best source.
  mutating func takeModelExpiry() -> Bool {
    guard self.headings.usesExpiredModel, !self.isModelExpiryLogged else { return false }
    self.isModelExpiryLogged = true
    return true
  }
}

/// The present heading with its state.
struct HeadingReading: Hashable, Sendable {
  var heading: Heading?
  var state: HeadingState
}

extension SourceState {
  /// Whether it is a fault that an administrator could correct.
  fileprivate var isFault: Bool {
    switch self {
    case .idle, .opening, .streaming: false
    case .receiverMissing, .gpsdFull, .gpsdDown: true
    }
  }
}

/// The number of reports, and their results.
struct ReportCounts: Hashable, Sendable {
  var reports = 0
  var fixes = 0
  var rejections: [String: Int] = [:]
}

/// The facts from which a client's `availability` follows, from the satellites to its permission.
struct AvailabilityFacts: Hashable, Sendable {
  var isReceiverOn: Bool
  var source: SourceState
  /// Whether the receiver has a fix in this session, and whether it had one and lost it.
  var hasFix: Bool
  var isLost: Bool
  var newestFix: Instant?
  /// Whether the fixes cannot be trusted.
  var isUntrusted = false

  /// The last value that applies, in the order of `Availability`.
  ///
  /// - Parameter maximumAge: The greatest age that the client accepts; `nil`: it gave none.
  func availability(maximumAge: Duration?, now: Instant) -> Availability {
    guard self.isReceiverOn else { return .poweredDown }
    switch self.source {
    case .gpsdDown: return .gpsdDown
    case .gpsdFull: return .gpsdFull
    case .receiverMissing: return .receiverMissing
    case .idle, .opening, .streaming: break
    }
    if self.isLost { return .lost }
    if let maximumAge, let newestFix, now - newestFix > maximumAge { return .stale }
    guard self.hasFix else { return .searching }
    return self.isUntrusted ? .untrusted : .available
  }
}

extension SourceState {
  /// Details for the administrator, if something is wrong.
  package var detail: String? {
    switch self {
    case .idle, .streaming: nil
    case .opening: "connecting to gpsd, or waiting for it to open the receiver"
    case .receiverMissing(.noDevice): "gpsd has no receiver"
    case .receiverMissing(.notConfiguredDevice(let path, let present)):
      "gpsd does not have the configured receiver \(path)\(Self.words(present))"
    case .receiverMissing(.unplugged(let path)): "the receiver \(path) was unplugged"
    case .receiverMissing(.silent(let path)): "the receiver \(path ?? "") sends nothing"
    case .gpsdFull: "gpsd serves as many clients as it can and closed the connection"
    case .gpsdDown(.unreachable(let reason)): "gpsd cannot be reached: \(reason)"
    case .gpsdDown(.mute):
      "gpsd accepts the connection and says nothing: it is opening a receiver, or is stopped behind its systemd socket"
    case .gpsdDown(.closed(let reason)): "the connection to gpsd broke: \(reason)"
    case .gpsdDown(.notGpsd(let reason)): "what answers is not gpsd: \(reason)"
    }
  }
}
