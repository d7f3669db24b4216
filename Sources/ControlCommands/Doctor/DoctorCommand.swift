import EventLoop
import Gpsd
import JSONRPC
import PositionProtocol
import Printable
import ProgramArguments
import ReceiverPorts

/// `positionctl doctor`: finds problems.
struct DoctorCommand: Command {
  static let gpsd = Option("gpsd", .gpsdAddress, "another gpsd than the one that positiond uses")
  static let quiet = Option(
    flag: "quiet", letter: "q", "print nothing; exit with 0 if all is well, 1 for a warning, 2 for a problem")
  static let report = Option("report", .path, "also write a file for a bug report, without a position in it")

  static let description = CommandDescription(
    name: "doctor", summary: "find problems and suggest solutions",
    explanation: [
      "Checks positiond, gpsd and this machine without turning the receiver on. Each check is ok, a warning, a "
        + "problem, or unknown; the exit code is 1 if there is a problem. Run it as the user whose programs get no "
        + "position.",
      "It also checks whether gpsd gives positions to other programs than positiond: as the user who runs it, or, for "
        + "root, with a connection that belongs to the user nobody. Root also sees which programs of other users have a "
        + "receiver open.",
    ],
    options: [Self.gpsd, Self.quiet, Self.report],
    examples: [
      "positionctl doctor": "run all checks",
      "positionctl doctor --json": "one line per check, for a program",
      "positionctl doctor --quiet": "for a script",
      "positionctl doctor --report report.txt": "a file for a bug report",
    ])

  /// How long the daemon, gpsd and the check of the configuration may each take.
  private static let timeout = Duration.seconds(3)

  /// `nil`: where positiond expects it.
  let address: GpsdAddress?
  private let isQuiet: Bool
  private let reportPath: String?

  init(_ arguments: Arguments) throws(UsageError) {
    self.address = arguments[Self.gpsd]
    self.isQuiet = arguments.has(Self.quiet)
    self.reportPath = arguments[Self.report]
    if self.isQuiet, arguments.has(CommonOptions.json) { throw UsageError("--quiet and --json cannot be combined") }
  }

  func run(in context: CommandContext) -> ExitCode {
    let daemon = DaemonFinding.found(
      on: context.loop, socket: context.socket, timeout: Self.timeout, clock: context.process.clock)
    let now = context.moment.now
    let address = self.address ?? daemon.gpsdAddress ?? .standard
    let gpsd = address.probe(on: context.loop, timeout: Self.timeout)
    let exposure = GpsdExposure.tried(on: context.loop, address, own: gpsd, timeout: Self.timeout)
    var files: [String] = []
    var lines: [String: ReceiverLine] = [:]
    if case .speaks(_, let devices?) = gpsd {
      files = devices.filter(\.isFile).map(\.path)
      if !devices.isEmpty { lines = address.lines(on: context.loop, timeout: Self.timeout) }
    }
    var machine = context.process.machine.finding(files: files, gpsdPort: address.isLocal ? address.port : nil)
    machine.configuration = context.process.machine.daemon.map { program in
      .found(by: program, on: context.loop, timeout: Self.timeout)
    }
    let checks = DoctorChecks.all(
      daemon: daemon, gpsd: gpsd, exposure: exposure, address: address, machine: machine, lines: lines, now: now)
    if let path = self.reportPath {
      let report = BugReport(checks: checks, daemon: daemon, machine: context.process.machine, moment: context.moment)
      do throws(SystemError) {
        try SystemDisk().replace(path, with: Array(report.text.utf8), mode: 0o600)
      } catch {
        context.report("cannot write \(path): \(error)")
        return .failure
      }
    }
    if self.isQuiet { return Self.quietCode(checks) }
    for check in checks { context.print(check, drawn: CheckFormat.lines(check)) }
    if !context.wantsJSON { context.process.print([Line(CheckFormat.summary(checks))]) }
    return checks.contains { $0.outcome == .problem } ? .failure : .success
  }

  /// The exit code that stands for all that is printed otherwise.
  static func quietCode(_ checks: [Check]) -> ExitCode {
    if checks.contains(where: { $0.outcome == .problem }) { return .quietProblem }
    return checks.contains { $0.outcome == .warning } ? .quietWarning : .success
  }
}

extension ValueKind where Value == GpsdAddress {
  static let gpsdAddress = ValueKind(
    placeholder: "ADDRESS[:PORT]", expectation: "a numeric address or localhost, and a port if it is not 2947"
  ) { GpsdAddress($0) }
}

/// The result of one check.
struct Check: Hashable, WireValue {
  enum Outcome: String {
    case ok
    /// It works, but there is something to know about it.
    case warning
    /// It does not work.
    case problem
    /// It cannot be determined from here.
    case unknown
  }

  /// What was checked, in a word or two.
  var subject: String
  var outcome: Outcome
  /// The finding.
  var detail: String
  /// What to do next.
  var advice: String?

  init(_ subject: String, _ outcome: Outcome, _ detail: String, advice: String? = nil) {
    self.subject = subject
    self.outcome = outcome
    self.detail = detail
    self.advice = advice
  }

  static let codec: Codec<Check> = .written { check, writer in
    writer.key("subject")
    writer.string(check.subject)
    writer.key("outcome")
    writer.string(check.outcome.rawValue)
    writer.key("detail")
    writer.string(check.detail)
    guard let advice = check.advice else { return }
    writer.key("advice")
    writer.string(advice)
  }
}

/// The text form of checks.
enum CheckFormat {
  static func lines(_ check: Check) -> [Line] {
    let emphasis: Line.Emphasis =
      switch check.outcome {
      case .ok: .good
      case .warning: .doubtful
      case .problem: .bad
      case .unknown: .dim
      }
    let finding = self.wrapped("\(check.subject): \(check.detail)")
    let head = Line(check.outcome.rawValue.padded(8), emphasis) + Line(finding[0].dropFirst(8))
    return [head] + (finding.dropFirst() + (check.advice.map(self.advice) ?? [])).map { Line($0) }
  }

  /// Commands are lines of their own.
  private static func advice(_ text: String) -> [String] {
    let lines = PermissionAdvice.lines(text)
    return self.wrapped("-> \(lines[0])") + lines.dropFirst().map { "         \($0.printable)" }
  }

  /// It contains text from gpsd, of any length.
  private static func wrapped(_ text: String) -> [String] {
    HelpText.wrapped(text.printable(upTo: 1000), indent: 9)
  }

  /// The counts of problems and warnings.
  static func summary(_ checks: [Check]) -> String {
    let problems = checks.count { $0.outcome == .problem }
    let warnings = checks.count { $0.outcome == .warning }
    return "\(problems.counted("problem", "problems")), \(warnings.counted("warning", "warnings"))"
  }
}
