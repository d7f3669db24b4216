package import Positioning
package import ReceiverPorts

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
    case log(LogKind, LogMessage)
  }

  /// The state of the session.
  enum State: Hashable, Sendable {
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

  struct Connecting: Hashable, Sendable {
    /// The index of the address among those to try.
    var attempt: Int
    /// Why the first attempt failed.
    var firstFailure: String?
    var until: Instant
  }

  struct Streaming: Hashable, Sendable {
    var lastReport: Instant
    /// Set when the deadline passes, not with each report: a timer that is rarely set is cheaper than an exact one.
    var checkAt: Instant
  }

  struct Silent: Hashable, Sendable {
    var pokeAt: Instant
    /// When to try a new connection, if gpsd has the device.
    var reconnectAt: Instant
    /// A request was sent to gpsd, and it has sent nothing since.
    var question: Patience?
  }

  /// How long gpsd may send nothing.
  struct Patience: Hashable, Sendable {
    /// When to report that gpsd sends nothing; `nil` once it was reported.
    var reportAt: Instant?
    /// When to reconnect.
    var until: Instant

    fileprivate func putOff(by gap: Duration) -> Patience {
      Patience(reportAt: self.reportAt.map { $0 + gap }, until: self.until + gap)
    }
  }

  let settings: GpsdSettings
  /// How long no position may arrive until the receiver counts as silent; at least three of its cycles.
  private(set) var silence: Duration
  var state = State.stopped
  var devices: KnownDevices
  /// The cycle of each device's reports, which is kept across connections.
  var rhythms: [String: EpochSorter] = [:]
  var backoff: Backoff
  /// Whether gpsd's answer named the requested device, on this connection.
  var isFiltered = false
  var reportedSource = SourceState.idle
  var reportedDevices: [ReceiverDevice]?
  var reportedVersion: String?
  /// Whether a silent receiver is no fault now.
  var isSilenceExpected = false
  /// Bytes for the receiver that wait until gpsd watches for us.
  var unwritten: [[UInt8]] = []
  /// Whether gpsd has said nothing since bytes were written.
  var isWriteUnanswered = false
  /// What gpsd may still cause in the log, for each kind of message.
  private var rations: [LogKind: LogRation] = [:]
  /// The moment to which the driver's timer is set.
  private var armed: Instant?
  /// The actions that follow from the current event.
  var actions: [Action] = []

  /// - Parameters:
  ///   - silence: how long no position may arrive until the receiver counts as silent.
  ///   - jitterSeed: differs between programs, so that they do not retry at the same time.
  package init(settings: GpsdSettings, silence: Duration, jitterSeed: UInt64) {
    self.settings = settings
    self.silence = silence
    self.devices = KnownDevices(wanted: settings.device)
    self.backoff = Backoff(seed: jitterSeed)
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
      session.backoff.reset()
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
      session.isFiltered = false
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

  /// This process did not run for so long: gpsd's and the receiver's silence in that time shows nothing. Only a pause
  /// between two attempts ends when it would have.
  package mutating func gapEnded(_ gap: Duration) -> [Action] {
    self.react { session in
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
  mutating func react(now: Instant? = nil, _ body: (inout GpsdSession) -> Void) -> [Action] {
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
      return self.rations[kind, default: LogRation()].take(message, now: now).map { .log(kind, $0) }
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
}

extension ConnectionEnd {
  var description: String {
    switch self {
    case .closedUnspoken, .closed: "gpsd closed the connection"
    case .failed(let reason): reason
    }
  }
}
