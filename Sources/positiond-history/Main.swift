import ConfigurationTables
import EventLoop
import History
import HistoryRecorder
import PositionClient
import Positioning
import ProgramArguments
import SQLite
import Systemd

/// The recorder's entry: reads the command line and the configuration, then runs until it is stopped.
@main
enum Main {
  private static let configuration = Option(
    "config", .name("FILE", "a file's path"),
    "read this file (and FILE.d/*.conf) instead of ~/.config/\(RecorderSettings.fileName)")

  private static let description = CommandDescription(
    program: "positiond-history", summary: "records where this device was, for the user who runs it",
    explanation: [
      "The user's systemd starts it, once the user enables it; its log shows its state. \"positionctl history\" shows what it "
        + "recorded."
    ],
    options: [Self.configuration, ServiceProgram.check] + ServiceProgram.standardOptions)

  static func main() {
    ServiceProgram.main(self.description) { self.run($0) }
  }

  private static var environment: [String: String] {
    let names = [HistoryFile.variable, "XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"]
    return names.reduce(into: [:]) { $0[$1] = Environment.value($1) }
  }

  private static func run(_ arguments: Arguments) -> Int32 {
    let given = arguments[self.configuration]
    let usual = RecorderSettings.usualPath(self.environment) ?? "/\(RecorderSettings.fileName)"
    let log = Log(.info)
    switch RecorderSettings.load(path: given, installed: usual) {
    case .failure(let errors):
      if arguments.has(ServiceProgram.check) {
        Terminal.error(errors.all.map { "\($0)" })
      } else {
        for error in errors.all { log.write(.error, "\(error)") }
        log.write(.error, "the configuration has errors; positiond-history does not start")
      }
      return ExitCode.configuration
    case .success(let settings):
      guard !arguments.has(ServiceProgram.check) else {
        return Terminal.print(["\(given ?? usual): no errors"])
      }
      return self.run(settings, log: log)
    }
  }

  private static func run(_ settings: RecorderSettings, log: Log) -> Int32 {
    log.threshold = settings.logLevel
    guard let path = HistoryFile.usualPath(self.environment) else {
      log.write(.error, "there is no folder for the history: set HOME or \(HistoryFile.variable)")
      return ExitCode.failure
    }
    do throws(StoreError) {
      let file = try HistoryFile.open(path, creates: true)
      return self.run(settings, file, log: log)
    } catch {
      log.write(.error, "positiond-history cannot run: \(error)")
      return ExitCode.failure
    }
  }

  private static func run(_ settings: RecorderSettings, _ file: HistoryFile, log: Log) -> Int32 {
    do throws(SystemError) {
      let loop = try EventLoop()
      let signals = try ServiceProgram.onStop(of: loop) { loop.stop() }
      let recorder = Recorder(settings, file: file, on: loop, log: log)
      ServiceManager.notify(.ready, status: "connects to positiond")
      try recorder.begin()
      _ = try loop.feedWatchdog()
      _ = try loop.run()
      ServiceManager.notify(.stopping, status: "stopping")
      recorder.end()
      withExtendedLifetime(signals) {}
      return ExitCode.success
    } catch {
      log.write(.error, "positiond-history cannot run: \(error)")
      return ExitCode.failure
    }
  }
}
