import Positioning
import ReceiverPorts

/// All evidence about one receiver.
struct JudgedReceiver: Hashable, Sendable {
  private var clock = ClockEvidence()
  private var jump = JumpEvidence()
  private var movement = MovementEvidence()
  private var stuck = StuckEvidence()
  private var signal = SignalEvidence()
  private var jamming = JammingEvidence()
  private var spoofing = SpoofingEvidence()
  private var findings = FindingMemory()
  /// The newest epoch. It is whole when the next one begins.
  private var epoch: JudgedEpoch?
  private var isClockSupporting = false
  /// What the last whole epoch's movement showed.
  private var movementFinding = Finding.silent
  private(set) var verdict = Verdict()
  /// When it reported last.
  private(set) var lastReport = Instant.boot
  /// What it said last of its antenna in this session.
  private(set) var antenna: Reception.Antenna?

  /// The session with the receiver has ended: what must be without a break begins anew.
  mutating func sessionEnded() {
    self.clock.sessionEnded()
    self.signal.interrupted()
    self.jamming.interrupted()
    self.spoofing.interrupted()
    self.interrupted()
    self.verdict = Verdict()
    self.antenna = nil
  }

  /// A report with a position, or without one.
  ///
  /// - Returns: The epoch that begins with it; `nil`: none does.
  mutating func received(_ report: PositionReport, maximumSpeed: Double) -> JudgedEpoch? {
    self.lastReport = report.arrival
    self.note(self.jamming.received(report.jamming, at: report.arrival), for: .jamming, at: report.arrival)
    self.antenna = report.antenna ?? self.antenna
    if let epoch = self.epoch, epoch.includes(report) {
      self.epoch?.merge(report)
      return nil
    }
    self.complete()
    guard let epoch = JudgedEpoch(report) else {
      if report.mode == .noFix { self.interrupted() }
      return nil
    }
    self.epoch = epoch
    let clock = self.clock.received(epoch)
    self.isClockSupporting = clock == .supporting
    self.note(clock, for: .time, at: epoch.arrival)
    self.note(
      self.jump.received(epoch, maximumSpeed: maximumSpeed, movement: self.movementFinding), for: .speed,
      at: epoch.arrival)
    return epoch
  }

  mutating func received(_ sky: SkyReport) {
    self.lastReport = sky.arrival
    self.note(self.signal.received(sky), for: .signal, at: sky.arrival)
  }

  mutating func received(_ report: ReceptionReport) {
    self.lastReport = report.arrival
    let (said, arrival) = (report.reception, report.arrival)
    self.note(self.jamming.received(said.jammingIndicator, at: arrival), for: .jamming, at: arrival)
    self.note(self.jamming.received(said.jamming, at: arrival), for: .jamming, at: arrival)
    self.note(self.spoofing.received(said.spoofing, at: arrival), for: .spoofing, at: arrival)
    self.antenna = said.antenna ?? self.antenna
  }

  /// What another machine found, which knows of other receivers.
  mutating func note(_ finding: Finding, for reason: IntegrityReason, at moment: Instant) {
    self.findings.note(finding, for: reason, at: moment)
    self.verdict = self.findings.verdict(
      isSupported: self.isClockSupporting && self.movementFinding == .supporting, at: moment)
  }

  /// The newest epoch gets no more reports.
  private mutating func complete() {
    guard let epoch = self.epoch else { return }
    self.epoch = nil
    if !self.jump.hasJumped {
      self.movementFinding = self.movement.received(epoch)
      self.note(self.movementFinding, for: .speed, at: epoch.arrival)
    }
    self.note(self.stuck.received(epoch), for: .stuck, at: epoch.arrival)
  }

  private mutating func interrupted() {
    self.epoch = nil
    self.movement.interrupted()
    self.stuck.interrupted()
    (self.isClockSupporting, self.movementFinding) = (false, .silent)
  }
}
