package import Positioning
import ReceiverPorts

/// The rung in use: the configured one, or `watch` once that failed.
///
/// What a daemon before this one turned off is started by its own rung first.
package struct PowerLadder: Sendable {
  private let settings: PowerSettings
  private let device: String?
  private var machine: any RungMachine
  /// Whether what an earlier daemon turned off is still to be started.
  package private(set) var isRecovering: Bool
  /// Whether something else is configured now than what that was turned off by.
  private var isFormer: Bool
  private var isNeeded = false
  private var source = SourceState.idle
  private var devices: [ReceiverDevice] = []
  private var isSessionOn = false

  /// - Parameters:
  ///   - device: The configured device; `nil`: whatever gpsd has.
  ///   - stopped: What a daemon before this one turned off.
  package init(settings: PowerSettings, device: String?, stopped: StoppedReceiver?, now: Instant) {
    self.settings = settings
    self.device = device
    self.isRecovering = stopped != nil
    self.isFormer = stopped.map { Self.isFormer($0, settings) } ?? false
    let unknown = PowerState(state: .unknown, rung: settings.rung, since: now)
    self.machine = Self.machine(settings, device: device, stopped: stopped, isOn: false, after: unknown)
  }

  private static func isFormer(_ stopped: StoppedReceiver, _ settings: PowerSettings) -> Bool {
    guard stopped.rung == settings.rung else { return true }
    return stopped.rung == .unit
      && (stopped.unit != settings.onUnit || stopped.offUnit.map { $0 != settings.offUnit } ?? false)
  }

  private static func machine(
    _ settings: PowerSettings, device: String?, stopped: StoppedReceiver?, isOn: Bool, after power: PowerState
  ) -> any RungMachine {
    let rung = stopped?.rung ?? settings.rung
    let reporter = PowerReporter(rung: rung, after: power)
    let (isStopped, isFormer) = (stopped != nil, stopped.map { Self.isFormer($0, settings) } ?? false)
    switch rung {
    case .watch: return WatchRung(isOn: isOn, reporter: reporter)
    case .ublox, .mtk:
      guard let commands = ReceiverCommands(of: rung) else { preconditionFailure("\(rung) has no commands") }
      return CommandRung(
        commands: commands, device: stopped?.device ?? device, isStopped: isStopped, isFormer: isFormer, isOn: isOn,
        reporter: reporter)
    case .unit:
      guard let onUnit = stopped?.unit ?? settings.onUnit, isFormer || settings.offUnit != nil else {
        let problem = "rung=unit does not work: it needs power-off-unit= and power-on-unit="
        return WatchRung(isOn: isOn, reporter: PowerReporter(rung: .watch, after: power, standingProblem: problem))
      }
      return UnitRung(
        offUnit: stopped?.offUnit ?? settings.offUnit, onUnit: onUnit, isStopped: isStopped, isFormer: isFormer,
        isOn: isOn, reporter: reporter)
    }
  }

  /// The receiver's power before anything happened.
  package var initialPower: PowerState {
    let reporter = self.machine.reporter
    return PowerState(
      state: reporter.power.state, rung: reporter.rung, problem: reporter.standingProblem, since: reporter.power.since)
  }

  /// What a daemon before this one turned off is known only now. This one has turned nothing off, since that must be
  /// stored first. It is started, for whoever needs it or at once.
  package mutating func learn(_ stopped: StoppedReceiver, now: Instant) -> [RungAction] {
    self.isRecovering = true
    self.isFormer = Self.isFormer(stopped, self.settings)
    self.machine = Self.machine(
      self.settings, device: self.device, stopped: stopped, isOn: self.isSessionOn, after: self.machine.reporter.power)
    return self.showSession(now: now) + self.received(self.isNeeded ? .needed(true) : .recovering, now: now)
  }

  /// Whether the receiver is turned off, or may be.
  package var isStopped: Bool { self.machine.isStopped }

  /// When to send `deadlineReached`.
  package var nextDeadline: Instant? { self.machine.nextDeadline }

  package mutating func received(_ event: RungEvent, now: Instant) -> [RungAction] {
    if case .needed(let isNeeded) = event { self.isNeeded = isNeeded }
    if case .source(let source) = event { self.source = source }
    if case .devices(let devices) = event { self.devices = devices }
    var actions = self.pass(event, now: now)
    if self.isRecovering, !self.isStopped {
      self.isRecovering = false
      let power = self.machine.reporter.power
      if self.isFormer, event != .ending, !actions.contains(.ended) {
        let configured = Self.machine(
          self.settings, device: self.device, stopped: nil, isOn: self.isSessionOn, after: power)
        actions += self.replace(by: configured, now: now)
      }
    }
    if let failure = self.machine.failure {
      let rung = self.machine.reporter.rung.rawValue
      let problem = "rung=\(rung) does not work: \(failure)"
      let reporter = PowerReporter(rung: .watch, after: self.machine.reporter.power, standingProblem: problem)
      actions.append(.log(.rungFailed, "\(problem, .rung, rung); the receiver is only released from now on"))
      actions += self.replace(by: WatchRung(isOn: self.isSessionOn, reporter: reporter), now: now)
    }
    return actions
  }

  private mutating func pass(_ event: RungEvent, now: Instant) -> [RungAction] {
    let actions = self.machine.received(event, now: now)
    for action in actions {
      if action == .startSession { self.isSessionOn = true }
      if action == .stopSession { self.isSessionOn = false }
    }
    return actions
  }

  /// Shows a machine that takes over what gpsd said before.
  private mutating func showSession(now: Instant) -> [RungAction] {
    self.pass(.devices(self.devices), now: now) + self.pass(.source(self.source), now: now)
  }

  /// Another rung takes over, with the session as it is.
  private mutating func replace(by machine: any RungMachine, now: Instant) -> [RungAction] {
    self.machine = machine
    guard self.isSessionOn else { return self.isNeeded ? self.pass(.needed(true), now: now) : [] }
    return self.showSession(now: now) + (self.isNeeded ? [] : self.pass(.needed(false), now: now))
  }
}
