import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl last`: the newest fix, without turning anything on.
struct LastCommand: Command {
  static let description = CommandDescription(
    name: "last", summary: "show the newest fix without turning the receiver on",
    explanation: ["The fix may be old; its age is shown. The exit code is 1 if there is none."],
    options: [FixNotation.option],
    examples: [
      .init(line: "positionctl last", meaning: "where the device was last"),
      .init(line: "positionctl last --json", meaning: "the same for a script"),
      .init(line: "positionctl last --format geo", meaning: "a geo: URI, which map programs open"),
    ])

  private let notation: FixNotation?

  init(_ arguments: Arguments) throws(UsageError) {
    self.notation = try FixNotation.given(in: arguments)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.request(PositionLastRequest()) { result in
        switch result {
        case .success(let last):
          if let notation = self.notation {
            conversation.write(last.fix, in: notation)
          } else {
            let line = last.fix.map { FixFormat.line($0, level: last.achievedAccuracy, now: context.moment.now) }
            conversation.print(last, human: line.map { [$0] } ?? [])
          }
          if last.fix == nil { context.report("no fix yet: \(last.availability.text)") }
          conversation.finish(last.fix == nil ? .failure : .success)
        case .failure(let error): conversation.fail(error)
        }
      }
    }
  }
}
