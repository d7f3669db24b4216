import Positioning
import ReceiverPorts

/// gpsd's messages, in each state.
extension GpsdSession {
  /// The major number of gpsd's protocol; a new one is incompatible.
  private static let protocolMajor = 3

  mutating func read(_ message: GpsdMessage, now: Instant) {
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
    case .position, .sky, .errorEstimate, .attitude: break
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
      self.isWriteUnanswered = false
      self.devices.noticed(notice)
      self.reportDevices()
    case .deviceGone(let path):
      let isLast = self.devices.gone(path)
      self.reportDevices()
      if isLast { self.noteLoss(now: now) }
    case .error(let text) where self.isWriteUnanswered:
      self.isWriteUnanswered = false
      self.actions.append(.wrote(.refused(text)))
    case .error(let text) where Self.isAnswerToWatch(text):
      // What the state says already, and gpsd says with each request, is nothing new for the log.
      self.noteMissingDevice()
      if case .silent = self.state { self.report(.receiverMissing(self.devices.missingReason)) }
    case .error(let text): self.actions.append(.log(.gpsdComplaint, "gpsd reports an error: \(text)"))
    case .version, .watch, .position, .sky, .errorEstimate, .attitude, .ignored, .invalid, .skewed: break
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
    self.backoff.reset()
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
    self.backoff.skipToLongest()
    self.retry(reporting: .gpsdDown(.notGpsd(reason)), now: now)
  }
}
