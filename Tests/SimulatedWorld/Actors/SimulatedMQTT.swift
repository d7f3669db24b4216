import Configuration
import EventLoop
import MQTTBridge
import Positioning
import Systemd
import WorldSupport

/// An MQTT broker, and one subscriber to everything. It lives as long as the world.
final class SimulatedMQTT {
  private unowned let world: World
  private var random: SeededRandom
  private var links: [Link] = []
  private var isDown = false

  init(in world: World, seed: UInt64) {
    self.world = world
    self.random = SeededRandom(seed: seed)
  }

  func stop() {
    self.isDown = true
    for link in self.links { link.lose() }
    self.links = []
  }

  func start() { self.isDown = false }

  func connect(
    from loop: EventLoop, lastWill: MQTTMessage, _ handler: @escaping (BridgeEvent) -> Void
  ) -> any MQTTLink {
    let link = Link(to: self, from: loop, lastWill, handler)
    self.later { [weak self, weak link] in
      guard let self, let link else { return }
      guard !self.isDown else { return link.lose() }
      self.links.append(link)
      link.give(.connected)
    }
    return link
  }

  private func later(_ work: @escaping () -> Void) {
    let isSlow = Int.random(in: 0..<20, using: &self.random) == 0
    let range: ClosedRange<Int64> = isSlow ? 2000...40_000 : 1...300
    self.world.machine.after(.milliseconds(Int64.random(in: range, using: &self.random)), work)
  }

  private func take(_ message: MQTTMessage) {
    self.world.observe(
      .published(message.topic, String(decoding: message.payload, as: UTF8.self), isKept: message.isRetained))
  }

  /// A connection.
  private final class Link: MQTTLink {
    private unowned let server: SimulatedMQTT
    private weak var loop: EventLoop?
    private let lastWill: MQTTMessage
    private var handler: ((BridgeEvent) -> Void)?
    /// What is on its way; TCP keeps the order.
    private var waiting = Fifo<(message: MQTTMessage, number: Int)>()
    private var unconfirmed = Fifo<Int>()

    init(
      to server: SimulatedMQTT, from loop: EventLoop, _ lastWill: MQTTMessage,
      _ handler: @escaping (BridgeEvent) -> Void
    ) {
      (self.server, self.loop, self.lastWill, self.handler) = (server, loop, lastWill, handler)
    }

    func publish(_ message: MQTTMessage, number: Int) {
      self.waiting.append((message, number))
      self.server.later { [weak self] in
        guard let self, self.handler != nil, let (message, number) = self.waiting.popFirst() else { return }
        self.server.take(message)
        // The confirmation may be lost with the connection.
        self.unconfirmed.append(number)
        self.server.later { [weak self] in
          if let self, let number = self.unconfirmed.popFirst() { self.give(.confirmed(number)) }
        }
      }
    }

    func close() {
      self.handler = nil
      if let place = self.server.links.firstIndex(where: { $0 === self }) {
        self.server.links.remove(at: place)
        self.server.take(self.lastWill)
      }
    }

    /// The MQTT broker is not there any more.
    func lose() {
      self.give(.failed(MQTTFailure("is away")))
      self.handler = nil
    }

    /// In a turn of the bridge's loop.
    func give(_ event: BridgeEvent) {
      guard let handler else { return }
      let delivery = Delivery { handler(event) }
      self.loop?.call { delivery.make() }
    }
  }

  /// `@unchecked Sendable`: the world has one thread.
  private final class Delivery: @unchecked Sendable {
    let make: () -> Void

    init(_ make: @escaping () -> Void) { self.make = make }
  }
}

/// A run of the bridge to MQTT.
final class BridgeProcess {
  private let loop: EventLoop
  private let kernel: MemoryKernel
  private let bridge: Bridge

  init(_ plan: BridgePlan, to server: SimulatedMQTT, in world: World) throws {
    let uid = BridgePlan.uid
    (self.loop, self.kernel) = try world.machine.makeLoop(as: Principal(uid: uid, gid: uid, pid: 4444, groups: [uid]))
    var settings = BridgeSettings()
    settings.device.name = "boat"
    settings.position.socket = DaemonProcess.socket
    settings.regions = plan.regions.map { plan in
      let (latitude, longitude) = Track.degrees(of: plan.center)
      var region = ConfiguredRegion(name: plan.id)
      (region.latitude, region.longitude, region.radius) = (latitude, longitude, plan.radius)
      return region
    }
    let log = Log(.info) { [unowned world] _, _, message in world.observe(.bridgeLogged(message.text)) }
    self.bridge = Bridge(
      settings, names: BridgeNames(settings, host: "boat"), on: self.loop, log: log,
      connector: Connector(server: server, loop: self.loop))
    try self.bridge.begin()
  }

  private struct Connector: MQTTConnector {
    let server: SimulatedMQTT
    let loop: EventLoop

    func connect(
      lastWill: MQTTMessage, handler: @escaping (BridgeEvent) -> Void
    ) throws(MQTTFailure) -> any MQTTLink {
      self.server.connect(from: self.loop, lastWill: lastWill, handler)
    }
  }

  func end() {
    self.bridge.end()
    self.loop.stop()
  }

  func kill() {
    self.kernel.kill()
    self.bridge.end()
  }
}
