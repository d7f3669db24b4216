import ConfigurationTables
package import EventLoop
import Glibc
import PositionClient
import Positioning
package import Systemd

/// Executes the machine's actions: the one place where positiond and MQTT meet. It decides nothing.
package final class Bridge {
  private let loop: EventLoop
  private let settings: BridgeSettings
  private let messages: BridgeMessages
  private let log: Log
  private var machine: BridgeMachine
  private let connector: any MQTTConnector
  private var connection: (any MQTTLink)?
  private var session: DurableSession?
  private var timer: LoopTimer?
  private lazy var random = SeededRandom(seed: self.loop.randomNumber())
  /// Events that occur while actions are executed are handled after these.
  private var waiting = Fifo<BridgeEvent>()
  private var isHandling = false

  /// - Parameter connector: `nil`: libmosquitto connects.
  package init(
    _ settings: BridgeSettings, names: BridgeNames, on loop: EventLoop, log: Log, connector: (any MQTTConnector)? = nil
  ) {
    self.settings = settings
    self.connector = connector ?? MosquittoConnector(settings: settings.mqtt, clientID: names.clientID, loop: loop)
    self.messages = BridgeMessages(settings: settings, names: names)
    self.machine = BridgeMachine(self.messages)
    self.loop = loop
    self.log = log
  }

  package func begin() throws(SystemError) {
    self.timer = try self.loop.timer(accuracy: .milliseconds(100)) { [unowned self] in self.handle(.timeReached) }
    self.handle(.started)
  }

  /// Drops both connections; the MQTT broker publishes the last will. What is not acknowledged comes again.
  package func end() {
    self.connection?.close()
    self.connection = nil
    self.session?.close()
    self.session = nil
    self.timer = nil
  }

  private func handle(_ event: BridgeEvent) {
    self.waiting.append(event)
    guard !self.isHandling else { return }
    self.isHandling = true
    defer { self.isHandling = false }
    while let event = self.waiting.popFirst() {
      let now = WallMoment(instant: self.loop.now, since1970: self.loop.readWallClock())
      let actions = self.machine.handle(event, at: now, jitter: Double.random(in: 0...1, using: &self.random))
      for action in actions { self.perform(action) }
    }
  }

  private func perform(_ action: BridgeAction) {
    switch action {
    case .connect: self.connect()
    case .disconnect:
      self.connection?.close()
      self.connection = nil
    case .publish(let number, let message): self.connection?.publish(message, number: number)
    case .beginSession:
      self.session?.close()
      let position = self.settings.position
      let session = DurableSession(
        position.durable, socket: position.socket, program: "positiond-mqtt",
        purpose: "publishes the position over MQTT", on: self.loop
      ) { [unowned self] event in
        if let event = BridgeEvent(event) { self.handle(event) }
      }
      self.session = session
      session.begin()
      session.register(
        DurableSession.Registration(
          regions: self.settings.regions.compactMap(\.region), position: position.subscription))
    case .endSession:
      self.session?.close()
      self.session = nil
    case .attach(let since):
      self.session?.attach(since: since)
      self.session?.followStatus()
    case .acknowledge(let id): self.session?.acknowledge(through: id)
    case .wait(let until):
      if let until { self.timer?.arm(at: until) } else { self.timer?.disarm() }
    case .log(let level, let message): self.log.write(level, message)
    }
  }

  private func connect() {
    do throws(MQTTFailure) {
      self.connection = try self.connector.connect(lastWill: self.messages.lastWill) { [unowned self] in
        self.handle($0)
      }
    } catch {
      self.handle(.failed(error))
    }
  }
}

extension BridgeEvent {
  /// `nil`: what the bridge does not ask for.
  fileprivate init?(_ event: DurableSession.Event) {
    switch event {
    // What outlives the connection needs `always`.
    case .permitted(let authorization):
      self = .permitted(authorization.state == .always ? authorization.precision : nil)
    case .registered(let lastEvent): self = .registered(lastEvent: lastEvent)
    case .attached(let lastEvent): self = .attached(lastEvent: lastEvent)
    case .happened(let event): self = .happened(event)
    case .failed(let words): self = .sessionFailed(words)
    case .status(let status): self = .status(status)
    case .acknowledged(let id): self = .acknowledged(id)
    case .decided, .streamed: return nil
    }
  }
}

extension BridgeSettings.Position {
  /// What is registered; `nil`: no positions.
  fileprivate var subscription: SubscriptionChange? {
    var change = SubscriptionChange()
    change.accuracy = .level(self.accuracy)
    switch self.mode {
    case .none: return nil
    case .significant:
      change.mode = .significant
      change.significantDistance = self.distance
      change.significantInterval = self.interval
    case .deferred:
      change.mode = .deferred
      change.minDistance = self.distance
      change.minInterval = self.interval
      change.deferredTimeout = self.batch
    }
    return change
  }
}
