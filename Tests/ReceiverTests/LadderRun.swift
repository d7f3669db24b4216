import Positioning
import ReceiverPorts

@testable import Receiver

/// A ladder in virtual time, with a receiver and a gpsd that do as the test says.
struct LadderRun {
  /// What the receiver does with a stop and a start.
  struct Conduct {
    var obeysStop = true
    var obeysStart = true
    /// Whether it reports while it is stopped, as a u-blox does.
    var talksWhileStopped = true
    var hasFix = true
    var driver: String? = "u-blox"
    /// gpsd's words, if it writes nothing.
    var refusal: String?
    /// Whether what is stored reaches the disk; else the error.
    var storeError: String?
    var answersStore = true
    var answersGpsd = true
    /// Whether gpsd keeps the device open when nobody watches.
    var isKeptOpen: Bool? = false
    var devices = 1
    /// How many starts are lost on the way to the receiver.
    var lostStarts = 0
    /// What comes of each unit, if it does not end well.
    var unitResults: [String: UnitResult] = [:]
    /// Whether units end at once.
    var endsUnits = true
    /// What systemd says of every unit; `nil`: what is true.
    var unitState: UnitState?
    /// Whether the off unit cuts the power though it fails.
    var failingUnitCutsPower = false
  }

  var conduct: Conduct
  private(set) var now = Instant(sinceBoot: .seconds(1000))
  private var ladder: PowerLadder
  private var settings: PowerSettings
  private(set) var runningUnits: Set<String> = []
  /// The most units that ran at one time.
  private(set) var mostUnits = 0
  private var isSessionOn = false
  private var isStreaming = false
  /// What waits until gpsd watches.
  private var unwritten: [[UInt8]] = []
  private(set) var isStopped = false
  private(set) var stored: StoredReceiverState
  /// Every action, in order.
  private(set) var actions: [RungAction] = []
  private(set) var powers: [PowerState] = []
  private(set) var hasEnded = false
  private(set) var unexpectedSilence: Duration = .zero
  private var isSilenceExpected = false
  private var waiting: [RungEvent] = []
  private var isHandling = false

  struct StoredReceiverState: Equatable {
    var stopped: StoppedReceiver?
  }

  /// - Parameter isStoreOpen: Whether the daemon knows at its start what is stored.
  init(
    _ rung: PowerRung = .ublox, stopped: StoppedReceiver? = nil, units: Bool = true, conduct: Conduct = Conduct(),
    isStoreOpen: Bool = true
  ) {
    var settings = PowerSettings()
    settings.rung = rung
    if units { (settings.offUnit, settings.onUnit) = ("gps-off.service", "gps-on.service") }
    self.conduct = conduct
    self.settings = settings
    self.stored = StoredReceiverState(stopped: stopped)
    self.isStopped = stopped != nil
    self.ladder = PowerLadder(
      settings: settings, device: nil, stopped: isStoreOpen ? stopped : nil, now: self.now)
    if rung == .unit { self.conduct.talksWhileStopped = false }
    if rung == .mtk { (self.conduct.driver, self.conduct.talksWhileStopped) = ("MTK-3301", false) }
  }

  var power: PowerState? { self.powers.last }
  var written: [[UInt8]] { self.actions.compactMap { if case .write(let bytes) = $0 { bytes } else { nil } } }
  var starts: Int { self.written.count { $0 != ReceiverCommands.ublox.stop && $0 != ReceiverCommands.mediaTek.stop } }
  var started: [String] { self.actions.compactMap { if case .startUnit(let unit) = $0 { unit } else { nil } } }
  var logged: [String] { self.actions.compactMap { if case .log(_, let message) = $0 { message.text } else { nil } } }
  var nextDeadline: Instant? { self.ladder.nextDeadline }
  var isWatching: Bool { self.isSessionOn }
  var initialPower: PowerState { self.ladder.initialPower }
  var isClaimedStopped: Bool { self.ladder.isStopped }

  mutating func need(_ isNeeded: Bool) { self.send(.needed(isNeeded)) }
  mutating func begin() { if self.ladder.isRecovering { self.send(.recovering) } }
  mutating func end() { self.send(.ending) }

  /// The store could be opened only now.
  mutating func openStore() {
    self.conduct.storeError = nil
    guard let stopped = self.stored.stopped else { return }
    self.act { $0.learn(stopped, now: $1) }
  }

  /// Events that happen while another is handled wait, as in the controller.
  mutating func send(_ event: RungEvent) {
    self.waiting.append(event)
    guard !self.isHandling else { return }
    self.act { _, _ in [] }
  }

  private mutating func act(_ decide: (inout PowerLadder, Instant) -> [RungAction]) {
    self.isHandling = true
    self.perform(decide(&self.ladder, self.now))
    while !self.waiting.isEmpty { self.perform(self.ladder.received(self.waiting.removeFirst(), now: self.now)) }
    self.isHandling = false
  }

  /// Lets time pass without a report.
  mutating func pass(_ time: Duration) { self.now = self.now + time }

  /// Lets time pass, second by second; the receiver reports each second.
  mutating func advance(_ seconds: Int) {
    for _ in 0..<seconds {
      self.now = self.now + .seconds(1)
      self.connect()
      self.report()
      if let deadline = self.ladder.nextDeadline, deadline <= self.now { self.send(.deadlineReached) }
    }
  }

  private mutating func perform(_ actions: [RungAction]) {
    for action in actions {
      self.actions.append(action)
      switch action {
      case .startSession: self.isSessionOn = true
      case .stopSession:
        (self.isSessionOn, self.isStreaming, self.unwritten) = (false, false, [])
        self.send(.source(.idle))
      case .probe: self.send(.probed(isOpen: self.conduct.isKeptOpen))
      case .write(let bytes):
        self.unwritten.append(bytes)
        if self.isStreaming { self.flush() }
      case .expectSilence(let isExpected): self.isSilenceExpected = isExpected
      case .store(let stopped, let number):
        guard self.conduct.answersStore else { break }
        if self.conduct.storeError == nil { self.stored.stopped = stopped }
        self.send(.stored(number: number, error: self.conduct.storeError))
      case .askUnit(let unit):
        let state = self.conduct.unitState ?? (self.runningUnits.contains(unit) ? .busy : .idle)
        self.send(.unitState(unit, state))
      case .startUnit(let unit):
        self.runningUnits.insert(unit)
        self.mostUnits = max(self.mostUnits, self.runningUnits.count)
        if self.conduct.endsUnits { self.endUnit(unit) }
      case .report(let power): self.powers.append(power)
      case .log: break
      case .ended: self.hasEnded = true
      }
    }
  }

  /// The unit's job ends, and did what it is for unless it fails.
  mutating func endUnit(_ unit: String) {
    self.runningUnits.remove(unit)
    let result = self.conduct.unitResults[unit] ?? .done
    let isOff = unit.contains("off")
    if isOff, self.conduct.obeysStop, result == .done || self.conduct.failingUnitCutsPower { self.isStopped = true }
    if !isOff, result == .done { self.isStopped = false }
    self.send(.unitEnded(unit, result))
  }

  /// The daemon gets a unit's result that is no end: the unit runs on.
  mutating func giveUp(_ unit: String, _ error: String) { self.send(.unitEnded(unit, .failed(error))) }

  /// The daemon is killed, and another one starts: it knows what is stored, and the units run on.
  mutating func restart(_ settings: PowerSettings? = nil) {
    self.settings = settings ?? self.settings
    self.ladder = PowerLadder(settings: self.settings, device: nil, stopped: self.stored.stopped, now: self.now)
    (self.isSessionOn, self.isStreaming, self.unwritten, self.waiting) = (false, false, [], [])
    self.begin()
  }

  private mutating func connect() {
    guard self.isSessionOn, !self.isStreaming else { return }
    guard self.conduct.answersGpsd else { return self.send(.source(.gpsdDown(.mute))) }
    self.isStreaming = true
    self.send(
      .devices(
        (0..<self.conduct.devices).map {
          ReceiverDevice(path: "/dev/gps\($0)", driver: self.conduct.driver, isActivated: true)
        }))
    self.flush()
  }

  private mutating func flush() {
    let commands = self.unwritten
    self.unwritten = []
    for bytes in commands {
      self.send(.wrote)
      if let refusal = self.conduct.refusal {
        self.send(.writeRefused(refusal))
        continue
      }
      if bytes == ReceiverCommands.ublox.stop || bytes == ReceiverCommands.mediaTek.stop {
        if self.conduct.obeysStop { self.isStopped = true }
      } else if self.conduct.lostStarts > 0 {
        self.conduct.lostStarts -= 1
      } else if self.conduct.obeysStart {
        self.isStopped = false
      }
    }
  }

  private mutating func report() {
    guard self.isStreaming else { return }
    if self.isStopped, !self.conduct.talksWhileStopped {
      if !self.isSilenceExpected { self.unexpectedSilence += .seconds(1) }
      return
    }
    self.send(.source(.streaming))
    self.send(.report(isWorking: self.conduct.hasFix && !self.isStopped))
  }

  /// What somebody else does to the receiver.
  mutating func restartFromElsewhere() { self.isStopped = false }

  /// The connection to gpsd breaks; it comes back when gpsd answers.
  mutating func loseGpsd() {
    self.isStreaming = false
    self.conduct.answersGpsd = false
    self.send(.source(.gpsdDown(.closed("gone"))))
  }
}
