package import EventLoop
package import Gpsd
package import Positioning
package import ReceiverPorts
import UBX

/// What starts of the receiver are assisted by.
package struct AssistSetup {
  let settings: AssistSettings
  /// The database, which has the kept file beside it.
  let database: String
  let disk: any Disk
  /// How wrong the system clock may be; `nil`: nobody knows.
  let clockError: () -> Duration?

  package init(
    _ settings: AssistSettings, beside database: String, on disk: any Disk, clockError: @escaping () -> Duration?
  ) {
    (self.settings, self.database, self.disk, self.clockError) = (settings, database, disk, clockError)
  }
}

/// Turns the receiver on and off, in the configured way, and reports the result to the broker.
///
/// All events of the receiver pass through here on their way to the broker. While nobody needs the receiver, a session
/// with it may go on, to verify that it is off or to start it; the broker sees none of that. It lives on the loop's
/// thread.
package final class ReceiverController {
  /// What executes the controller's decisions, besides gpsd.
  package struct Ports {
    /// Called with every event for the broker, in order, on the loop's thread.
    let emit: (ReceiverEvent) -> Void
    /// Stores which receiver is turned off (`nil`: none), and reports once that is on the disk (`nil`), or why it will
    /// not be.
    let store: (StoppedReceiver?, _ report: @escaping (_ error: String?) -> Void) -> Void
    /// Finds out whether a system unit is at work, and reports that.
    let askUnit: (String, _ report: @escaping (UnitState) -> Void) -> Void
    /// Starts a system unit, and reports the result of its job.
    let startUnit: (String, _ report: @escaping (UnitResult) -> Void) -> Void
    let log: (LogKind, LogMessage) -> Void

    package init(
      emit: @escaping (ReceiverEvent) -> Void,
      store: @escaping (StoppedReceiver?, _ report: @escaping (_ error: String?) -> Void) -> Void,
      askUnit: @escaping (String, _ report: @escaping (UnitState) -> Void) -> Void,
      startUnit: @escaping (String, _ report: @escaping (UnitResult) -> Void) -> Void,
      log: @escaping (LogKind, LogMessage) -> Void
    ) {
      self.emit = emit
      self.store = store
      self.askUnit = askUnit
      self.startUnit = startUnit
      self.log = log
    }
  }

  private let loop: EventLoop
  private let ports: Ports
  private let connection: GpsdConnection
  private var ladder: PowerLadder
  /// `nil`: starts are not assisted.
  private var assist: AssistDriver?
  private var assistance: Assistance?
  /// `nil`: the receiver saves no power while it is on.
  private var saving: SavingMachine?
  private var savingTimer: LoopTimer?
  private var reportedSaving: PowerSaving?
  /// Whether the rung is in use with which it saves power.
  private var isRungWorking = false
  /// The daemon ends, once the receiver's knowledge is kept.
  private var isEnding = false
  private var timer: LoopTimer?
  /// What the timer is set to.
  private var armed: Instant?
  /// How long this process did not run, all in all. The rungs' clock stands still meanwhile: they wait for proofs, and a
  /// process that does not run sees none.
  private var gaps: Duration = .zero
  private var reportedPower: PowerState?
  private var isNeeded = false
  /// Where the path to the receiver stands, and where it stands for the broker.
  private var source = SourceState.idle
  private var emittedSource = SourceState.idle
  /// Events that happen while another is handled wait.
  private var waiting = Fifo<RungEvent>()
  private var isHandling = false
  private var ended: (() -> Void)?

  /// - Parameters:
  ///   - power: How the receiver is turned on and off.
  ///   - stopped: The receiver that an earlier daemon turned off and did not turn on again.
  ///   - assist: What starts are assisted by; `nil`: nothing.
  ///   - silence: how long the receiver may send no position before it counts as silent.
  package init(
    loop: EventLoop, gpsd: GpsdSettings, power: PowerSettings, stopped: StoppedReceiver?, silence: Duration,
    jitterSeed: UInt64, assist: AssistSetup? = nil, ports: Ports
  ) throws(SystemError) {
    self.loop = loop
    self.ports = ports
    self.ladder = PowerLadder(settings: power, device: gpsd.device, stopped: stopped, now: loop.now)
    let relay = Relay()
    self.connection = try GpsdConnection(
      loop: loop, settings: gpsd, silence: silence, jitterSeed: jitterSeed, emit: { relay.controller?.received($0) },
      wrote: { relay.controller?.wrote($0) }, assisted: { relay.controller?.assisted($0) }, log: ports.log)
    relay.controller = self
    if let assist, assist.settings.applies(to: power.rung) {
      self.assist = try AssistDriver(
        loop: loop, files: AssistFiles(beside: assist.database, folder: assist.settings.folder, on: assist.disk),
        clockError: { assist.clockError() ?? assist.settings.clockError },
        machine: AssistMachine(rung: power.rung, device: gpsd.device),
        ports: AssistDriver.Ports(
          write: { relay.controller?.connection.assist($0) },
          askForPackets: { relay.controller?.connection.askForPackets() },
          report: { relay.controller?.report($0) }, release: { relay.controller?.assistReleased() }, log: ports.log))
    }
    if power.savesPower {
      self.saving = SavingMachine(device: gpsd.device)
      self.reportedSaving = SavingMachine.initial
      self.savingTimer = try loop.timer(accuracy: .milliseconds(100)) { [unowned self] in self.save(.deadlineReached) }
    }
    // The planner's timers need no more than a second's accuracy, which lets the machine sleep.
    self.timer = try loop.timer(accuracy: .seconds(1)) { [unowned self] in
      self.armed = nil
      self.handle(.deadlineReached)
    }
  }

  /// Reports the rung, and starts the receiver if an earlier daemon turned it off.
  package func begin() {
    self.report(self.ladder.initialPower)
    if self.ladder.isRecovering { self.handle(.recovering) }
  }

  /// What an earlier daemon turned off is known only now: it is started.
  package func learn(_ stopped: StoppedReceiver) { self.act { $0.learn(stopped, now: $1) } }

  /// Whether the receiver is turned off, or may be.
  package var isStopped: Bool { self.ladder.isStopped }

  package func turn(on: Bool) {
    self.isNeeded = on
    self.emitSource()
    self.save(.needed(on && self.isRungWorking))
    self.assist?.handle(.needed(on))
    // What it knows is taken before it is turned off.
    guard on || self.assist?.isHolding != true else { return }
    self.handle(.needed(on))
  }

  /// This process did not run for so long, until now.
  package func gapEnded(_ gap: Duration) {
    self.connection.gapEnded(gap)
    self.assist?.handle(.gapEnded(gap))
    self.gaps += gap
    self.armed = nil
    self.armTimer()
  }

  /// Leaves the receiver running, whatever turned it off, and reports when that is done or was given up.
  package func end(completion: @escaping () -> Void) {
    self.ended = completion
    self.isEnding = true
    self.save(.needed(false))
    self.assist?.handle(.ending)
    if self.assist?.isHolding != true { self.handle(.ending) }
  }

  /// What the receiver knows is kept, or will not be.
  private func assistReleased() {
    if self.isEnding {
      self.handle(.ending)
    } else if !self.isNeeded {
      self.handle(.needed(false))
    }
  }

  private func assisted(_ event: GpsdAssistEvent) {
    switch event {
    case .received(let frame) where UBXPowerMode.isAnswer(frame.messageClass, frame.identifier):
      self.save(.packet(frame))
    case .received(let frame): self.assist?.handle(.packet(frame))
    case .refused(let reason):
      self.assist?.handle(.refused(reason))
      self.save(.refused(reason))
    }
  }

  /// How far the receiver may save power while it is on.
  package func allow(_ allowance: SavingAllowance) { self.save(.allowed(allowance)) }

  private func save(_ event: SavingMachine.Event) {
    let actions = self.saving?.received(event, now: self.loop.now - self.gaps) ?? []
    for action in actions {
      switch action {
      case .write(let bytes): self.connection.assist(bytes)
      case .askForPackets: self.connection.askForPackets()
      case .report(let saving):
        self.reportedSaving = saving
        if let power = self.reportedPower { self.report(power) }
      case .log(let kind, let message): self.ports.log(kind, message)
      }
    }
    if let deadline = self.saving?.nextDeadline {
      self.savingTimer?.arm(at: deadline + self.gaps)
    } else {
      self.savingTimer?.disarm()
    }
  }

  /// The setting for how long the receiver may be silent changed.
  package func changeSilence(to silence: Duration) {
    self.connection.changeSilence(to: silence)
  }

  // MARK: gpsd

  private func received(_ event: ReceiverEvent) {
    switch event {
    case .source(let source):
      self.source = source
      self.emitSource()
      self.handle(.source(source))
      self.assist?.handle(.source(source))
      self.save(.source(source))
    case .devices(let devices):
      self.ports.emit(event)
      self.handle(.devices(devices))
      self.assist?.handle(.devices(devices))
      self.save(.devices(devices))
    case .position(let report):
      self.emitIfNeeded(event)
      self.assist?.handle(.report(report))
      self.save(.report(report))
      self.handle(.report(isWorking: report.mode.rawValue >= PositionReport.Mode.twoDimensional.rawValue))
    case .sky(let report):
      self.emitIfNeeded(event)
      if let satellites = report.satellites { self.handle(.report(isWorking: satellites.contains(where: \.isUsed))) }
    case .errorEstimate, .attitude, .reception, .superseded: self.emitIfNeeded(event)
    case .power, .gpsdVersion: self.ports.emit(event)
    }
  }

  private func wrote(_ result: GpsdWriteResult) {
    switch result {
    case .written: self.handle(.wrote)
    case .refused(let reason): self.handle(.writeRefused(reason))
    }
  }

  private func emitIfNeeded(_ event: ReceiverEvent) {
    if self.isNeeded { self.ports.emit(event) }
  }

  /// A receiver that is needed is at least about to be opened.
  private func emitSource() {
    let source: SourceState = !self.isNeeded ? .idle : self.source == .idle ? .opening : self.source
    guard source != self.emittedSource else { return }
    self.emittedSource = source
    self.ports.emit(.source(source))
  }

  // MARK: The rung

  private func handle(_ event: RungEvent) {
    self.waiting.append(event)
    guard !self.isHandling else { return }
    self.act { _, _ in [] }
  }

  /// Performs what the ladder decides, and then what follows from the events that wait.
  private func act(_ decide: (inout PowerLadder, Instant) -> [RungAction]) {
    self.isHandling = true
    self.perform(decide(&self.ladder, self.loop.now - self.gaps))
    while let event = self.waiting.popFirst() {
      self.perform(self.ladder.received(event, now: self.loop.now - self.gaps))
    }
    self.isHandling = false
    self.armTimer()
  }

  private func armTimer() {
    guard self.ladder.nextDeadline != self.armed else { return }
    self.armed = self.ladder.nextDeadline
    if let armed { self.timer?.arm(at: armed + self.gaps) } else { self.timer?.disarm() }
  }

  /// Reports the power, with the real moment of its change.
  private func report(_ power: PowerState) {
    var power = power
    let before = self.reportedPower.flatMap { $0.state == power.state ? $0.since : nil }
    power.since = before ?? power.since + self.gaps
    let wasWorking = self.isRungWorking
    self.isRungWorking = power.rung == .ublox
    (power.assist, power.saving) = (self.assistance, self.isRungWorking ? self.reportedSaving : nil)
    self.reportedPower = power
    self.ports.emit(.power(power))
    if wasWorking != self.isRungWorking { self.save(.needed(self.isNeeded && self.isRungWorking)) }
  }

  /// Reports what the receiver was given.
  private func report(_ assistance: Assistance) {
    self.assistance = assistance
    if let power = self.reportedPower { self.report(power) }
  }

  private func perform(_ actions: [RungAction]) {
    for action in actions {
      switch action {
      case .startSession:
        self.connection.start()
        self.assist?.handle(.session(isOn: true))
      case .stopSession:
        self.assist?.handle(.session(isOn: false))
        self.connection.stop()
      case .probe:
        self.connection.probe { [unowned self] isOpen in self.handle(.probed(isOpen: isOpen)) }
      case .write(let bytes): self.connection.write(bytes)
      case .expectSilence(let isExpected): self.connection.expectSilence(isExpected)
      case .store(let stopped, let number):
        self.ports.store(stopped) { [weak self] error in self?.handle(.stored(number: number, error: error)) }
      case .askUnit(let unit):
        self.ports.askUnit(unit) { [weak self] state in self?.handle(.unitState(unit, state)) }
      case .startUnit(let unit):
        self.ports.startUnit(unit) { [weak self] result in self?.handle(.unitEnded(unit, result)) }
      case .report(let power): self.report(power)
      case .log(let kind, let message): self.ports.log(kind, message)
      case .ended:
        self.ended?()
        self.ended = nil
      }
    }
  }

  /// Refers to the controller once it is initialised.
  private final class Relay {
    weak var controller: ReceiverController?
  }
}
