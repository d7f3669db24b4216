import EventLoop
import Glibc
import History
import PositionClient
import Positioning
import Printable
import ProgramArguments

/// positionctl: reads the command line, and runs the command that it names.
package enum PositionControl {
  /// Runs the process's command line, and ends the process.
  package static func runAndExit() -> Never {
    StandardStreams.prepare()
    var process = ProcessEnvironment(
      output: StandardStream(STDOUT_FILENO), errors: StandardStream(STDERR_FILENO),
      environment: PositionControl.environment, handlesSignals: true,
      openTerminal: { () throws(SystemError) in try PersonTerminal.open() }, screen: STDOUT_FILENO, machine: .own)
    process.isUnicode = process.environment.isUnicode
    process.isRoot = geteuid() == 0
    exit(self.run(Array(CommandLine.arguments.dropFirst()), in: process))
  }

  /// Runs a command line.
  ///
  /// - Parameter words: Without the program's name.
  /// - Returns: The exit code.
  static func run(_ words: [String], in process: ProcessEnvironment) -> Int32 {
    do throws(UsageError) {
      let code = try self.dispatch(words, in: process)
      // The reader lacks a part of the output, so the command has failed, whatever else it did.
      guard case .failed(let error)? = process.output.loss else { return code.rawValue }
      process.report("cannot \(error)")
      return ExitCode.failure.rawValue
    } catch {
      // The command line is wrong somewhere, so this looks only for the word.
      if words.contains("--\(CommonOptions.json.name)") {
        process.report(ErrorObject(name: "usage", message: error.message))
      } else {
        process.report(error.message)
      }
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
        return self.print(HelpText.overview(), in: process)
      }
      let code = try self.run(StatusCommand.self, arguments, in: process)
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
    _ command: any Command.Type, _ arguments: Arguments, in process: ProcessEnvironment
  ) throws(UsageError) -> ExitCode {
    let ready = try command.init(arguments)
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
    let names = [
      "POSITIOND_SOCKET", "NO_COLOR", "TERM", "COLUMNS", "LINES", "LC_ALL", "LC_CTYPE", "LANG", "XDG_CONFIG_HOME",
      "HOME", "XDG_STATE_HOME", HistoryFile.variable, DisplaySettings.unitsVariable,
      DisplaySettings.coordinatesVariable,
    ]
    for name in names { environment[name] = Environment.value(name) }
    return environment
  }
}

extension PositionControl {
  /// In the order of the overview; those of a family are adjacent.
  static let commands: [any Command.Type] = [
    GetCommand.self, LastCommand.self, WatchCommand.self, TrackCommand.self, HeadingCommand.self, SkyCommand.self,
    TimeCommand.self,
    RegionAddCommand.self, RegionRemoveCommand.self, RegionListCommand.self, RegionWatchCommand.self,
    DurableListCommand.self, DurableAttachCommand.self, DurableAcknowledgeCommand.self, DurableRemoveCommand.self,
    AuthStatusCommand.self, AuthRequestCommand.self, AuthGrantsCommand.self, AuthGrantCommand.self,
    AuthRevokeCommand.self, AuthClientsCommand.self, AuthEnableCommand.self, AuthDisableCommand.self,
    HistoryAtCommand.self, HistoryDayCommand.self, HistoryStaysCommand.self, HistoryNearCommand.self,
    HistoryTrackCommand.self, HistoryReportCommand.self, HistoryExportCommand.self, HistoryImportCommand.self,
    HistoryForgetCommand.self, HistoryPauseCommand.self, HistoryResumeCommand.self,
    AgentCommand.self, StatusCommand.self, MonitorCommand.self, MetricsCommand.self, CallCommand.self,
    DoctorCommand.self, CompletionCommand.self,
  ]

  static let families = [
    CommandFamily(name: "region", summary: "report when the device enters or leaves a place"),
    CommandFamily(name: "durable", summary: "fetch events that occurred while your program was not running"),
    CommandFamily(name: "auth", summary: "show, request and grant permission to know the position"),
    CommandFamily(name: "history", summary: "show where this device was, as positiond-history recorded it"),
  ]

  static func members(of family: CommandFamily) -> [CommandDescription] {
    self.commands.map { $0.description }.filter { family.has($0) }
  }

  /// The words that can follow `positionctl`, with what they do: a command of one word, or a family, which stands at the
  /// place of its first command.
  static var firstWords: [(name: String, summary: String)] {
    var words: [(name: String, summary: String)] = []
    for command in self.commands.map({ $0.description }) {
      let family = self.families.first { $0.has(command) }
      let word = family.map { ($0.name, $0.summary) } ?? (command.name, command.summary)
      if words.last?.name != word.0 { words.append(word) }
    }
    return words
  }

  private static func command(_ name: String) throws(UsageError) -> any Command.Type {
    if let command = self.commands.first(where: { $0.description.name == name }) { return command }
    let names = self.commands.map { $0.description.name } + self.families.map(\.name)
    let meant = Spelling.nearest(to: name, among: names)
    throw UsageError(
      "unknown command \"\(name)\"; " + (meant.map { "did you mean \"\($0)\"? See" } ?? "see")
        + " \"positionctl --help\"")
  }
}

extension HelpText {
  /// What `positionctl FAMILY --help` prints.
  static func lines(_ family: CommandFamily, _ commands: [CommandDescription]) -> [String] {
    [
      "positionctl \(family.name) - \(family.summary)", "",
      "Usage: positionctl \(family.name) COMMAND [OPTION...]", "", "Commands:",
    ] + self.table(commands.map { (String($0.name.dropFirst(family.name.count + 1)), $0.summary) })
      + [
        "",
        "\"positionctl \(family.name) COMMAND --help\" shows the options of a command and examples.",
      ]
  }

  /// What `positionctl --help` prints.
  static func overview() -> [String] {
    [
      "positionctl - show where this device is", "",
      "Usage: positionctl [OPTION...] [COMMAND [OPTION...]]", "",
      "Without a command it shows the status.", "", "Commands:",
    ] + self.table(PositionControl.firstWords.map { ($0.name, $0.summary) })
      + ["", "Common options:"]
      + self.table((CommonOptions.all + [StandardOptions.version]).map { ($0.form, $0.help) })
      + ["", "Exit codes:"] + self.table(ExitCode.documented.map { ("\($0.rawValue)", $0.meaning) })
      + ["", "\"positionctl COMMAND --help\" shows the options of a command and examples."]
  }

}

extension [String: String] {
  /// Whether the locale of these variables has the characters of Unicode. An empty variable counts as absent.
  var isUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { self[$0] }.first { !$0.isEmpty } ?? "C"
    let name = locale.lowercased().filter { $0 != "-" }
    return name.hasSuffix("utf8") || name.split(separator: "@").first?.hasSuffix("utf8") == true
  }
}
