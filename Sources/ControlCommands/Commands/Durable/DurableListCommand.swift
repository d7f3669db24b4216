import PositionClient
import PositionProtocol

/// `positionctl durable list`: the user's durable names.
struct DurableListCommand: Command {
  static let description = CommandDescription(
    name: "durable list", summary: "list your durable names and what waits",
    explanation: [
      "A line for each name: what is registered, how many events wait, and whether a program takes them. \"positionctl region list\" has the regions."
    ],
    examples: [
      .init(line: "positionctl durable list", meaning: "for a person"),
      .init(line: "positionctl durable list --json", meaning: "everything that is registered, for a script"),
    ])

  init(_ arguments: Arguments) throws(UsageError) {}

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(DurableListRequest()) { list in
        for name in list.names { conversation.print(name, human: [DurableFormat.line(name)]) }
      }
    }
  }
}
