import ProgramArguments

/// One command of positionctl. Reading the command line and running the command are separate, so that the command line is
/// checked completely before anything happens.
protocol Command: SendableMetatype {
  static var description: CommandDescription { get }

  init(_ arguments: Arguments) throws(UsageError)

  func run(in context: CommandContext) -> ExitCode
}

/// A command that can be named on the command line.
struct CommandEntry: Sendable {
  let description: CommandDescription
  /// Reads the command line into the command, ready to run.
  let make: @Sendable (Arguments) throws(UsageError) -> any Command

  init<Named: Command>(_ command: Named.Type) {
    self.description = command.description
    self.make = { (arguments) throws(UsageError) in try Named(arguments) }
  }
}
