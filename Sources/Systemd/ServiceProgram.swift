import EventLoop
import Glibc
import Positioning
package import ProgramArguments

/// What the command lines of the services have in common.
package enum ServiceProgram {
  package static let check = Option(
    flag: "check-config",
    "report errors in the configuration, and stop; exits \(ExitCode.configuration) if there are any")

  /// The options of every service.
  package static let standardOptions: [any CommandOption] = [
    StandardOptions.version,
    Option(flag: StandardOptions.help.name, letter: StandardOptions.help.letter, "print this, and stop"),
  ]

  package static func configuration(installed path: String) -> Option<String> {
    Option("config", .name("FILE", "a file's path"), "read this file (and FILE.d/*.conf) instead of \(path)")
  }

  /// Reads the command line, answers `--help` and `--version`, and otherwise runs the service; exits with its code.
  package static func main(_ description: CommandDescription, run: (Arguments) -> Int32) -> Never {
    StandardStreams.prepare()
    do throws(UsageError) {
      let arguments = try Arguments(CommandLine.arguments.dropFirst(), of: description)
      if arguments.has(StandardOptions.help) {
        exit(Terminal.print(HelpText.lines(description)))
      } else if arguments.has(StandardOptions.version) {
        exit(Terminal.print(["\(description.program) \(Release.version)"]))
      } else {
        exit(run(arguments))
      }
    } catch {
      Terminal.error([error.message, "Try `\(description.program) --help`."])
      exit(ExitCode.usage)
    }
  }
}
