import Broker
import EventLoop
package import Positioning
package import WorldSupport

/// A machine in memory with a device that moves, a receiver, gpsd, the whole daemon, and programs that use it.
package final class World {
  package let script: Script
  package let machine: MemoryMachine
  package let began: Instant
  private let disk: MemoryDisk
  private var gpsd: SimulatedGpsd?
  private var systemd: SimulatedSystemd?
  private var daemon: DaemonProcess?
  package private(set) var programs: [Program] = []
  package private(set) var doorPrograms: [DoorProgram] = []
  package private(set) var libraryPrograms: [LibraryProgram] = []
  private var desktop: SimulatedDesktop?
  package var desktopPrograms: [DesktopProgram] { self.desktop?.programs ?? [] }
  private var mqtt: SimulatedMQTT?
  private var bridge: BridgeProcess?
  /// What the power cut has ended, and begins again after it.
  private var restarting: [LibraryProgram] = []
  private var isBridgeRestarting = false
  /// Whether the bridge's durable name exists, or may exist.
  private var isBridgeRegistered = false
  private var crowds: [Crowd] = []
  package private(set) var liars: [Liar] = []
  let accounts = SimulatedAccounts()
  /// Users whose units no rule lists any more.
  private var unlisted: Set<UInt32> = []
  private var laws: [any Law]
  private let keepsTrace: Bool
  package private(set) var trace: [TraceLine] = []
  private let keepsRecord: Bool
  /// Everything that was seen, in its order.
  package private(set) var record: [Record] = []
  /// Of the trace.
  package private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
  /// How long the daemon ran until `awakeSince`, and since when it runs; `nil`: it does not.
  private var awakeBefore: Duration = .zero
  private var awakeSince: Instant?
  private var hardware = (isWatched: false, isOpen: false)
  /// What gpsd has written.
  package internal(set) var reported = ReportedEpochs()
  /// Whether the daemon is started again when it has ended.
  private var isRestarting = false
  /// Whether the service ends for good.
  private var isServiceEnding = false
  private var isClockSet = false
  /// How wrong the system's clock may be, as far as the kernel knows.
  var clockError: Duration? { self.isClockSet ? nil : self.script.clockError }
  /// What an administrator still asks for, and as which user.
  private var administration: [(request: String, uid: UInt32)] = []
  /// Whether an administrator's call may have taken effect, and is not answered.
  package var isAdministering: Bool { !self.administration.isEmpty }

  /// What the true time is at the beginning.
  private static let beginning: Duration = .seconds(1_767_225_600)

  /// How long things take on a machine that is loaded.
  private static var busy: MemoryMachine.Costs {
    var costs = MemoryMachine.Costs()
    costs.readingClock = .microseconds(100) ... .milliseconds(3)
    costs.delivery = .milliseconds(1) ... .milliseconds(500)
    costs.work = .milliseconds(10) ... .seconds(2)
    return costs
  }

  package init(
    _ script: Script, laws: [any Law] = Laws.all(), keepsTrace: Bool = false, keepsRecord: Bool = false
  ) {
    self.script = script
    self.laws = laws
    self.keepsRecord = keepsRecord
    self.keepsTrace = keepsTrace
    self.machine = MemoryMachine(seed: script.seed, wall: Self.beginning)
    self.began = self.machine.now
    self.disk = MemoryDisk(name: "world-\(script.seed)", seed: script.seed &+ 1)
  }

  // MARK: Time

  /// Since the beginning, whatever clocks show.
  package var elapsed: Duration { self.machine.now - self.began }
  /// How long the daemon has run: neither stopped, nor asleep, nor gone.
  package var awake: Duration { self.awakeBefore + (self.awakeSince.map { self.machine.now - $0 } ?? .zero) }
  package func time(of moment: Duration) -> Timestamp { Timestamp(since1970: Self.beginning + moment) }
  package var trueTime: Timestamp { self.time(of: self.elapsed) }
  /// The moment of a true time.
  package func moment(of time: Timestamp) -> Duration { .milliseconds(time.milliseconds) - Self.beginning }

  package var place: Track.Place { self.script.track.place(at: self.elapsed) }
  package var isDaemonAwake: Bool { self.awakeSince != nil }

  private func setAwake(_ isAwake: Bool) {
    if let since = self.awakeSince { self.awakeBefore += self.machine.now - since }
    self.awakeSince = isAwake ? self.machine.now : nil
  }

  // MARK: Running

  /// Runs the script to its end.
  ///
  /// - Returns: What was not as it was promised.
  package func run() throws -> [Breach] {
    try self.script.database?.make(on: self.disk)
    self.gpsd = SimulatedGpsd(in: self, seed: self.script.seed &+ 2)
    self.systemd = SimulatedSystemd(in: self, seed: self.script.seed &+ 3)
    self.startDaemon()
    for (method, parameters) in self.script.database?.calls ?? [] { self.administer(method, parameters) }
    for plan in self.script.programs where plan.kind.isAtAnotherDoor {
      let program = DoorProgram(plan, in: self)
      self.doorPrograms.append(program)
      self.at(plan.from) { program.begin() }
      self.at(min(plan.to, self.script.length + Script.leaving)) { program.end() }
    }
    for plan in self.script.programs where plan.kind.isCrowd {
      let crowd = Crowd(plan, in: self)
      self.crowds.append(crowd)
      self.at(plan.from) { crowd.begin() }
      self.at(min(plan.to, self.script.length)) { crowd.end() }
    }
    for plan in self.script.programs where plan.kind.isLying {
      let liar = Liar(plan, in: self)
      self.liars.append(liar)
      self.at(plan.from) { liar.begin() }
      self.at(min(plan.to, self.script.length)) { liar.end() }
    }
    for plan in self.script.programs where plan.kind.isAtTheSocket {
      let program = Program(plan, in: self)
      self.programs.append(program)
      self.at(plan.from) { program.begin() }
      // Who only watches the status needs nothing, and sees the rest.
      let last = plan.kind == .watchesStatus ? plan.to : self.script.length + Script.leaving
      self.at(min(plan.to, last)) { program.end() }
    }
    for plan in self.script.libraryPrograms {
      let program = LibraryProgram(plan, in: self)
      self.libraryPrograms.append(program)
      self.at(plan.from) { try? program.begin() }
      self.at(min(plan.to, self.script.length + Script.leaving)) { program.end() }
    }
    if self.script.bridge != nil {
      self.mqtt = SimulatedMQTT(in: self, seed: self.script.seed &+ 4)
      self.startBridge()
      self.at(self.script.length + Script.leaving) { [unowned self] in self.endBridge() }
    }
    if !self.script.desktopPrograms.isEmpty {
      let desktop = SimulatedDesktop(self.script.desktopPrograms, in: self, seed: self.script.seed &+ 5)
      self.desktop = desktop
      desktop.begin()
      for program in desktop.programs {
        self.at(program.plan.from) { program.begin() }
        self.at(min(program.plan.to, self.script.length + Script.leaving)) { program.end() }
      }
      self.at(self.script.length + Script.leaving + .seconds(120)) { desktop.end() }
    }
    for fault in self.script.faults {
      self.at(fault.at) { [unowned self] in self.begin(fault) }
    }
    self.tick()
    _ = try self.machine.run(until: self.began + self.script.length + Script.calm)
    if self.script.rung != .watch { try self.endService() }
    for place in self.laws.indices { self.laws[place].end(in: self) }
    self.daemon?.kill()
    self.daemon = nil
    return self.laws.flatMap(\.breaches)
  }

  /// The service ends for good.
  private func endService() throws {
    self.isServiceEnding = true
    self.daemon?.end()
    _ = try self.machine.run(until: self.machine.now + NobodyInheritsADeadReceiver.bound)
  }

  /// The program of a unit is started, if it does not run.
  func startProgram(of unit: String) {
    for program in self.programs where program.unit == unit { program.start() }
  }

  /// The rules as the administrator has them now.
  var rules: [AccessRule] {
    self.script.rules.map { rule in
      var rule = rule
      if let uid = rule.uid, self.unlisted.contains(uid) { rule.wake = [] }
      return rule
    }
  }

  /// A unit has given the receiver its supply, or has taken it.
  func supplyReceiver(_ isSupplied: Bool) { self.gpsd?.supply(isSupplied) }

  private func at(_ moment: Duration, _ work: @escaping () -> Void) { self.machine.at(self.began + moment, work) }

  private func tick() {
    self.observe(.tick)
    self.machine.after(.seconds(30)) { [weak self] in self?.tick() }
    guard let daemon, daemon.hasEnded, !self.isServiceEnding else { return }
    self.daemonHasEnded()
  }

  package func observe(_ observation: Observation) {
    for place in self.laws.indices { self.laws[place].observe(observation, in: self) }
    if self.keepsRecord { self.record.append(Record(at: self.elapsed, observation: observation)) }
    guard self.keepsTrace, let text = observation.text else { return }
    for byte in text.utf8 { self.fingerprint = (self.fingerprint ^ UInt64(byte)) &* 0x100_0000_01B3 }
    self.trace.append(TraceLine(at: self.elapsed, text: text))
  }

  func hardwareChanged() {
    let now = (isWatched: self.gpsd?.isWatched ?? false, isOpen: self.gpsd?.isOpen ?? false)
    guard now != self.hardware else { return }
    self.hardware = now
    self.observe(.hardware(isWatched: now.isWatched, isOpen: now.isOpen))
  }

  // MARK: Beside the daemon

  /// Whether programs on the client library or the bridge are there, or what it has registered is, or a program on the
  /// message bus needs locations.
  package var hasCompanions: Bool {
    self.isBridgeRegistered || self.libraryPrograms.contains { $0.isRunning }
      || self.desktopPrograms.contains { $0.isNeeding }
  }

  package var isBridgeRunning: Bool { self.bridge != nil }

  private func startBridge() {
    guard let plan = self.script.bridge, let mqtt else { return }
    self.bridge = try? BridgeProcess(plan, to: mqtt, in: self)
    self.isBridgeRegistered = true
  }

  /// The bridge leaves, and so does what outlives it.
  private func endBridge() {
    self.bridge?.end()
    self.bridge = nil
    self.administer("durable.remove", #"{"name":"mqtt"}"#, as: BridgePlan.uid)
  }

  /// What connects by itself has lost the machine's power.
  private func cutCompanions() {
    for program in self.libraryPrograms where program.isRunning {
      program.kill()
      self.restarting.append(program)
    }
    if let bridge {
      bridge.kill()
      self.bridge = nil
      self.isBridgeRestarting = true
    }
    self.desktop?.stopBus()
    self.desktop?.killProcess(for: .seconds(1))
  }

  private func restartCompanions() {
    for program in self.restarting { try? program.begin() }
    self.restarting = []
    self.desktop?.startBus()
    if self.isBridgeRestarting { self.startBridge() }
    self.isBridgeRestarting = false
  }

  // MARK: The daemon

  private func startDaemon() {
    self.isRestarting = false
    guard self.daemon == nil else { return }
    do {
      guard let systemd else { return }
      self.daemon = try DaemonProcess(in: self, self.disk, systemd)
      self.setAwake(true)
      self.observe(.daemonStarted)
    } catch {
      self.observe(.logged("the daemon does not start: \(error)"))
      self.restartDaemon(after: .seconds(5))
    }
  }

  private func restartDaemon(after pause: Duration) {
    guard !self.isRestarting else { return }
    self.isRestarting = true
    self.machine.after(pause) { [weak self] in self?.startDaemon() }
  }

  private func daemonHasEnded() {
    self.daemon = nil
    self.setAwake(false)
    self.observe(.daemonEnded)
    self.restartDaemon(after: .seconds(1))
  }

  // MARK: Faults

  private func begin(_ fault: Fault) {
    self.observe(.fault(fault, begins: true))
    switch fault.kind {
    case .gpsdDown: self.gpsd?.stop()
    case .gpsdHangs: self.gpsd?.hang(true)
    case .unplugged: self.gpsd?.plug(false)
    case .noSky: self.gpsd?.clearSky(false)
    case .suspend:
      // In an event of its own, since nothing of the machine runs meanwhile.
      self.setAwake(false)
      self.machine.suspend(for: fault.lasts)
      self.setAwake(self.daemon != nil)
    case .stopped:
      self.daemon?.kernel.stop(for: fault.lasts)
      self.setAwake(false)
    case .busy: self.machine.costs = Self.busy
    case .deaf: self.setDeaf(true)
    case .jumps: self.gpsd?.jump(true)
    case .frozen: self.gpsd?.freeze(true)
    case .receiver(let fault): self.gpsd?.begin(fault)
    case .vague(let factor): self.gpsd?.blur(by: factor)
    case .strays(let every): self.gpsd?.stray(every: every)
    case .killed: self.killDaemon(for: fault.lasts)
    case .ended: self.daemon?.end()
    case .powerCut:
      self.disk.cutPower(seed: self.script.seed ^ UInt64(bitPattern: fault.at.components.seconds))
      self.killDaemon(for: fault.lasts)
      for program in self.programs { program.disconnect() }
      for program in self.doorPrograms { program.disconnect() }
      self.cutCompanions()
      for crowd in self.crowds { crowd.disconnect() }
      for liar in self.liars { liar.disconnect() }
      self.gpsd?.stop()
      self.systemd?.restart()
      self.machine.restart()
    case .mqttDown: self.mqtt?.stop()
    case .busDown: self.desktop?.stopBus()
    case .desktopBridgeKilled: self.desktop?.killProcess(for: fault.lasts)
    case .diskFull: self.disk.fail(.full)
    case .diskBroken: self.disk.fail(.broken)
    case .locked: self.disk.fail(.busy)
    case .clockStep(let step):
      self.machine.stepWallClock(by: step)
      self.isClockSet = true
    case .unread(let name): self.read(false, name)
    case .denied(let uid): self.administer("admin.grant", #"{"user":\#(uid),"level":"deny"}"#)
    case .reduced(let uid):
      self.administer("admin.grant", #"{"user":\#(uid),"level":"always","precision":"reduced"}"#)
    case .disabled: self.administer("admin.disable")
    case .granted(let uid): self.administer("admin.grant", #"{"user":\#(uid),"level":"always"}"#)
    case .renamed(let uid): self.accounts.renamed.insert(uid)
    case .deleted(let uid): self.accounts.deleted.insert(uid)
    case .unlisted(let uid):
      self.unlisted.insert(uid)
      self.daemon?.reload()
    }
    // What begins late, because the machine slept, ends in time.
    self.at(max(self.elapsed, fault.at + fault.lasts)) { [weak self] in self?.end(fault) }
  }

  private func end(_ fault: Fault) {
    switch fault.kind {
    case .gpsdDown: self.gpsd?.start()
    case .gpsdHangs: self.gpsd?.hang(false)
    case .unplugged: self.gpsd?.plug(true)
    case .noSky: self.gpsd?.clearSky(true)
    case .suspend, .killed, .clockStep, .desktopBridgeKilled: break
    case .stopped: self.setAwake(self.daemon != nil)
    case .busy: self.machine.costs = MemoryMachine.Costs()
    case .deaf: self.setDeaf(false)
    case .jumps: self.gpsd?.jump(false)
    case .frozen: self.gpsd?.freeze(false)
    case .receiver(let fault): self.gpsd?.end(fault)
    case .vague(let factor): self.gpsd?.blur(by: 1 / factor)
    case .strays: self.gpsd?.stray(every: nil)
    case .ended: if self.daemon?.hasEnded ?? false { self.daemonHasEnded() }
    case .powerCut:
      self.gpsd?.restart()
      self.restartCompanions()
    case .mqttDown: self.mqtt?.start()
    case .busDown: self.desktop?.startBus()
    case .diskFull, .diskBroken, .locked: self.disk.mend()
    case .unread(let name): self.read(true, name)
    case .denied(let uid), .reduced(let uid), .granted(let uid):
      self.administer("admin.revoke", #"{"user":\#(uid)}"#)
    case .renamed(let uid): self.accounts.renamed.remove(uid)
    case .deleted(let uid): self.accounts.deleted.remove(uid)
    case .unlisted(let uid):
      self.unlisted.remove(uid)
      self.daemon?.reload()
    case .disabled: self.administer("admin.enable")
    }
    self.observe(.fault(fault, begins: false))
  }

  private func setDeaf(_ isDeaf: Bool) {
    self.gpsd?.deafen(isDeaf)
    self.systemd?.isFailing = isDeaf
  }

  /// Lets a program read, or not.
  private func read(_ isReading: Bool, _ name: String) {
    for program in self.programs where program.plan.name == name { program.read(isReading) }
    for program in self.doorPrograms where program.plan.name == name { program.read(isReading) }
  }

  private func killDaemon(for pause: Duration) {
    guard let daemon else { return }
    daemon.kill()
    self.disk.endProcess()
    self.daemon = nil
    self.setAwake(false)
    self.observe(.daemonEnded)
    self.restartDaemon(after: pause)
  }

  /// Calls a method as a user, after the earlier calls, on a connection of its own, until it is answered.
  private func administer(_ method: String, _ parameters: String = "{}", as uid: UInt32 = 0) {
    let request = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"# + "\n"
    self.administration.append((request, uid))
    if self.administration.count == 1 { self.continueAdministration() }
  }

  private func continueAdministration() {
    guard let (request, uid) = self.administration.first else { return }
    let principal = Principal(uid: uid, gid: uid, pid: 7)
    guard let peer = try? self.machine.connect(to: .path(DaemonProcess.socket), as: principal) else {
      return self.continueAdministration(after: .seconds(2))
    }
    peer.onLine = { [weak self] answer in
      peer.close()
      guard let self else { return }
      let answer = JSON(answer)
      // Nobody leaves the service off because the disk was busy when it was to be turned on.
      // Once all is over, nor does anybody leave a user denied for that reason.
      let isStoreBroken = answer?["error"]?["code"]?.number == -32603 && self.elapsed >= self.script.length
      if request.contains("admin.enable") ? answer?["error"] != nil : isStoreBroken {
        return self.continueAdministration(after: .seconds(10))
      }
      self.administration.removeFirst()
      if uid == BridgePlan.uid { self.isBridgeRegistered = false }
      if let answer { self.observe(.administered(request, answer)) }
      self.continueAdministration()
    }
    peer.onEnd = { [weak self] in
      peer.close()
      self?.continueAdministration(after: .seconds(2))
    }
    peer.send(request)
  }

  private func continueAdministration(after pause: Duration) {
    self.machine.after(pause) { [weak self] in self?.continueAdministration() }
  }
}
