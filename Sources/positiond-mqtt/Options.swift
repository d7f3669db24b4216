import MQTTBridge
import ProgramArguments
import Systemd

/// The options of the command line.
enum Options {
  static let configuration = Option(
    "config", .name("FILE", "a file's path"),
    "read this file (and FILE.d/*.conf) instead of \(BridgeSettings.installedPath)")
  static let check = Option(
    flag: "check-config",
    "say what is wrong with the configuration, and stop; exits \(ExitCode.configuration) if anything is")

  static let description = CommandDescription(
    program: "positiond-mqtt", summary: "publishes the position of this device over MQTT",
    explanation: ["systemd starts it, once it is enabled; its log says how it does."],
    options: [
      Self.configuration, Self.check, StandardOptions.version,
      Option(flag: StandardOptions.help.name, letter: StandardOptions.help.letter, "print this, and stop"),
    ])
}
