package import EventLoop
import Glibc
import Positioning
import Printable
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

  /// Calls the handler when systemd or a person stops the service. Must be called before another thread starts, which would
  /// get the signals.
  ///
  /// - Returns: The watches, which end when they are released.
  package static func onStop(of loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) -> [ProcessWatch]
  {
    try [SIGTERM, SIGINT].map { number throws(SystemError) in
      try EventLoop.blockSignal(number)
      return try loop.onSignal(number, handler: handler)
    }
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

/// Lines for a person who started a service by hand, with escaped foreign text.
package enum Terminal {
  /// Prints lines on standard output.
  ///
  /// - Returns: The exit code: a failure, which is reported, if lines are lost; not if the reader wants no more.
  package static func print(_ lines: [some StringProtocol]) -> Int32 {
    do throws(SystemError) {
      try self.write(lines, to: STDOUT_FILENO)
    } catch {
      guard error.code != EPIPE else { return ExitCode.success }
      self.error(["cannot \(error)"])
      return ExitCode.failure
    }
    return ExitCode.success
  }

  package static func error(_ lines: [some StringProtocol]) {
    // A failure to write an error cannot be reported.
    do throws(SystemError) { try self.write(lines, to: STDERR_FILENO) } catch {}
  }

  private static func write(_ lines: [some StringProtocol], to descriptor: Int32) throws(SystemError) {
    try StandardStreams.write(lines.map { "\(String($0).printable)\n" }.joined(), to: descriptor)
  }
}

/// The exit statuses of the services.
package enum ExitCode {
  package static let success: Int32 = 0
  package static let failure: Int32 = 1
  package static let usage: Int32 = 2
  /// EX_NOPERM of sysexits.h: no rule lets the program do what it is for.
  package static let notPermitted: Int32 = 77
  /// EX_CONFIG of sysexits.h: the unit file makes systemd start nothing again after it.
  package static let configuration: Int32 = 78
}
