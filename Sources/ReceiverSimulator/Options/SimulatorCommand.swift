package import ProgramArguments

/// A command of positionsim.
package enum SimulatorCommand: Hashable, Sendable {
  case receive(Receive)
  case replay(Replay)
  case sandbox(SandboxRun)
  /// Print these lines and end with success.
  case help([String])

  /// Run a receiver.
  package struct Receive: Hashable, Sendable {
    package var settings: Simulation.Settings
    package var link: String?
    package var isJSON: Bool
    /// `nil`: until it is stopped.
    package var time: Duration?
  }

  /// Play a log.
  package struct Replay: Hashable, Sendable {
    package var log: String
    package var pace: ReplayPace
    package var link: String?
    package var isJSON: Bool
  }

  /// Run a receiver, a gpsd and a positiond.
  package struct SandboxRun: Hashable, Sendable {
    package var settings: Simulation.Settings
    /// `nil`: the one beside positionsim.
    package var positiond: String?
    package var configuration: [Sandbox.ConfigurationLine]
    package var isJSON: Bool
    package var time: Duration?
  }

  /// Reads the command line, without the program's name. `readFile` gives a route file's text.
  package static func parse(
    _ words: [String], readFile: (String) throws(UsageError) -> String
  ) throws(UsageError) -> SimulatorCommand {
    let name = words.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
    let descriptions = [self.receiveDescription, self.replayDescription, self.sandboxDescription]
    guard let description = descriptions.first(where: { $0.name == name ?? "" }) else {
      throw UsageError("\"\(name ?? "")\" is no command; expected options, replay or sandbox")
    }
    do throws(UsageError) {
      return try self.parse(words.dropFirst(name == nil ? 0 : 1), of: description, readFile: readFile)
    } catch {
      throw error.of(description.name)
    }
  }

  private static func parse(
    _ words: ArraySlice<String>, of description: CommandDescription, readFile: (String) throws(UsageError) -> String
  ) throws(UsageError) -> SimulatorCommand {
    let arguments = try Arguments(words, of: description)
    if arguments.has(StandardOptions.help) { return .help(HelpText.lines(description)) }
    let isJSON = arguments.has(self.json)
    switch description.name {
    case self.replayDescription.name:
      return .replay(
        Replay(
          log: arguments.operands[0], pace: self.pace(arguments), link: arguments[self.link], isJSON: isJSON))
    case self.sandboxDescription.name:
      return .sandbox(
        SandboxRun(
          settings: try ReceiverOptions.settings(arguments, readFile: readFile), positiond: arguments[self.positiond],
          configuration: self.configuration(arguments), isJSON: isJSON, time: arguments[self.seconds]))
    default:
      return .receive(
        Receive(
          settings: try ReceiverOptions.settings(arguments, readFile: readFile), link: arguments[self.link],
          isJSON: isJSON, time: arguments[self.seconds]))
    }
  }

  private static func pace(_ arguments: Arguments) -> ReplayPace {
    switch arguments[self.speed] ?? .times(1) {
    case .max: .reader
    case .times(let factor): .line(speed: arguments[self.baud] ?? 9600, factor: factor)
    }
  }

  /// Of lines with the same key the last counts; `--linger` stands before all.
  private static func configuration(_ arguments: Arguments) -> [Sandbox.ConfigurationLine] {
    let linger = arguments[self.linger].map { Sandbox.ConfigurationLine(section: "receiver", key: "linger", value: $0) }
    return ((linger.map { [$0] } ?? []) + arguments.all(self.set)).withoutRepetition
  }
}
