import Configuration
import ProgramArguments
import Systemd

/// The options of the command line.
enum Options {
  static let configuration = Option(
    "config", .name("FILE", "a file's path"),
    "read this file (and FILE.d/*.conf) instead of \(ConfigurationFiles.installedPath)")
  static let check = Option(
    flag: "check-config",
    "say what is wrong with the configuration, and stop; exits \(ExitCode.configuration) if anything is")

  static let startReceiver = Option(
    flag: "start-receiver",
    "start the receiver if a positiond stopped it and could not start it again, and stop; for the package's removal")

  static let description = CommandDescription(
    program: "positiond", summary: "the location service of this device",
    explanation: ["systemd starts it; \"positionctl status\" says how it does."],
    options: [
      Self.configuration, Self.check, Self.startReceiver, StandardOptions.version,
      Option(flag: StandardOptions.help.name, letter: StandardOptions.help.letter, "print this, and stop"),
    ])
}
