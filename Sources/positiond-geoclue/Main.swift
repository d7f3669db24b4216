import EventLoop
import GeoClue
import Glibc
import PositionClient
import Positioning
import ProgramArguments
import Systemd

/// The entry: offers GeoClue's interface on the system bus until it is stopped.
@main
enum Main {
  private static let description = CommandDescription(
    program: "positiond-geoclue", summary: "GeoClue's D-Bus interface, with positions from positiond",
    explanation: [
      "systemd starts it. It takes the name \(Bridge.busName) on the system bus, of which only one program can be the owner.",
      "DBUS_SYSTEM_BUS_ADDRESS names another bus, and \(SocketPath.variable) another socket of positiond.",
    ],
    options: ServiceProgram.standardOptions)

  static func main() {
    ServiceProgram.main(self.description) { _ in self.run() }
  }

  private static func run() -> Int32 {
    let log = Log(.info)
    do throws(SystemError) {
      return try self.serve(log)
    } catch {
      log.write(.startFailed, "positiond-geoclue cannot run: \(error)")
      return ExitCode.failure
    }
  }

  private static func serve(_ log: Log) throws(SystemError) -> Int32 {
    let loop = try EventLoop()
    let socket = SocketPath.resolved(
      nil, environment: Environment.value(SocketPath.variable).map { [SocketPath.variable: $0] } ?? [:])
    let signals = try ServiceProgram.onStop(of: loop) {
      log.write(.stopping, "positiond-geoclue stops")
      ServiceManager.notify(.stopping, status: "stopping")
      loop.stop(code: ExitCode.success)
    }
    let bus = try BusConnection(to: BusConnection.systemBus, on: loop)
    let bridge = try Bridge(on: loop, bus: bus, socket: socket, log: log) { state in
      switch state {
      case .serving: ServiceManager.notify(.ready, status: "serving \(Bridge.busName)")
      case .failed(let reason):
        log.write(.startFailed, "positiond-geoclue ends: \(reason)")
        loop.stop(code: ExitCode.failure)
      }
    }
    let code = try loop.run()
    return withExtendedLifetime((bridge, signals)) { code }
  }
}
