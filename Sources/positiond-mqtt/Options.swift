import MQTTBridge
import ProgramArguments
import Systemd

/// The options of the command line.
enum Options {
  static let configuration = ServiceProgram.configuration(installed: BridgeSettings.installedPath)

  static let description = CommandDescription(
    program: "positiond-mqtt", summary: "publishes the position of this device over MQTT",
    explanation: ["systemd starts it, once it is enabled; its log shows its state."],
    options: [Self.configuration, ServiceProgram.check] + ServiceProgram.standardOptions)
}
