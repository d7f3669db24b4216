import Configuration
import EventLoop
import PositionDaemon
import Positioning
import ProgramArguments
import Systemd

/// The daemon's entry: reads the command line and the configuration, then runs until it is stopped.
///
/// It is synchronous on purpose: the loop owns this thread, and signals are blocked before any other can start.
@main
enum Main {
  private static let configuration = ServiceProgram.configuration(installed: ConfigurationFiles.installedPath)
  private static let startReceiver = Option(
    flag: "start-receiver",
    "start the receiver if a positiond stopped it and could not start it again, and stop; for the package's removal")

  private static let description = CommandDescription(
    program: "positiond", summary: "the location service of this device",
    explanation: ["systemd starts it; \"positionctl status\" shows its state."],
    options: [Self.configuration, ServiceProgram.check, Self.startReceiver] + ServiceProgram.standardOptions)

  static func main() {
    ServiceProgram.main(self.description) { arguments in
      let path = arguments[self.configuration]
      if arguments.has(ServiceProgram.check) { return self.check(path) }
      return self.run(path, startsReceiver: arguments.has(self.startReceiver))
    }
  }

  /// Prints the errors of the configuration, or that there are none.
  private static func check(_ path: String?) -> Int32 {
    switch Settings.load(path: path) {
    case .failure(let errors):
      Terminal.error(errors.all.map { "\($0)" })
      return ExitCode.configuration
    case .success:
      return Terminal.print(["\(path ?? ConfigurationFiles.installedPath): no errors"])
    }
  }

  /// Serves, or only starts the receiver.
  private static func run(_ path: String?, startsReceiver: Bool) -> Int32 {
    let log = Log(.info)
    let settings: Settings
    switch Settings.load(path: path) {
    case .failure(let errors):
      for error in errors.all { log.write(.configurationError, "\(error)") }
      log.write(.configurationError, "the configuration has errors; positiond does not start")
      return ExitCode.configuration
    case .success(let loaded): settings = loaded
    }
    do {
      // A signal that arrives during the start waits until the start is complete.
      if !startsReceiver { for number in Daemon.signals { try EventLoop.blockSignal(number) } }
      let loop = try EventLoop()
      let world = try World.system(on: loop, log: log, configuration: path)
      if startsReceiver { return try ReceiverStart.run(settings, on: loop, in: world) }
      return try Daemon(settings: settings, on: loop, in: world).run()
    } catch {
      log.write(.startFailed, "positiond cannot run: \(error)")
      return ExitCode.failure
    }
  }
}
