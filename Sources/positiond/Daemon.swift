import Broker
import Configuration
import EventLoop
import Glibc
import Gpsd
import PositionProtocol
import Positioning
import Receiver
import Server
import Systemd

/// The wiring: every part made, joined to the others, and run on one loop.
final class Daemon {
  static let version = "0.1.0"

  private let loop: EventLoop
  private let ports: Ports
  private let broker: Broker
  private let server: PositionServer
  private let receiver: ReceiverController
  private let log: Log
  private let configurationPath: String?
  private var settings: Settings
  private let began: Instant
  private var signals: [SignalWatch] = []

  init(settings: Settings, configurationPath: String?) throws {
    self.settings = settings
    self.configurationPath = configurationPath
    self.log = Log(Log.Level(settings.log.level))
    try OpenFiles.raise(forClients: settings.limits.maximumClients)
    let loop = try EventLoop()
    self.loop = loop
    self.began = EventLoop.readClock()
    let ports = Ports(log: self.log)
    self.ports = ports
    let broker = Broker(settings: settings.broker, now: self.began, executor: loop, ports: ports)
    self.broker = broker
    let log = self.log
    self.server = PositionServer(
      loop: loop, broker: broker, daemon: settings.daemonFacts(began: self.began), log: { log.write(Log.Level($0), $1) }
    )
    self.receiver = try ReceiverController(
      loop: loop, gpsd: settings.gpsdSession, jitterSeed: UInt64.random(in: 0...UInt64.max),
      emit: { event in
        let now = loop.now
        broker.assumeIsolated { $0.handle(.receiver(event), now: now) }
      }, log: { log.write(Log.Level($0), $1) })
    let timer = try loop.timer(accuracy: .milliseconds(1)) {
      let now = loop.now
      broker.assumeIsolated { $0.handle(.deadlineReached, now: now) }
    }
    ports.connect(server: self.server, receiver: self.receiver, timer: timer)
  }

  /// Serves until a signal ends it; returns what the process exits with.
  func run() throws -> Int32 {
    for number in [SIGTERM, SIGINT] {
      self.signals.append(try self.loop.onSignal(number) { [unowned self] in self.stop() })
    }
    self.signals.append(try self.loop.onSignal(SIGHUP) { [unowned self] in self.reload() })
    for listener in try self.listeners() { try self.server.serve(on: listener) }
    _ = try self.loop.feedWatchdog()
    ServiceManager.notify(.ready, status: "idle: nobody needs the receiver")
    self.log.write(.info, "positiond \(Self.version) serves")
    return try self.loop.run()
  }

  /// The sockets that systemd passed in, or the configured one.
  private func listeners() throws -> [UnixListener] {
    let passed = try ServiceManager.passedSockets()
    guard passed.isEmpty else {
      for socket in passed where socket.name != "rpc" {
        self.log.write(.warning, "the socket \(socket.name) that systemd passed in is not known, ignoring it")
      }
      return passed.filter { $0.name == "rpc" }.map(\.listener)
    }
    return [
      try UnixSocket.listen(path: self.settings.server.socket, mode: self.settings.server.socketMode, backlog: 128)
    ]
  }

  // MARK: Signals

  /// Answers what is pending, tells every client, releases the receiver, and ends once all is written.
  private func stop() {
    ServiceManager.notify(.stopping, status: "stopping")
    self.log.write(.info, "stopping")
    let now = self.loop.now
    self.broker.assumeIsolated { $0.handle(.stopping, now: now) }
    self.server.stop(reason: .shuttingDown) { [unowned self] in self.loop.stop() }
  }

  /// Reads the configuration again; a bad one keeps the old settings.
  private func reload() {
    ServiceManager.notify(.reloading, status: "reading the configuration")
    defer { ServiceManager.notify(.ready, status: nil) }
    switch Settings.load(path: self.configurationPath) {
    case .failure(let errors):
      self.log.write(.error, "the configuration has errors, keeping the old one:\n\(errors)")
    case .success(let new):
      let reload = self.settings.reloaded(with: new)
      for change in reload.changes { self.log.write(.notice, "\(change)") }
      if reload.changes.isEmpty { self.log.write(.info, "the configuration is unchanged") }
      self.settings = reload.settings
      self.log.threshold = Log.Level(reload.settings.log.level)
      self.server.change(reload.settings.daemonFacts(began: self.began))
      let (settings, now) = (reload.settings.broker, self.loop.now)
      self.broker.assumeIsolated { $0.handle(.settingsChanged(settings), now: now) }
    }
  }
}
