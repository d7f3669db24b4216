import EventLoop
import PositionClient
import PositionProtocol
import Positioning
import ProgramArguments

/// `positionctl metrics`: the daemon's figures, for a program that watches many devices.
struct MetricsCommand: Command {
  static let output = Option("output", letter: "o", .path, "write them into this file, which is replaced as a whole")
  static let http = Option(flag: "http", "answer one HTTP request on standard input, for a socket unit")

  static let description = CommandDescription(
    name: "metrics", summary: "print figures for Prometheus",
    explanation: [
      "Prints how well positiond works and what the receiver costs, as OpenMetrics has it, and never where the device is. "
        + "Never turns the receiver on. If positiond does not answer, positiond_up is 0 and the exit code is 1.",
      "The accuracy and the satellites of the newest fix are there only for a user who may know positions.",
    ],
    options: [Self.output, Self.http],
    examples: [
      "positionctl metrics": "all figures",
      "positionctl metrics -o /var/lib/prometheus/node-exporter/positiond.prom": "for the folder of node_exporter",
      "positionctl metrics --json": "the status, as the protocol has it",
    ])

  /// How long a request may take to come, in seconds.
  private static let timeout = 5.0

  private let path: String?
  private let answersHTTP: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    self.path = arguments[Self.output]
    self.answersHTTP = arguments.has(Self.http)
    if self.answersHTTP, self.path != nil { throw UsageError("give either --output or --http") }
  }

  func run(in context: CommandContext) -> ExitCode {
    guard self.answersHTTP else { return self.print(in: context) }
    switch HTTPExchange.request(from: context.process.input, within: Self.timeout) {
    case .scrape:
      context.process.output.write(HTTPExchange.response(self.collect(in: context).lines))
    case .refused(let status, let words):
      context.process.output.write(HTTPExchange.response(refusing: status, words))
    }
    // The one who asked has got an answer, whatever it is.
    return .success
  }

  private func print(in context: CommandContext) -> ExitCode {
    let (status, lines, code) = self.collect(in: context)
    guard let path = self.path else {
      if let status, context.wantsJSON {
        context.print(status, drawn: [])
      } else {
        context.process.print(lines.map { Line($0) }, isForPrograms: true)
      }
      return code
    }
    do throws(SystemError) {
      let text = lines.map { "\($0)\n" }.joined()
      // Another user's program reads it, and there is nothing in it that is anybody's secret.
      try SystemDisk().replace(path, with: Array(text.utf8), mode: 0o644)
      return code
    } catch {
      context.report("cannot write \(path): \(error)")
      return .failure
    }
  }

  private func collect(in context: CommandContext) -> (status: DaemonStatus?, lines: [String], code: ExitCode) {
    var (status, fix) = (DaemonStatus?.none, Fix?.none)
    let code = context.converse(Self.description) { conversation in
      conversation.ask(StatusGetRequest()) { answer in
        status = answer
        // Nobody is to be asked for the permission of a program that counts.
        conversation.request(AuthorizationGetRequest()) { result in
          guard case .success(let authorization) = result, authorization.isGranted else {
            return conversation.finish(.success)
          }
          conversation.request(PositionLastRequest()) { result in
            if case .success(let last) = result { fix = last.fix }
            conversation.finish(.success)
          }
        }
      }
    }
    return (status, StatusMetrics.lines(status, fix: fix, at: context.moment), code)
  }
}
