import Broker
import Configuration
import EventLoop
import Glibc
import Gpsd
import PositionDaemon
import Positioning
import Receiver
import Server
import Systemd
import WorldSupport

/// A run of the daemon: its loop, its kernel and the daemon itself.
final class DaemonProcess {
  static let socket = "/run/positiond/positiond.sock"
  static let gpsdSocket = "/run/positiond/gpsd.sock"
  static let sentenceSocket = "/run/positiond/nmea.sock"

  let loop: EventLoop
  let kernel: MemoryKernel
  private let daemon: Daemon

  init(in world: World, _ disk: MemoryDisk, _ systemd: SimulatedSystemd) throws {
    (self.loop, self.kernel) = try world.machine.makeLoop(as: Principal(uid: 0, gid: 0, pid: 1))
    let log = Log(.info) { [unowned world] _, _, message in world.observe(.logged(message.text)) }
    let settings = Self.settings(in: world)
    let accounts = world.accounts
    self.daemon = try Daemon(
      settings: settings, on: self.loop,
      in: PositionDaemon.World(
        units: SimulatedUnits(systemd, on: self.loop), account: { accounts.answer($0) },
        subordinates: { SubordinateNumbers(Script.subordinateNumbers.utf8) },
        notify: { _, _ in }, log: log, disk: disk,
        configuration: { [unowned world] in .success(Self.settings(in: world)) },
        clockError: { [unowned world] in world.clockError }))
    try self.daemon.begin()
  }

  private static func settings(in world: World) -> Settings {
    let script = world.script
    var settings = Settings()
    if let clients = script.limits.clients { settings.server.maxClients = clients }
    if let clients = script.limits.clientsOfUser { settings.server.maxClientsPerUser = clients }
    if let bytes = script.limits.outbound { settings.server.maxOutbound = bytes }
    if let events = script.limits.inboxEvents { settings.broker.inbox.events = events }
    if let unstored = script.limits.unstored { settings.broker.maxUnstored = unstored }
    settings.broker.access.fallback = script.asksPersons ? .ask : .allow
    settings.rules = world.rules
    settings.broker.power.linger = .seconds(60)
    settings.socket.path = Self.socket
    settings.doors.gpsdSocket = Self.gpsdSocket
    settings.doors.nmeaSocket = Self.sentenceSocket
    switch script.rung {
    case .watch: settings.power.rung = .watch
    case .ublox: settings.power.rung = .ublox
    case .mediaTek: settings.power.rung = .mtk
    case .unit:
      settings.power.rung = .unit
      settings.power.offUnit = SimulatedSystemd.offUnit
      settings.power.onUnit = SimulatedSystemd.onUnit
    }
    settings.gpsd.port = Int(SimulatedGpsd.port)
    if script.speech?.neighbor == .unwanted { settings.gpsd.device = SimulatedGpsd.configuredDevice }
    settings.store = "/var/lib/positiond/positiond.db"
    return settings
  }

  /// Whether it has ended by itself.
  var hasEnded: Bool { self.loop.isStopped }

  func end() { self.kernel.send(SIGTERM) }

  func kill() { self.kernel.kill() }

  func reload() { self.kernel.send(SIGHUP) }
}

/// The users of the machine, whom an administrator renames and deletes.
///
/// `@unchecked Sendable`: the world has one thread.
final class SimulatedAccounts: @unchecked Sendable {
  private static let names: [UInt32: String] = [0: "root", 1: "daemon", 65_534: "nobody"]
  /// The numbers that belong to another user than at the beginning.
  var renamed: Set<UInt32> = []
  /// The numbers that have no user.
  var deleted: Set<UInt32> = []

  /// Subordinate numbers have no user.
  private func isThere(_ uid: UInt32) -> Bool {
    !self.deleted.contains(uid) && !Script.subordinateRange.contains(uid)
  }

  private func name(of uid: UInt32) -> String {
    Self.names[uid] ?? "\(self.renamed.contains(uid) ? "heir" : "user")\(uid)"
  }

  private func account(of uid: UInt32) -> AccountLookup<Account> {
    self.isThere(uid) ? .found(Account(number: uid, name: self.name(of: uid), groups: [uid])) : .absent
  }

  private func account(named name: String) -> AccountLookup<Account> {
    guard let uid = UInt32(name.dropFirst("user".count)), self.isThere(uid), self.name(of: uid) == name else {
      return .absent
    }
    return self.account(of: uid)
  }

  func answer(_ query: AccountQuery) -> AccountLookup<Account> {
    switch query {
    case .name(let uid), .user(let uid): self.account(of: uid)
    case .client(let uid, let owners):
      self.isThere(uid) ? self.account(of: uid) : owners.first.map { self.account(named: $0) } ?? .absent
    case .userNumber(let name): self.account(named: name)
    case .groupNumber: .absent
    }
  }
}
