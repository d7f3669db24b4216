import DesktopPrompts
import EventLoop
import Glibc
import PositionClient
import Positioning
import ProgramArguments
import Systemd

/// The entry: shows prompts on the desktop until it is stopped.
@main
enum Main {
  private static let description = CommandDescription(
    program: "positiond-desktop", summary: "asks the person at this desktop whether programs may know the position",
    explanation: [
      "systemd starts it in the user's session. It shows positiond's prompts by the portal's dialog, or by a notification.",
      "A rule in positiond.conf must allow this user to be an agent, with agent=yes.",
      "DBUS_SESSION_BUS_ADDRESS names the bus, XDG_CURRENT_DESKTOP the desktop, and \(SocketPath.variable) another socket "
        + "of positiond.",
    ],
    options: ServiceProgram.standardOptions)

  static func main() {
    ServiceProgram.main(self.description) { _ in self.run() }
  }

  private static func run() -> Int32 {
    let log = Log(.info)
    guard let address = BusConnection.sessionBus else {
      log.write(.error, "positiond-desktop cannot run: DBUS_SESSION_BUS_ADDRESS and XDG_RUNTIME_DIR are not set")
      return ExitCode.failure
    }
    do throws(SystemError) {
      return try self.serve(bus: address, log)
    } catch {
      log.write(.error, "positiond-desktop cannot run: \(error)")
      return ExitCode.failure
    }
  }

  private static func serve(bus address: String, _ log: Log) throws(SystemError) -> Int32 {
    let loop = try EventLoop()
    let socket = SocketPath.resolved(
      nil, environment: Environment.value(SocketPath.variable).map { [SocketPath.variable: $0] } ?? [:])
    let desktops = (Environment.value("XDG_CURRENT_DESKTOP") ?? "").split(separator: ":").map { String($0) }
    let signals = try ServiceProgram.onStop(of: loop) { loop.stop(code: ExitCode.success) }
    let agent = try DesktopAgent(on: loop, bus: address, desktops: desktops, socket: socket, log: log) { reason, code in
      log.write(.error, "positiond-desktop ends: \(reason)")
      loop.stop(code: code)
    }
    ServiceManager.notify(.ready, status: "shows prompts on the desktop")
    let code = try loop.run()
    ServiceManager.notify(.stopping, status: "stopping")
    agent.end()
    return withExtendedLifetime(signals) { code }
  }
}
