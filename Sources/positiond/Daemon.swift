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
  /// Those that it hears.
  static let signals = endSignals + [reloadSignal]
  private static let endSignals = [SIGTERM, SIGINT]
  private static let reloadSignal = SIGHUP

  private let loop: EventLoop
  private let ports: Ports
  private let broker: Broker
  private let server: PositionServer
  private let receiver: ReceiverController
  private let keeping: Keeping
  private let inUse: InUseFile
  private let log: Log
  private let configurationPath: String?
  private var settings: Settings
  private let began: Instant
  private var watches: [SignalWatch] = []
  private var isStopping = false

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
    let (keeping, stored) = Keeping.open(settings.store.path, on: loop, now: self.began, log: self.log)
    self.keeping = keeping
    let broker = Broker(settings: settings.broker, stored: stored, now: self.began, executor: loop, ports: ports)
    self.broker = broker
    let log = self.log
    let write: (LogLevel, String) -> Void = { log.write(Log.Level($0), $1) }
    let tell: (BrokerEvent) -> Void = { event in
      let now = loop.now
      broker.assumeIsolated { $0.handle(event, now: now) }
    }
    self.server = PositionServer(
      loop: loop, tell: tell, daemon: settings.daemonFacts(began: self.began), log: write)
    self.inUse = InUseFile(beside: settings.server.socket, log: write)
    self.receiver = try ReceiverController(
      loop: loop, gpsd: settings.gpsdSession, jitterSeed: UInt64.random(in: 0...UInt64.max),
      emit: { tell(.receiver($0)) }, log: write)
    ports.connect(
      Ports.Parts(
        server: self.server, receiver: self.receiver,
        timer: try loop.timer(accuracy: .milliseconds(1)) { tell(.deadlineReached) }, keeping: keeping,
        starter: try UnitStarter(loop: loop), inUse: self.inUse, tell: tell))
    keeping.tellTrouble { tell(.storeChanged(trouble: $0)) }
  }

  /// Serves until a signal ends it; returns what the process exits with.
  func run() throws -> Int32 {
    for number in Self.endSignals {
      self.watches.append(try self.loop.onSignal(number) { [unowned self] in self.stop() })
    }
    self.watches.append(try self.loop.onSignal(Self.reloadSignal) { [unowned self] in self.reload() })
    for listener in try Listeners.open(self.settings.server, log: self.log) { try self.server.serve(on: listener) }
    self.inUse.begin()
    defer { self.inUse.end() }
    _ = try self.loop.feedWatchdog()
    ServiceManager.notify(.ready, status: self.ports.statusLine)
    self.log.write(.info, "positiond \(Release.version) serves")
    return try self.loop.run()
  }

  // MARK: Signals

  /// Answers what is pending, has the disk take what must last, tells every client, releases the receiver, and ends once
  /// all is written. Who asks again does not want to wait for a client that reads nothing.
  private func stop() {
    guard !self.isStopping else { return self.loop.stop() }
    self.isStopping = true
    ServiceManager.notify(.stopping, status: "stopping")
    self.log.write(.info, "stopping")
    let now = self.loop.now
    self.broker.assumeIsolated { $0.handle(.stopping, now: now) }
    // Answers that wait for the disk are among those that are written.
    self.keeping.close()
    self.server.stop(reason: .shuttingDown) { [unowned self] in self.loop.stop() }
  }

  /// Reads the configuration again; a bad one keeps the old settings.
  private func reload() {
    guard !self.isStopping else { return }
    ServiceManager.notify(
      .reloading(since: ServiceManager.monotonicMicroseconds), status: "reading the configuration")
    switch Settings.load(path: self.configurationPath) {
    case .failure(let errors):
      for error in errors.all { self.log.write(.error, "\(error)") }
      self.log.write(.error, "the configuration has errors, keeping the old one")
    case .success(let new): self.take(self.settings.reloaded(with: new))
    }
    ServiceManager.notify(.ready, status: self.ports.statusLine)
  }

  private func take(_ reload: SettingsReload) {
    var settings = reload.settings
    // What changed is told to whoever listens before or after.
    let level = Log.Level(settings.log.level)
    self.log.threshold = max(self.log.threshold, level)
    for change in reload.changes { self.log.write(.notice, "\(change)") }
    if reload.changes.isEmpty { self.log.write(.info, "the configuration is unchanged") }
    do throws(OpenFiles.TooFew) {
      try OpenFiles.raise(forClients: settings.limits.maximumClients)
    } catch {
      settings.limits.maximumClients = self.settings.limits.maximumClients
      self.log.write(.error, "\(error); keeping max-clients=\(settings.limits.maximumClients)")
    }
    self.log.threshold = level
    self.settings = settings
    self.server.change(settings.daemonFacts(began: self.began))
    let (broker, now) = (settings.broker, self.loop.now)
    self.broker.assumeIsolated { $0.handle(.settingsChanged(broker), now: now) }
  }
}
