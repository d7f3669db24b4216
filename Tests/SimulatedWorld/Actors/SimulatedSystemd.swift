import EventLoop
import Positioning
import Systemd
import WorldSupport

/// The service manager, as far as it starts units: their jobs take time, may fail, and outlive the daemon that asked for them.
final class SimulatedSystemd {
  static let offUnit = "receiver-off.service"
  static let onUnit = "receiver-on.service"

  private unowned let world: World
  private var random: SeededRandom
  /// The units that are at work, each with those who wait for its end.
  private var running: [String: [(Result<Void, UnitStartError>) -> Void]] = [:]
  /// Counts boots, so that a job of an earlier one does not end.
  private var boot = 0
  /// Whether units fail, though some of them have done their work.
  var isFailing = false

  init(in world: World, seed: UInt64) {
    self.world = world
    self.random = SeededRandom(seed: seed)
  }

  /// The machine has lost its power.
  func restart() {
    self.boot += 1
    for unit in self.running.keys.sorted() { self.world.observe(.unit(unit, isRunning: false)) }
    self.running = [:]
  }

  func isRunning(_ unit: String) -> Bool { self.running[unit] != nil }

  /// - Parameter ended: Called with the result.
  func run(_ unit: String, _ ended: @escaping (Result<Void, UnitStartError>) -> Void) {
    // A job for a unit that is at work waits with it.
    if self.running[unit] != nil {
      self.running[unit]?.append(ended)
      return
    }
    self.running[unit] = [ended]
    self.world.observe(.unit(unit, isRunning: true))
    let isSlow = Int.random(in: 0..<4, using: &self.random) == 0
    let time = Duration.milliseconds(Int64.random(in: isSlow ? 2000...25_000 : 50...2000, using: &self.random))
    let boot = self.boot
    self.world.machine.after(time) { [weak self] in
      guard let self, self.boot == boot else { return }
      self.end(unit)
    }
  }

  /// Queues the start of a unit for events, unless that fails.
  func start(_ unit: String) -> Result<Void, UnitStartError> {
    self.world.observe(.started(unit, isFailing: self.isFailing))
    guard !self.isFailing else {
      return .failure(UnitStartError(unit: unit, reason: .jobFailed(result: "failed")))
    }
    let boot = self.boot
    self.world.machine.after(.milliseconds(Int64.random(in: 50...3000, using: &self.random))) { [weak self] in
      guard let self, self.boot == boot else { return }
      self.world.startProgram(of: unit)
    }
    return .success(())
  }

  private func end(_ unit: String) {
    let fails = self.isFailing
    // Half of those that fail have done their work. Those of an earlier configuration turn it on.
    if !fails || Bool.random(using: &self.random) { self.world.supplyReceiver(unit != Self.offUnit) }
    let waiting = self.running.removeValue(forKey: unit) ?? []
    self.world.observe(.unit(unit, isRunning: false))
    let result: Result<Void, UnitStartError> =
      fails ? .failure(UnitStartError(unit: unit, reason: .jobFailed(result: "failed"))) : .success(())
    for ended in waiting { ended(result) }
  }
}

/// What a daemon sees of the service manager. Answers come in turns of its loop.
final class SimulatedUnits: Units {
  private let systemd: SimulatedSystemd
  private let loop: EventLoop

  init(_ systemd: SimulatedSystemd, on loop: EventLoop) {
    self.systemd = systemd
    self.loop = loop
  }

  func start(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void) {
    let answer = Answer(completion)
    let result = self.systemd.start(unit)
    self.loop.call { answer.give(result) }
  }

  func run(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void) {
    let answer = Answer(completion)
    self.systemd.run(unit) { [weak loop = self.loop] result in loop?.call { answer.give(result) } }
  }

  func ask(_ unit: String, completion: @escaping (Result<Bool, UnitQuestionError>) -> Void) {
    let answer = Answer(completion)
    let isRunning = self.systemd.isRunning(unit)
    self.loop.call { answer.give(.success(isRunning)) }
  }

  func gapEnded(_ gap: Duration) {}

  /// `@unchecked Sendable`: the world has one thread.
  private final class Answer<Value>: @unchecked Sendable {
    let give: (Value) -> Void

    init(_ give: @escaping (Value) -> Void) { self.give = give }
  }
}
