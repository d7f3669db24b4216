import EventLoop
import Glibc
import PositionClient
import Positioning
import ProgramArguments

/// positionctl: reads the command line, and runs the command that it names.
package enum PositionControl {
  /// Runs the process's command line, and ends the process.
  package static func runAndExit() -> Never {
    StandardStreams.prepare()
    let process = ProcessEnvironment(
      output: StandardStream(STDOUT_FILENO), errors: StandardStream(STDERR_FILENO),
      environment: PositionControl.environment, hearsSignals: true,
      openTerminal: { () throws(SystemError) in try PersonTerminal.open() }, machine: .own)
    exit(self.run(Array(CommandLine.arguments.dropFirst()), in: process))
  }

  /// Runs a command line.
  ///
  /// - Parameter words: Without the program's name.
  /// - Returns: The exit code.
  package static func run(_ words: [String], in process: ProcessEnvironment) -> Int32 {
    do throws(UsageError) {
      let code = try self.dispatch(words, in: process)
      // Whatever the command was for: who reads its output has not got it.
      guard case .failed(let error)? = process.output.loss else { return code.rawValue }
      process.report("cannot \(error)")
      return ExitCode.failure.rawValue
    } catch {
      process.report(error.message)
      return ExitCode.usage.rawValue
    }
  }

  private static func dispatch(_ words: [String], in process: ProcessEnvironment) throws(UsageError) -> ExitCode {
    var arguments = Arguments()
    var rest = words[...]
    try arguments.readOptions(CommonOptions.all + [StandardOptions.version], from: &rest)
    if arguments.has(StandardOptions.version) { return self.print(["positionctl \(Release.version)"], in: process) }
    // "help get" is the same as "get --help".
    var asksForHelp = arguments.has(StandardOptions.help)
    if rest.first == "help" {
      rest = rest.dropFirst()
      asksForHelp = true
    }
    guard var name = rest.popFirst() else {
      if asksForHelp {
        return self.print(HelpText.overview(self.commands.map(\.description), self.families), in: process)
      }
      let code = try self.run(CommandEntry(StatusCommand.self), arguments, in: process)
      if !arguments.has(CommonOptions.json) { process.report("\"positionctl help\" lists the commands") }
      return code
    }
    if let family = self.families.first(where: { $0.name == name }) {
      do throws(UsageError) {
        try arguments.readOptions(CommonOptions.all, from: &rest)
      } catch {
        throw error.of(name)
      }
      asksForHelp = asksForHelp || arguments.has(StandardOptions.help)
      guard let word = rest.popFirst() else {
        if asksForHelp { return self.print(HelpText.lines(family, self.members(of: family)), in: process) }
        throw UsageError("\(name): missing subcommand; see \"positionctl \(name) --help\"")
      }
      name += " \(word)"
    }
    let command = try self.command(name)
    if asksForHelp { return self.print(HelpText.lines(command.description), in: process) }
    do throws(UsageError) {
      try arguments.readAll(rest, of: command.description)
      if arguments.has(StandardOptions.help) {
        return self.print(HelpText.lines(command.description), in: process)
      }
      return try self.run(command, arguments, in: process)
    } catch {
      throw error.of(name)
    }
  }

  private static func run(
    _ command: CommandEntry, _ arguments: Arguments, in process: ProcessEnvironment
  ) throws(UsageError) -> ExitCode {
    let ready = try command.make(arguments)
    do throws(SystemError) {
      return ready.run(in: try CommandContext(arguments, in: process))
    } catch {
      process.report("\(error)")
      return .failure
    }
  }

  private static func print(_ lines: [String], in process: ProcessEnvironment) -> ExitCode {
    process.print(lines.map { Line($0) })
    return .success
  }

  /// The environment variables that commands use.
  private static var environment: [String: String] {
    var environment: [String: String] = [:]
    for name in ["POSITIOND_SOCKET", "NO_COLOR", "TERM"] { environment[name] = Environment.value(name) }
    return environment
  }
}
