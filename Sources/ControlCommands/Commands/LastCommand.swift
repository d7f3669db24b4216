import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl last`: the newest fix, without turning anything on.
struct LastCommand: RequestCommand {
  static let description = CommandDescription(
    name: "last", summary: "show the newest fix without turning the receiver on",
    explanation: ["The fix may be old; its age is shown. The exit code is 1 if there is none."],
    options: [FixNotation.option],
    examples: [
      "positionctl last": "where the device was last",
      "positionctl last --json": "the same for a script",
      "positionctl last --format geo": "a geo: URI, which map programs open",
    ])

  let request = PositionLastRequest()
  private let notation: FixNotation?

  init(_ arguments: Arguments) throws(UsageError) {
    self.notation = try FixNotation.given(in: arguments)
  }

  func show(_ last: LastFix, in conversation: Conversation) {
    let context = conversation.context
    if let notation = self.notation {
      conversation.write(last.fix, in: notation)
    } else {
      let line = last.fix.map {
        FixFormat.line($0, level: last.achievedAccuracy, now: context.moment.now, in: context.format)
      }
      conversation.print(last, human: line.map { [$0] } ?? [])
    }
    guard last.fix == nil else { return }
    context.report("no fix yet: \(last.availability.text)")
    conversation.finish(.failure)
  }
}
