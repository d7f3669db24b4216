import Positioning
import ReceiverPorts

/// Connection attempts, waiting and retries.
extension GpsdSession {
  mutating func connect(attempt: Int, firstFailure: String? = nil, now: Instant) {
    self.state = .connecting(
      Connecting(attempt: attempt, firstFailure: firstFailure, until: now + Limits.connect))
    self.actions.append(.connect(address: self.settings.addresses[attempt]))
  }

  mutating func connectFailed(_ connecting: Connecting, _ reason: String, now: Instant) {
    let firstFailure = connecting.firstFailure ?? reason
    if connecting.attempt + 1 < self.settings.addresses.count {
      self.connect(attempt: connecting.attempt + 1, firstFailure: firstFailure, now: now)
    } else {
      self.retry(reporting: .gpsdDown(.unreachable(firstFailure)), now: now)
    }
  }

  /// Closes the connection, if there is one, and waits for the next attempt.
  mutating func retry(reporting source: SourceState, now: Instant) {
    self.report(source)
    let delay = self.backoff.delay()
    self.state = .waiting(until: now + delay)
  }

  /// The deadline of the state has passed.
  mutating func actDue(now: Instant) {
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
  mutating func fallSilent(since: Instant? = nil, now: Instant) {
    self.report(.receiverMissing(self.devices.missingReason))
    self.state = .silent(
      Silent(pokeAt: max(now, (since ?? now) + Limits.poke), reconnectAt: now + Limits.reconnectWhenSilent))
  }

  /// How long without a position until silence is reported: the rule for a lost fix, applied to all devices.
  var silenceLimit: Duration {
    let shown = self.rhythms.values.filter(\.isMeasured).map(\.cycle).max()
    return max(
      self.silence, (shown ?? self.devices.cycle ?? .zero) * Limits.cycles,
      self.isSilenceExpected ? Limits.expectedSilence : .zero)
  }

  /// A position of a device arrived; the interval of successive ones is measured as its cycle.
  mutating func noteRhythm(of report: PositionReport, now: Instant) {
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
    self.actions.append(.send(GpsdRequest.devices + GpsdRequest.watch(device: self.settings.device)))
    self.state = .silent(
      Silent(
        pokeAt: now + Limits.poke, reconnectAt: silent.reconnectAt,
        question: Patience(reportAt: now + Limits.answer, until: now + Limits.answerWhenMute)))
  }

  /// Reports the state of the path to the receiver if it has changed.
  mutating func report(_ source: SourceState) {
    guard source != self.reportedSource else { return }
    self.reportedSource = source
    self.actions.append(.emit(.source(source)))
    if let (kind, message) = source.logMessage { self.actions.append(.log(kind, message)) }
  }
}
