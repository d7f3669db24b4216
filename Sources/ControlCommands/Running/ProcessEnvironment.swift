package import EventLoop
package import JSONRPC
package import PositionProtocol

/// The environment of a command: streams, variables, signals, terminal; a test has its own.
package struct ProcessEnvironment {
  /// For results.
  package var output: any TextSink
  /// For errors and progress.
  package var errors: any TextSink
  package var environment: [String: String]
  /// Whether SIGINT, SIGTERM and SIGHUP end a command.
  package var hearsSignals: Bool
  /// Opens the terminal of a person; `nil` if there is none.
  package var openTerminal: () throws(SystemError) -> FileDescriptor?
  /// The machine that `doctor` checks.
  package var machine: InspectedMachine
  /// The clock for ages, and the wall clock for times.
  package var clock: CodingMoment.Clock

  package init(
    output: any TextSink, errors: any TextSink, environment: [String: String] = [:], hearsSignals: Bool = false,
    openTerminal: @escaping () throws(SystemError) -> FileDescriptor? = { nil },
    machine: InspectedMachine = InspectedMachine(), clock: @escaping CodingMoment.Clock = { .current }
  ) {
    self.output = output
    self.errors = errors
    self.environment = environment
    self.hearsSignals = hearsSignals
    self.openTerminal = openTerminal
    self.machine = machine
    self.clock = clock
  }

  /// Whether lines can be redrawn, on the terminal for errors.
  var canRedrawErrors: Bool { self.errors.isTerminal && !self.isDumb }

  /// Whether the screen can be redrawn.
  var canRedrawOutput: Bool { self.output.isTerminal && !self.isDumb }

  var isDumb: Bool { self.environment["TERM"] == "dumb" }
}
