package import Positioning
package import ReceiverPorts
package import UBX

/// The session of one client with gpsd: connect, wait for the banner, watch, take reports, detect silence, retry.
///
/// It only decides: a driver executes its actions and reports the results, so a recording and a test work the same way
/// as a socket. Every state but `stopped` has a deadline, because gpsd can stay silent in each: stopped behind its
/// systemd socket, hanging, detecting a device for seconds, or with a receiver that vanished without a report. Silence
/// of the receiver and errors of gpsd are distinguished, each with a description for people.
package struct GpsdSession: Sendable {
  /// What the driver must do, in order.
  package enum Action: Hashable, Sendable {
    case connect(address: String)
    case send(String)
    case close
    /// Call `deadlineReached` at that moment; replaces the previous one.
    case arm(Instant)
    case disarm
    case emit(ReceiverEvent)
    /// What became of bytes for the receiver.
    case wrote(GpsdWriteResult)
    /// gpsd refused to write what was to assist a start; in its words.
    case assistRefused(String)
    /// What a receiver knows of its satellites, or its answer to what it was given or set to.
    case received(UBXFrame)
    case log(LogKind, LogMessage)
  }

  /// The state of the session.
  private enum State: Hashable, Sendable {
    /// The receiver is not needed.
    case stopped
    /// Between two attempts.
    case waiting(until: Instant)
    case connecting(Connecting)
    /// Connected, and gpsd has sent nothing. Nothing is sent to it before it has.
    case banner(Patience)
    /// The watch was requested, and gpsd has not answered: it is detecting the device, or it hangs.
    case watching(until: Instant)
    /// gpsd has confirmed the watch, and no report has arrived.
    case watched(until: Instant)
    case streaming(Streaming)
    case silent(Silent)
  }

  private struct Connecting: Hashable, Sendable {
    /// The index of the address among those to try.
    var attempt: Int
    /// Why the first attempt failed.
    var firstFailure: String?
    var until: Instant
  }

  private struct Streaming: Hashable, Sendable {
    var lastReport: Instant
    /// Set when the deadline passes, not with each report: a timer that is rarely set is cheaper than an exact one.
    var checkAt: Instant
  }

  private struct Silent: Hashable, Sendable {
    var pokeAt: Instant
    /// When to try a new connection, if gpsd has the device.
    var reconnectAt: Instant
    /// A request was sent to gpsd, and it has sent nothing since.
    var question: Patience?
  }

  /// How long gpsd may send nothing.
  private struct Patience: Hashable, Sendable {
    /// When to report that gpsd sends nothing; `nil` once it was reported.
    var reportAt: Instant?
    /// When to reconnect.
    var until: Instant

    func putOff(by gap: Duration) -> Patience {
      Patience(reportAt: self.reportAt.map { $0 + gap }, until: self.until + gap)
    }
  }

  /// How long each state may last, measured against gpsd 3.22 and 3.25.
  private enum Limits {
    static let connect: Duration = .seconds(5)
    /// gpsd sends its banner at once, unless it is detecting a device: then it sends nothing to any client for about 6
    /// s. So the silence is reported early, and the connection is kept.
    static let banner: Duration = .seconds(3)
    static let bannerWhenMute: Duration = .seconds(30)
    /// The answer comes after the device was detected: 6 s on a fast port, 20 s if gpsd tries several speeds.
    static let watch: Duration = .seconds(30)
    static let firstReport: Duration = .seconds(10)
    /// Silence is reported after three of the device's cycles, if that is longer than the setting.
    static let cycles = 3
    /// Silence that is expected is a fault if it lasts longer than whoever expects it may wait.
    static let expectedSilence: Duration = .seconds(60)
    /// gpsd 3.22 does not notice that a device was lost until it gets a request. It gets one this long after the last
    /// report, and then at this interval.
    static let poke: Duration = .seconds(10)
    /// gpsd answers at once, unless it is detecting a device: then it sends nothing to any client for about 6 s. If it
    /// does not answer in this time it seems to hang: that is reported, and the connection is kept.
    static let answer: Duration = .seconds(8)
    static let answerWhenMute: Duration = .seconds(30)
    static let reconnectWhenSilent: Duration = .seconds(60)
  }

  /// How many messages of one kind gpsd may cause in the log.
  private static let logRation = LogRation(atOnce: 10, interval: .seconds(300))

  private let settings: GpsdSettings
  /// How long no position may arrive until the receiver counts as silent; at least three of its cycles.
  private var silence: Duration
  private var state = State.stopped
  private var devices: KnownDevices
  /// The cycle of each device's reports, which is kept across connections.
  private var rhythms: [String: EpochSorter] = [:]
  /// The pause before the next attempt.
  private var pause = GrowingPause(first: .milliseconds(500), longest: .seconds(30), randomPart: 0.25)
  private var random: SeededRandom
  /// Whether gpsd's answer named the requested device, on this connection.
  private var isFiltered = false
  private var reportedSource = SourceState.idle
  /// Whether the last line of the log said that there are no data.
  private var wasAbsenceLogged = false
  private var reportedDevices: [ReceiverDevice]?
  private var reportedVersion: String?
  private var packets = ReceiverPackets.unasked
  /// Whether a silent receiver is no fault now.
  private var isSilenceExpected = false
  /// Bytes for the receiver that wait until gpsd watches for us.
  private var unwritten: [[UInt8]] = []
  /// Whether gpsd has said nothing since bytes were written.
  private var isWriteUnanswered = false
  /// Whether gpsd has said nothing since it was to write what assists a start.
  private var isAssistUnanswered = false
  /// What gpsd may still cause in the log, for each kind of message.
  private var rations: [LogKind: LogRation] = [:]
  /// The moment to which the driver's timer is set.
  private var armed: Instant?
  /// The actions that follow from the current event.
  private var actions: [Action] = []

  /// - Parameters:
  ///   - silence: how long no position may arrive until the receiver counts as silent.
  ///   - jitterSeed: differs between programs, so that they do not retry at the same time.
  package init(settings: GpsdSettings, silence: Duration, jitterSeed: UInt64) {
    self.settings = settings
    self.silence = silence
    self.devices = KnownDevices(wanted: settings.device)
    self.random = SeededRandom(seed: jitterSeed)
  }

  // MARK: Events

  /// The setting for how long the receiver may be silent changed; it applies from the next report on.
  package mutating func changeSilence(to silence: Duration) {
    self.silence = silence
  }

  /// The receiver is needed.
  package mutating func started(now: Instant) -> [Action] {
    self.react(now: now) { session in
      guard session.state == .stopped else { return }
      session.pause.reset()
      session.report(.opening)
      session.connect(attempt: 0, now: now)
    }
  }

  /// The receiver is not needed any more.
  package mutating func stopped() -> [Action] {
    self.react { session in
      switch session.state {
      case .stopped: return
      case .waiting: break
      case .connecting, .banner: session.actions.append(.close)
      case .watching, .watched, .streaming, .silent:
        session.actions += [.send(GpsdRequest.unwatch), .close]
      }
      session.state = .stopped
      session.unwritten = []
      session.report(.idle)
    }
  }

  package mutating func connected(now: Instant) -> [Action] {
    self.react(now: now) { session in
      guard case .connecting = session.state else { return }
      session.devices.connectionBegan()
      (session.isFiltered, session.packets) = (false, .unasked)
      session.state = .banner(Patience(reportAt: now + Limits.banner, until: now + Limits.bannerWhenMute))
    }
  }

  /// The connection could not be established; the text is the system's error.
  package mutating func connectionFailed(_ reason: String, now: Instant) -> [Action] {
    self.react(now: now) { session in
      guard case .connecting(let connecting) = session.state else { return }
      session.connectFailed(connecting, reason, now: now)
    }
  }

  package mutating func connectionEnded(_ end: ConnectionEnd, now: Instant) -> [Action] {
    self.react(now: now) { session in
      switch session.state {
      case .stopped, .waiting: return
      case .connecting(let connecting): session.connectFailed(connecting, end.description, now: now)
      case .banner where end == .closedUnspoken: session.retry(reporting: .gpsdFull, now: now)
      case .banner, .watching, .watched, .streaming, .silent:
        session.retry(reporting: .gpsdDown(.closed(end.description)), now: now)
      }
    }
  }

  package mutating func received(_ message: GpsdMessage, now: Instant) -> [Action] {
    self.react(now: now) { $0.read(message, now: now) }
  }

  package mutating func deadlineReached(now: Instant) -> [Action] {
    self.react(now: now) { session in
      guard let deadline = session.deadline, now >= deadline else { return }
      session.armed = nil
      session.actDue(now: now)
    }
  }

  /// A message of the driver for the log.
  package mutating func noted(_ kind: LogKind, _ message: LogMessage, now: Instant) -> [Action] {
    self.react(now: now) { $0.actions.append(.log(kind, message)) }
  }

  /// Has gpsd write to the receiver, as soon as it watches for us. A session that is stopped writes nothing.
  ///
  /// gpsd says no more than that it was asked; only the receiver's reports show what it did.
  package mutating func write(_ bytes: [UInt8]) -> [Action] {
    self.react { session in
      guard session.state != .stopped else { return }
      session.unwritten.append(bytes)
      session.writeWaiting()
    }
  }

  /// Has gpsd write what assists a start or saves power; nothing unless it watches for us now.
  package mutating func assist(_ bytes: [UInt8]) -> [Action] {
    self.react { session in
      switch session.state {
      case .watched, .streaming, .silent: break
      case .stopped, .waiting, .connecting, .banner, .watching: return
      }
      guard let device = session.devices.target else { return }
      session.actions.append(.send(GpsdRequest.write(bytes, to: device)))
      session.isAssistUnanswered = true
    }
  }

  /// Asks gpsd again for the receiver's own messages, since it is about to send some that are wanted.
  package mutating func askForPackets(now: Instant) -> [Action] {
    self.react { session in
      guard case .streaming = session.state, session.packets != .useful else { return }
      session.packets = .unasked
      session.requestPackets(now: now)
    }
  }

  /// A silent receiver is no fault while it is stopped.
  package mutating func expectSilence(_ isExpected: Bool) {
    self.isSilenceExpected = isExpected
  }

  /// This process did not run for so long: gpsd's and the receiver's silence in that time shows nothing. Only a pause
  /// between two attempts ends when it would have.
  package mutating func gapEnded(_ gap: Duration) -> [Action] {
    self.react { session in
      session.packets.gapEnded(gap)
      switch session.state {
      case .stopped, .waiting: break
      case .connecting(var connecting):
        connecting.until = connecting.until + gap
        session.state = .connecting(connecting)
      case .banner(let banner): session.state = .banner(banner.putOff(by: gap))
      case .watching(let until): session.state = .watching(until: until + gap)
      case .watched(let until): session.state = .watched(until: until + gap)
      case .streaming(let streaming):
        session.state = .streaming(
          Streaming(lastReport: streaming.lastReport + gap, checkAt: streaming.checkAt + gap))
      case .silent(let silent):
        session.state = .silent(
          Silent(
            pokeAt: silent.pokeAt + gap, reconnectAt: silent.reconnectAt + gap,
            question: silent.question?.putOff(by: gap)))
      }
    }
  }

  /// Handles one event, and sets the driver's timer if the deadline changed.
  ///
  /// - Parameter now: When gpsd or the clock caused the event; `nil`: the daemon did.
  private mutating func react(now: Instant? = nil, _ body: (inout GpsdSession) -> Void) -> [Action] {
    self.actions = []
    body(&self)
    if let now { self.rationMessages(now: now) }
    if let deadline, deadline != self.armed {
      self.actions.append(.arm(deadline))
    } else if self.deadline == nil, self.armed != nil {
      self.actions.append(.disarm)
    }
    self.armed = self.deadline
    return self.actions
  }

  /// Leaves out messages for the log of which there were too many lately.
  private mutating func rationMessages(now: Instant) {
    self.actions = self.actions.compactMap { action in
      guard case .log(let kind, let message) = action else { return action }
      return self.rations[kind, default: Self.logRation].take(now: now).map { omitted in
        .log(kind, omitted == 0 ? message : message + " (and \(omitted) more of this kind before it)")
      }
    }
  }

  private var deadline: Instant? {
    switch self.state {
    case .stopped: nil
    case .waiting(let until), .watching(let until), .watched(let until): until
    case .connecting(let connecting): connecting.until
    case .banner(let banner): banner.reportAt ?? banner.until
    case .streaming(let streaming): streaming.checkAt
    case .silent(let silent): silent.question.map { $0.reportAt ?? $0.until } ?? silent.pokeAt
    }
  }

  // MARK: Attempts and deadlines

  private mutating func connect(attempt: Int, firstFailure: String? = nil, now: Instant) {
    self.state = .connecting(
      Connecting(attempt: attempt, firstFailure: firstFailure, until: now + Limits.connect))
    self.actions.append(.connect(address: self.settings.addresses[attempt]))
  }

  private mutating func connectFailed(_ connecting: Connecting, _ reason: String, now: Instant) {
    let firstFailure = connecting.firstFailure ?? reason
    if connecting.attempt + 1 < self.settings.addresses.count {
      self.connect(attempt: connecting.attempt + 1, firstFailure: firstFailure, now: now)
    } else {
      self.retry(reporting: .gpsdDown(.unreachable(firstFailure)), now: now)
    }
  }

  /// Closes the connection, if there is one, and waits for the next attempt.
  private mutating func retry(reporting source: SourceState, now: Instant) {
    self.report(source)
    let delay = self.pause.take(jitter: .random(in: 0...1, using: &self.random))
    self.state = .waiting(until: now + delay)
  }

  /// The deadline of the state has passed.
  private mutating func actDue(now: Instant) {
    switch self.state {
    case .stopped:
      break
    case .waiting:
      self.connect(attempt: 0, now: now)
    case .connecting(let connecting):
      self.actions.append(.close)
      self.connectFailed(connecting, "no answer in \(Limits.connect.components.seconds) s", now: now)
    case .banner(var banner):
      if banner.reportAt != nil {
        banner.reportAt = nil
        self.state = .banner(banner)
        self.report(.gpsdDown(.mute))
      } else {
        self.giveUpMute(now: now)
      }
    case .watching:
      if self.devices.isListed {
        // gpsd answers, but does not watch: asking again is the only option.
        self.fallSilent(now: now)
      } else {
        self.giveUpMute(now: now)
      }
    case .watched:
      self.fallSilent(now: now)
    case .streaming(var streaming):
      let silentAt = streaming.lastReport + self.silenceLimit
      if now < silentAt {
        streaming.checkAt = silentAt
        self.state = .streaming(streaming)
      } else {
        self.fallSilent(since: streaming.lastReport, now: now)
      }
    case .silent(var silent):
      guard var question = silent.question else { return self.poke(silent, now: now) }
      if question.reportAt != nil {
        question.reportAt = nil
        silent.question = question
        self.state = .silent(silent)
        self.report(.gpsdDown(.mute))
      } else {
        self.giveUpMute(now: now)
      }
    }
  }

  private mutating func giveUpMute(now: Instant) {
    self.actions.append(.close)
    self.retry(reporting: .gpsdDown(.mute), now: now)
  }

  /// The device is silent; reports the reason, if it is known.
  ///
  /// gpsd is not asked at once: a request makes 3.22 notice that the device was lost and reopen it, and if the device
  /// is not back by then, gpsd removes it for good. A receiver that enumerates again is back in a few seconds.
  ///
  /// - Parameter since: the time of its last report; absent, now.
  private mutating func fallSilent(since: Instant? = nil, now: Instant) {
    self.report(.receiverMissing(self.devices.missingReason))
    self.state = .silent(
      Silent(pokeAt: max(now, (since ?? now) + Limits.poke), reconnectAt: now + Limits.reconnectWhenSilent))
  }

  /// How long without a position until silence is reported: the rule for a lost fix, applied to all devices.
  private var silenceLimit: Duration {
    let shown = self.rhythms.values.filter(\.isMeasured).map(\.cycle).max()
    return max(
      self.silence, (shown ?? self.devices.cycle ?? .zero) * Limits.cycles,
      self.isSilenceExpected ? Limits.expectedSilence : .zero)
  }

  /// A position of a device arrived; the interval of successive ones is measured as its cycle.
  private mutating func noteRhythm(of report: PositionReport, now: Instant) {
    let key = report.device ?? ""
    // A removed device is not expected any more.
    self.rhythms = self.rhythms.filter { $0.key == key || self.devices.has($0.key) }
    _ = self.rhythms[key, default: EpochSorter()].place(report, arrival: now)
  }

  private mutating func poke(_ silent: Silent, now: Instant) {
    if now >= silent.reconnectAt, self.devices.hasCandidate {
      self.actions.append(.log(.receiverSilent, "the receiver is silent; reconnecting to gpsd"))
      self.actions.append(.close)
      self.connect(attempt: 0, now: now)
      return
    }
    self.actions.append(
      .send(
        GpsdRequest.devices + GpsdRequest.watch(device: self.settings.device, packets: self.packets)))
    self.state = .silent(
      Silent(
        pokeAt: now + Limits.poke, reconnectAt: silent.reconnectAt,
        question: Patience(reportAt: now + Limits.answer, until: now + Limits.answerWhenMute)))
  }

  // MARK: gpsd's messages

  /// The major number of gpsd's protocol; a new one is incompatible.
  private static let protocolMajor = 3

  private mutating func read(_ message: GpsdMessage, now: Instant) {
    switch self.state {
    case .stopped, .waiting, .connecting:
      break
    case _ where message == .skewed:
      self.refuse(
        "the libgps that was loaded is not the one positiond was built for (\(GpsdDecoder.libraryVersion)); "
          + "install the positiond of this system's release", now: now)
    case .banner:
      self.readBanner(message, now: now)
    case .watching:
      self.readWhileWatching(message, now: now)
    case .watched, .streaming, .silent:
      self.readReport(message, now: now)
    }
    self.writeWaiting()
    self.requestPackets(now: now)
  }

  private mutating func readBanner(_ message: GpsdMessage, now: Instant) {
    guard case .version(let release, let major, let minor) = message else {
      self.refuse("something else answers at \(self.settings.host) port \(self.settings.port)", now: now)
      return
    }
    let address = "\(self.settings.host) port \(self.settings.port)"
    guard !GpsdReport.isOwn(release: release) else {
      // A positiond that reads itself would need itself for ever.
      self.refuse("positiond answers at \(address), in gpsd's place; port= in [gpsd] is gpsd's own port", now: now)
      return
    }
    guard let major, let minor else {
      self.refuse("gpsd \(release) at \(address) does not say which protocol it speaks", now: now)
      return
    }
    guard major == Self.protocolMajor else {
      self.refuse("gpsd \(release) speaks protocol \(major).\(minor), not \(Self.protocolMajor)", now: now)
      return
    }
    if self.reportedVersion != release {
      self.reportedVersion = release
      self.actions.append(.emit(.gpsdVersion(release)))
    }
    switch self.reportedSource {
    case .gpsdDown, .gpsdFull: self.report(.opening)
    // A missing receiver stays missing until it reports; a new connection does not change that.
    case .idle, .opening, .streaming, .receiverMissing: break
    }
    self.actions.append(.send(GpsdRequest.watch(device: self.settings.device)))
    self.state = .watching(until: now + Limits.watch)
  }

  private mutating func readWhileWatching(_ message: GpsdMessage, now: Instant) {
    switch message {
    case .watch(let device):
      self.verify(device)
      if self.devices.isListed && !self.devices.hasCandidate {
        self.fallSilent(now: now)
      } else {
        self.state = .watched(
          until: now + (self.isSilenceExpected ? Limits.expectedSilence : Limits.firstReport))
      }
    case .error(let text) where Self.isAnswerToWatch(text):
      // gpsd sends no other answer. The watch exists all the same, and takes effect as soon as gpsd has the device.
      self.noteMissingDevice()
      self.fallSilent(now: now)
    case .devices, .device, .deviceGone, .error: self.readNews(message, now: now)
    // Reports count only after gpsd has confirmed its filter.
    case .position, .sky, .errorEstimate, .attitude, .reception, .assistance: break
    case .version, .ignored, .invalid, .skewed: break
    }
  }

  private mutating func readReport(_ message: GpsdMessage, now: Instant) {
    self.noteAnswer(now: now)
    switch message {
    case .position(let report):
      guard self.devices.accepts(report.device, isFiltered: self.isFiltered) else { return }
      self.devices.reported(report.device, hasMode: report.mode != .unknown)
      if self.devices.takeQuestion(about: report.device) { self.actions.append(.send(GpsdRequest.devices)) }
      self.noteRhythm(of: report, now: now)
      self.noteReport(now: now)
      self.actions.append(.emit(.position(report)))
    case .sky(let report) where self.devices.accepts(report.device, isFiltered: self.isFiltered):
      self.actions.append(.emit(.sky(report)))
    case .errorEstimate(let report) where self.devices.accepts(report.device, isFiltered: self.isFiltered):
      self.actions.append(.emit(.errorEstimate(report)))
    case .attitude(let report) where self.devices.accepts(report.device, isFiltered: self.isFiltered):
      self.actions.append(.emit(.attitude(report)))
    case .sky, .errorEstimate, .attitude: break
    case .reception(var report):
      guard let device = self.devices.packetSource(isFiltered: self.isFiltered) else { return }
      report.device = device
      self.packets = .useful
      self.actions.append(.emit(.reception(report)))
    case .assistance(let frame):
      guard self.devices.packetSource(isFiltered: self.isFiltered) != nil else { return }
      self.actions.append(.received(frame))
    case .watch(let device): self.verify(device)
    case .devices, .device, .deviceGone, .error: self.readNews(message, now: now)
    case .version, .ignored, .invalid, .skewed: break
    }
  }

  /// gpsd's messages about its devices, and its errors.
  private mutating func readNews(_ message: GpsdMessage, now: Instant) {
    switch message {
    case .devices(let list):
      self.devices.listed(list)
      self.reportDevices()
      if case .silent = self.state {
        self.report(.receiverMissing(self.devices.missingReason))
      }
    case .device(let notice):
      (self.isWriteUnanswered, self.isAssistUnanswered) = (false, false)
      self.devices.noticed(notice)
      self.reportDevices()
    case .deviceGone(let path):
      let isLast = self.devices.gone(path)
      self.reportDevices()
      if isLast { self.noteLoss(now: now) }
    case .error(let text) where self.isWriteUnanswered:
      self.isWriteUnanswered = false
      self.actions.append(.wrote(.refused(text)))
    case .error(let text) where self.isAssistUnanswered:
      self.isAssistUnanswered = false
      self.actions.append(.assistRefused(text))
    case .error(let text) where Self.isAnswerToWatch(text):
      // What the state says already, and gpsd says with each request, is nothing new for the log.
      self.noteMissingDevice()
      if case .silent = self.state { self.report(.receiverMissing(self.devices.missingReason)) }
    case .error(let text): self.actions.append(.log(.gpsdComplaint, "gpsd reports an error: \(text)"))
    case .version, .watch, .position, .sky, .errorEstimate, .attitude, .reception, .assistance, .ignored, .invalid,
      .skewed:
      break
    }
  }

  /// Whether an error is how gpsd 3.22 to 3.27 answer the watch of a device that they do not have.
  private static func isAnswerToWatch(_ text: String) -> Bool { text.hasPrefix("No such device") }

  private mutating func noteMissingDevice() {
    self.devices.listed(self.devices.list.filter { $0.path != self.settings.device })
    self.reportDevices()
  }

  /// gpsd sent a message, so it does not hang, whatever the receiver does.
  private mutating func noteAnswer(now: Instant) {
    guard case .silent(var silent) = self.state, silent.question != nil else { return }
    silent.question = nil
    silent.pokeAt = max(silent.pokeAt, now)
    self.state = .silent(silent)
    if self.reportedSource == .gpsdDown(.mute) { self.report(.receiverMissing(self.devices.missingReason)) }
  }

  /// The receiver reports, so any earlier failure is over.
  private mutating func noteReport(now: Instant) {
    if case .streaming(var streaming) = self.state {
      streaming.lastReport = now
      self.state = .streaming(streaming)
      return
    }
    self.pause.reset()
    self.report(.streaming)
    self.state = .streaming(Streaming(lastReport: now, checkAt: now + self.silenceLimit))
  }

  /// gpsd reported that the device was closed or unplugged.
  private mutating func noteLoss(now: Instant) {
    switch self.state {
    case .watched, .streaming: self.fallSilent(now: now)
    case .silent: self.report(.receiverMissing(self.devices.missingReason))
    // gpsd is opening the device now; the answer, or its deadline, decides.
    case .stopped, .waiting, .connecting, .banner, .watching: break
    }
  }

  /// Checks the filter that gpsd repeats: gpsd treats a request that it cannot read whole as one without a filter.
  private mutating func verify(_ device: String?) {
    self.isFiltered = device == self.settings.device
    if !self.isFiltered, let wanted = self.settings.device {
      self.actions.append(
        .log(.gpsdComplaint, "gpsd watches \(device ?? "every device") instead of \(wanted); ignoring the others"))
    }
  }

  private mutating func reportDevices() {
    guard self.reportedDevices != self.devices.list else { return }
    self.reportedDevices = self.devices.list
    self.actions.append(.emit(.devices(self.devices.list)))
  }

  /// The program at the address is unusable, and will be for some time.
  private mutating func refuse(_ reason: String, now: Instant) {
    self.actions.append(.close)
    self.pause.skipToLongest()
    self.retry(reporting: .gpsdDown(.notGpsd(reason)), now: now)
  }

  /// Asks gpsd for the messages of a u-blox that reports, or not to pass them on any more. They come from one that is on anyway,
  /// and gpsd goes on as before.
  private mutating func requestPackets(now: Instant) {
    guard case .streaming = self.state,
      self.packets.change(hasSource: self.devices.packetSource(isFiltered: self.isFiltered) != nil, now: now)
    else { return }
    self.actions.append(.send(GpsdRequest.watch(device: self.settings.device, packets: self.packets)))
  }

  // MARK: Writing to the receiver

  private mutating func writeWaiting() {
    switch self.state {
    case .watched, .streaming, .silent: break
    case .stopped, .waiting, .connecting, .banner, .watching: return
    }
    guard !self.unwritten.isEmpty, let device = self.devices.target else { return }
    for bytes in self.unwritten {
      self.actions += [.send(GpsdRequest.write(bytes, to: device)), .wrote(.written)]
    }
    self.unwritten = []
    self.isWriteUnanswered = true
  }

  // MARK: Reports

  /// Reports the state of the path to the receiver if it has changed.
  private mutating func report(_ source: SourceState) {
    guard source != self.reportedSource else { return }
    self.reportedSource = source
    self.actions.append(.emit(.source(source)))
    guard let (kind, message) = source.logMessage else { return }
    // That the receiver sends data is worth a line only after one that said that it does not.
    if source != .streaming || self.wasAbsenceLogged { self.actions.append(.log(kind, message)) }
    self.wasAbsenceLogged = source != .streaming
  }
}
