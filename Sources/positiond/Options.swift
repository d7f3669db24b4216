import Configuration
import ProgramArguments
import Systemd

/// The options of the command line.
enum Options {
  static let configuration = ServiceProgram.configuration(installed: ConfigurationFiles.installedPath)
  static let startReceiver = Option(
    flag: "start-receiver",
    "start the receiver if a positiond stopped it and could not start it again, and stop; for the package's removal")

  static let description = CommandDescription(
    program: "positiond", summary: "the location service of this device",
    explanation: ["systemd starts it; \"positionctl status\" shows its state."],
    options: [Self.configuration, ServiceProgram.check, Self.startReceiver] + ServiceProgram.standardOptions)
}
