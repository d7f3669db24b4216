import PositionClient
import PositionProtocol
import Positioning
import ProgramArguments

/// `positionctl get`: one fix.
struct GetCommand: Command {
  static let options = ParameterOptions<PositionGetRequest>(named: ["acceptableAccuracy": ("accept", nil)])

  static let description = CommandDescription(
    name: "get", summary: "get one fix",
    explanation: [
      "Answers at once if positiond has a fix that is good enough; else turns the receiver on and waits. "
        + "At the timeout the best fix so far is printed, and the exit code is 2 if it is not accurate enough."
    ],
    options: Self.options.all + [FixNotation.option],
    examples: [
      .init(line: "positionctl get", meaning: "100 m or better, at most a minute old"),
      .init(line: "positionctl get --accuracy house --timeout 60", meaning: "15 m or better, waiting up to a minute"),
      .init(
        line: "positionctl get --accuracy 10m --accept 50m --json",
        meaning: "10 m if possible within 30 s, else 50 m; for a script"),
      .init(line: "positionctl get --format latitude,longitude", meaning: "two numbers, for a script"),
    ])

  let request: PositionGetRequest
  private let notation: FixNotation?

  init(_ arguments: Arguments) throws(UsageError) {
    self.request = try Self.options.request(arguments)
    self.notation = try FixNotation.given(in: arguments)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      let display = AcquisitionDisplay(timeout: self.request.request.timeout.seconds, in: conversation)
      conversation.request(self.request) { result in
        // Before anything is printed, because it may use the same terminal.
        display?.end()
        switch result {
        case .success(let result): conversation.answered(result, to: self.request.request, self.notation)
        case .failure(let error): conversation.fail(error)
        }
      }
    }
  }
}

extension Conversation {
  fileprivate func answered(_ result: PositionGetRequest.Result, to request: FixRequest, _ notation: FixNotation?) {
    if let notation {
      self.write(result.fix, in: notation)
    } else {
      let fix =
        result.fix.map { [FixFormat.line($0, level: result.achievedAccuracy, now: self.context.moment.now)] } ?? []
      self.print(result, human: fix)
    }
    switch result.status {
    case .success:
      if !result.isSatisfied {
        self.context.report(UnmetAccuracyFormat.line(result, wanted: request.accuracy ?? .block))
      }
      self.finish(.success)
    case .timedOut:
      self.context.report(
        UnmetAccuracyFormat.line(result, wanted: request.acceptableAccuracy ?? request.accuracy ?? .block))
      if let advice = DiagnosticsFormat.advice(result.diagnostics) { self.context.report("what to do: \(advice)") }
      self.finish(.timedOut)
    }
  }
}
