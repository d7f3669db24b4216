import Broker
import Configuration
import EventLoop
import Gpsd
import PositionDaemon
import Positioning
import Systemd
import WorldSupport

/// The whole daemon on a machine in memory, with its own loop and disk.
final class WholeDaemon {
  static let socket = "/run/positiond/positiond.sock"

  let loop: EventLoop
  let kernel: MemoryKernel
  let record = Record()
  private(set) var daemon: Daemon?

  /// What it logged, and what it said to the service manager.
  final class Record {
    var log: [String] = []
    var notices: [String] = []
    var units: [String] = []
  }

  /// Starts it, so that it serves.
  init(
    on machine: MemoryMachine, _ disk: MemoryDisk, settings: Settings = WholeDaemon.settings()
  ) throws {
    (self.loop, self.kernel) = try machine.makeLoop(as: Principal(uid: 0, gid: 0, pid: 1))
    let record = self.record
    let log = Log(.info) { _, _, message in record.log.append(message.text) }
    let world = World(
      units: MemoryUnits(record), account: { Self.account($0) }, subordinates: { SubordinateNumbers([]) },
      notify: { state, status in record.notices.append("\(state.map { "\($0): " } ?? "")\(status)") }, log: log,
      disk: disk, configuration: { .success(settings) })
    let daemon = try Daemon(settings: settings, on: self.loop, in: world)
    try daemon.begin()
    self.daemon = daemon
  }

  /// Settings that grant everything to everybody.
  static func settings(socket: String = WholeDaemon.socket, gpsd port: Int = 2947) -> Settings {
    var settings = Settings()
    settings.broker.access.fallback = .allow
    settings.socket.path = socket
    settings.gpsd.port = port
    settings.store = "/var/lib/positiond/positiond.db"
    return settings
  }

  /// It is gone at once, as after SIGKILL.
  func kill() {
    self.kernel.kill()
    self.daemon = nil
  }

  private static func account(_ query: AccountQuery) -> AccountLookup<Account> {
    switch query {
    case .name(let uid), .user(let uid), .client(let uid, _):
      .found(Account(number: uid, name: "user\(uid)", groups: [uid]))
    case .userNumber, .groupNumber: .absent
    }
  }
}

/// Units that start at once, and are never at work.
private final class MemoryUnits: Units {
  private let record: WholeDaemon.Record

  init(_ record: WholeDaemon.Record) { self.record = record }

  func start(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void) {
    self.record.units.append(unit)
    completion(.success(()))
  }

  func run(_ unit: String, completion: @escaping (Result<Void, UnitStartError>) -> Void) {
    self.start(unit, completion: completion)
  }

  func ask(_ unit: String, completion: @escaping (Result<Bool, UnitQuestionError>) -> Void) {
    completion(.success(false))
  }

  func gapEnded(_ gap: Duration) {}
}
