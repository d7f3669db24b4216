import Broker
import EventLoop
import Positioning
import Receiver
import Server
import Systemd

/// Executes the broker's actions.
///
/// `@unchecked Sendable`: the parts are set once while the daemon is put together, and the broker, which runs on the
/// loop's thread, is the only caller.
final class Ports: BrokerPorts, @unchecked Sendable {
  /// The parts that execute the actions.
  final class Parts {
    let server: PositionServer
    let receiver: ReceiverController
    let timer: LoopTimer
    let persistence: Persistence
    let inUse: InUseFile
    /// Reports the result of an action to the broker.
    let report: (BrokerEvent) -> Void
    /// Ends the daemon, since nothing needs it.
    let end: () -> Void

    init(
      server: PositionServer, receiver: ReceiverController, timer: LoopTimer, persistence: Persistence,
      inUse: InUseFile, report: @escaping (BrokerEvent) -> Void, end: @escaping () -> Void
    ) {
      self.server = server
      self.receiver = receiver
      self.timer = timer
      self.persistence = persistence
      self.inUse = inUse
      self.report = report
      self.end = end
    }
  }

  private let loop: EventLoop
  private let world: World
  private var parts: Parts?

  private var isReceiverNeeded = false
  /// The receiver's rung waits until the store has which receiver is turned off: once for each change, in order.
  private var stoppedReceiverReports = Fifo<(_ error: String?) -> Void>()
  /// The least time between two times that memory is given back.
  private static let restInterval: Duration = .seconds(5)
  private var gaveBack: Instant?
  /// Whether nothing was due after the last actions. At first it is true, because nothing is due after the start either.
  private var wasResting = true

  /// The status line in `systemctl status`.
  var statusLine: String {
    self.isReceiverNeeded ? "uses the receiver" : "idle: does not use the receiver"
  }

  init(on loop: EventLoop, in world: World) {
    self.loop = loop
    self.world = world
  }

  func connect(_ parts: Parts) { self.parts = parts }

  /// Nothing acts any more.
  func disconnect() { self.parts = nil }

  /// Which receiver is turned off has changed, and its rung waits until that is stored.
  func store(_ stopped: StoppedReceiver?, report: @escaping (_ error: String?) -> Void) {
    self.stoppedReceiverReports.append(report)
    self.parts?.report(.stoppedReceiverChanged(stopped))
  }

  func perform(_ actions: [Action]) {
    guard let parts = self.parts else { preconditionFailure("the broker acted before the daemon was put together") }
    for action in actions {
      switch action {
      case .answer(let call, let answer): parts.server.answer(call, answer)
      case .notify(let client, let notification): parts.server.notify(client, notification)
      case .setReceiver(let isOn):
        parts.receiver.turn(on: isOn)
        self.isReceiverNeeded = isOn
        self.world.notify(nil, self.statusLine)
      case .allowSaving(let allowance): parts.receiver.allow(allowance)
      case .setDeadline(let deadline?): parts.timer.arm(at: deadline)
      case .setDeadline(nil): parts.timer.disarm()
      case .store(let number, let changes):
        parts.persistence.keep(changes) { parts.report(.stored(number, error: $0)) }
      case .reportWhenTaken(let client): parts.server.reportWhenTaken(client)
      case .startUnit(let unit, let id): self.start(unit, for: id, parts)
      case .clear(let client, let limit): parts.server.clear(client, limit)
      case .ask(let client, let prompt): parts.server.ask(client, prompt)
      case .withdraw(let client, let prompt): parts.server.withdraw(client, prompt)
      case .reportStoppedReceiver(let error): self.stoppedReceiverReports.popFirst()?(error)
      case .inUse(let users): parts.inUse.write(users)
      case .askClock(let port):
        self.world.askClock(UInt16(clamping: port)) { parts.report(.clockReported($0)) }
      case .end: parts.end()
      case .log(let kind, let message): self.world.log.write(kind, message)
      }
    }
    parts.server.flush()
    self.rest()
  }

  /// The receiver has reported something, which the broker has handled. The end of the probe whether gpsd has closed the
  /// receiver is such a report, after which nothing may be due any more.
  func receiverReported() {
    self.wasResting = false
    self.rest()
  }

  /// Gives memory back when nothing is due any more: the next event may come in hours.
  private func rest() {
    let isResting = !self.isReceiverNeeded && self.parts?.timer.isArmed == false
    defer { self.wasResting = isResting }
    guard isResting, !self.wasResting else { return }
    // Mapping the code again takes longer than most requests, and a client can cause rests as fast as it writes.
    let now = self.loop.readClock()
    guard now - (self.gaveBack ?? .boot) >= Self.restInterval else { return }
    self.gaveBack = now
    self.loop.giveBackMemory()
  }

  private func start(_ unit: String, for id: DurableID, _ parts: Parts) {
    self.world.units.start(unit) { result in
      let error: String? = if case .failure(let failure) = result { "\(failure)" } else { nil }
      parts.report(.unitStarted(id, error: error))
    }
  }
}
