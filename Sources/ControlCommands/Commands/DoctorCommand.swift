import Gpsd
import PositionProtocol
import ProgramArguments
import ReceiverPorts

/// `positionctl doctor`: finds problems.
struct DoctorCommand: Command {
  static let gpsd = Option("gpsd", .gpsdAddress, "another gpsd than the one that positiond uses")

  static let description = CommandDescription(
    name: "doctor", summary: "find problems and suggest solutions",
    explanation: [
      "Checks positiond, gpsd and this machine without turning the receiver on. Each check is ok, a warning, a "
        + "problem, or unknown; the exit code is 1 if there is a problem. Run it as the user whose programs get no "
        + "position.",
      "It also checks whether gpsd gives positions to other programs than positiond: as the user who runs it, or, for "
        + "root, with a connection that belongs to the user nobody.",
    ],
    options: [Self.gpsd],
    examples: [
      .init(line: "positionctl doctor", meaning: "run all checks"),
      .init(line: "positionctl doctor --json", meaning: "one line per check, for a bug report"),
    ])

  /// How long the daemon and gpsd may each take.
  private static let patience = Duration.seconds(3)

  /// `nil`: where positiond expects it.
  let address: GpsdAddress?

  init(_ arguments: Arguments) throws(UsageError) {
    self.address = arguments[Self.gpsd]
  }

  func run(in context: CommandContext) -> ExitCode {
    let daemon = DaemonProbe.run(
      on: context.loop, socket: context.socket, patience: Self.patience, clock: context.process.clock)
    let now = context.moment.now
    let address = self.address ?? daemon.gpsdAddress ?? .standard
    let gpsd = address.probe(on: context.loop, patience: Self.patience)
    let exposure = GpsdExposure.tried(on: context.loop, address, own: gpsd, patience: Self.patience)
    var files: [String] = []
    if case .speaks(_, let devices?) = gpsd { files = devices.filter(\.isFile).map(\.path) }
    var machine = context.process.machine.finding(files: files)
    machine.configuration = context.process.machine.daemon.map { program in
      .found(by: program, on: context.loop, patience: Self.patience)
    }
    let checks = DoctorChecks.all(
      daemon: daemon, gpsd: gpsd, exposure: exposure, address: address,
      machine: machine, now: now)
    for check in checks { context.print(check, drawn: CheckFormat.lines(check)) }
    if !context.wantsJSON { context.process.print([Line(CheckFormat.summary(checks))]) }
    return checks.contains { $0.outcome == .problem } ? .failure : .success
  }
}

extension ValueKind where Value == GpsdAddress {
  static let gpsdAddress = ValueKind(
    placeholder: "ADDRESS[:PORT]", expectation: "a numeric address or localhost, and a port if it is not 2947"
  ) { GpsdAddress($0) }
}
