import ConfigurationTables
import EventLoop
import Glibc
import MQTTBridge
import Positioning
import ProgramArguments
import Systemd

/// The bridge's entry: reads the command line and the configuration, then runs until it is stopped.
@main
enum Main {
  private static let configuration = ServiceProgram.configuration(installed: BridgeSettings.installedPath)

  private static let description = CommandDescription(
    program: "positiond-mqtt", summary: "publishes the position of this device over MQTT",
    explanation: ["systemd starts it, once it is enabled; its log shows its state."],
    options: [Self.configuration, ServiceProgram.check] + ServiceProgram.standardOptions)

  static func main() {
    ServiceProgram.main(self.description) { self.run($0) }
  }

  private static func run(_ arguments: Arguments) -> Int32 {
    let path = arguments[self.configuration]
    let log = Log(.info)
    switch BridgeSettings.load(path: path, installed: BridgeSettings.installedPath) {
    case .failure(let errors):
      if arguments.has(ServiceProgram.check) {
        Terminal.error(errors.all.map { "\($0)" })
      } else {
        for error in errors.all { log.write(.error, "\(error)") }
        log.write(.error, "the configuration has errors; positiond-mqtt does not start")
      }
      return ExitCode.configuration
    case .success(let settings):
      guard !arguments.has(ServiceProgram.check) else {
        return Terminal.print(["\(path ?? BridgeSettings.installedPath): no errors"])
      }
      return self.run(settings, log: log)
    }
  }

  private static func run(_ settings: BridgeSettings, log: Log) -> Int32 {
    log.threshold = settings.logLevel
    do throws(SystemError) {
      let loop = try EventLoop()
      let signals = try ServiceProgram.onStop(of: loop) { loop.stop() }
      let names = BridgeNames(settings, host: self.hostName)
      let bridge = Bridge(settings, names: names, on: loop, log: log)
      try bridge.begin()
      _ = try loop.feedWatchdog()
      ServiceManager.notify(.ready, status: "publishes the position of \(names.device) over MQTT")
      log.write(.info, "publishes the position of \(names.device) over MQTT")
      _ = try loop.run()
      ServiceManager.notify(.stopping, status: "stopping")
      bridge.end()
      withExtendedLifetime(signals) {}
      return ExitCode.success
    } catch {
      log.write(.error, "positiond-mqtt cannot run: \(error)")
      return ExitCode.failure
    }
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
