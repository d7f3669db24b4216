import Broker
import Configuration
import EventLoop
import Glibc
import Gpsd
import PositionDaemon
import Positioning
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

  init(in world: World, _ disk: MemoryDisk) throws {
    (self.loop, self.kernel) = try world.machine.makeLoop(as: Principal(uid: 0, gid: 0, pid: 1))
    let log = Log(.info) { [unowned world] _, _, message in world.observe(.logged(message.text)) }
    let settings = Self.settings
    self.daemon = try Daemon(
      settings: settings, on: self.loop,
      in: PositionDaemon.World(
        units: SimulatedUnits(), account: { Self.account($0) }, subordinates: { SubordinateNumbers([]) },
        notify: { _, _ in }, log: log, disk: disk, configuration: { .success(settings) }))
    try self.daemon.begin()
  }

  private static var settings: Settings {
    var settings = Settings()
    settings.broker.access.fallback = .allow
    settings.broker.power.linger = .seconds(60)
    settings.socket.path = Self.socket
    settings.doors.gpsdSocket = Self.gpsdSocket
    settings.doors.nmeaSocket = Self.sentenceSocket
    settings.gpsd.port = Int(SimulatedGpsd.port)
    settings.store = "/var/lib/positiond/positiond.db"
    return settings
  }

  /// Whether it has ended by itself.
  var hasEnded: Bool { self.loop.isStopped }

  func end() { self.kernel.send(SIGTERM) }

  func kill() { self.kernel.kill() }

  private static func account(_ query: AccountQuery) -> AccountLookup<Account> {
    switch query {
    case .name(let uid), .user(let uid), .client(let uid, _):
      .found(Account(number: uid, name: uid == 0 ? "root" : "user\(uid)", groups: [uid]))
    case .userNumber, .groupNumber: .absent
    }
  }
}

/// Units that start at once, and are never at work.
private final class SimulatedUnits: Units {
  func start(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void) { completion(.success(())) }

  func run(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void) { completion(.success(())) }

  func ask(_ unit: String, completion: @escaping (Result<Bool, UnitQuestionError>) -> Void) {
    completion(.success(false))
  }

  func gapEnded(_ gap: Duration) {}
}
