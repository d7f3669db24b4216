import EventLoop
import GeoClue
import Glibc
import PositionClient
import Positioning
import Printable
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
    options: [
      StandardOptions.version,
      Option(flag: StandardOptions.help.name, letter: StandardOptions.help.letter, "print this, and stop"),
    ])

  static func main() {
    do throws(UsageError) {
      exit(self.run(try Arguments(CommandLine.arguments.dropFirst(), of: self.description)))
    } catch {
      print(error.message.printable)
      exit(2)
    }
  }

  private static func run(_ arguments: Arguments) -> Int32 {
    if arguments.has(StandardOptions.help) {
      for line in HelpText.lines(self.description) { print(line) }
      return 0
    }
    if arguments.has(StandardOptions.version) {
      print("positiond-geoclue \(Release.version)")
      return 0
    }
    signal(SIGPIPE, SIG_IGN)
    let log = Log(.info)
    do throws(SystemError) {
      return try self.serve(log)
    } catch {
      log.write(.startFailed, "positiond-geoclue cannot run: \(error)")
      return 1
    }
  }

  private static func serve(_ log: Log) throws(SystemError) -> Int32 {
    for number in [SIGTERM, SIGINT] { try EventLoop.blockSignal(number) }
    let loop = try EventLoop()
    let socket = SocketPath.resolved(
      nil,
      environment: Environment.value(SocketPath.variable).map {
        [SocketPath.variable: $0]
      } ?? [:])
    let signals = try [SIGTERM, SIGINT].map { number throws(SystemError) in
      try loop.onSignal(number) {
        log.write(.stopping, "positiond-geoclue stops")
        ServiceManager.notify(.stopping, status: "stopping")
        loop.stop(code: 0)
      }
    }
    let bridge = try Bridge(on: loop, bus: BusConnection.systemBus, socket: socket, log: log) { reason in
      log.write(.startFailed, "positiond-geoclue ends: \(reason)")
      loop.stop(code: 1)
    }
    let code = try loop.run()
    return withExtendedLifetime((bridge, signals)) { code }
  }
}
