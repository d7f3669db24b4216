import EventLoop
import GeoClue
import Positioning
import Systemd
import WorldSupport

/// A run of the process that offers GeoClue's objects.
final class GeoClueProcess {
  private let loop: EventLoop
  private let kernel: MemoryKernel
  private let link: BusLink
  private let bridge: Bridge

  /// - Parameter ended: Called when it cannot go on.
  /// - Throws: If there is no bus.
  init(on bus: SimulatedBus, in world: World, ended: @escaping () -> Void) throws {
    let uid = DesktopPlan.bridge
    let (loop, kernel) = try world.machine.makeLoop(as: Principal(uid: uid, gid: uid, pid: 4545, groups: [uid]))
    (self.loop, self.kernel) = (loop, kernel)
    self.link = try bus.connect(from: loop)
    let log = Log(.info) { [unowned world] _, _, message in world.observe(.bridgeLogged(message.text)) }
    self.bridge = try Bridge(
      on: loop, bus: self.link, socket: DaemonProcess.socket, log: log,
      subordinates: { SubordinateNumbers(Script.subordinateNumbers.utf8) },
      report: { state in
        if case .failed = state { world.machine.after(.zero, ended) }
      })
  }

  /// It ends, and the bus and the daemon notice that.
  func kill() {
    self.kernel.kill()
    self.link.close()
  }
}

/// The message bus, the process that offers GeoClue's objects there, and the programs that use them.
final class SimulatedDesktop {
  private unowned let world: World
  private let bus: SimulatedBus
  private var process: GeoClueProcess?
  let programs: [DesktopProgram]
  private var isEnding = false

  /// As its unit has it.
  private static let restart: Duration = .seconds(2)

  init(_ plans: [DesktopPlan], in world: World, seed: UInt64) {
    let bus = SimulatedBus(in: world, seed: seed)
    (self.world, self.bus) = (world, bus)
    self.programs = plans.map { DesktopProgram($0, on: bus, in: world) }
  }

  func begin() { self.startProcess() }

  /// The bridge leaves.
  func end() {
    self.isEnding = true
    self.endProcess()
  }

  private func startProcess() {
    guard self.process == nil, !self.isEnding else { return }
    self.process = try? GeoClueProcess(on: self.bus, in: self.world) { [weak self] in
      self?.endProcess()
      self?.startProcess(after: Self.restart)
    }
    if self.process == nil { self.startProcess(after: Self.restart) }
  }

  private func startProcess(after pause: Duration) {
    self.world.machine.after(pause) { [weak self] in self?.startProcess() }
  }

  private func endProcess() {
    self.process?.kill()
    self.process = nil
  }

  /// The bridge is killed, and started again.
  func killProcess(for pause: Duration) {
    self.endProcess()
    self.startProcess(after: pause)
  }

  func stopBus() { self.bus.stop() }
  func startBus() { self.bus.start() }
}
