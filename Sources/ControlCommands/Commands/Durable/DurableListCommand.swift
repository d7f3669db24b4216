import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl durable list`: the user's durable names.
struct DurableListCommand: Command {
  static let description = CommandDescription(
    name: "durable list", summary: "list your durable names and waiting events",
    explanation: [
      "One line per name: what is registered, how many events are waiting, and whether a program is attached. "
        + "\"positionctl region list\" lists the regions."
    ],
    examples: [
      .init(line: "positionctl durable list", meaning: "one line per name"),
      .init(line: "positionctl durable list --json", meaning: "in full, for a script"),
    ])

  init(_ arguments: Arguments) throws(UsageError) {}

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(DurableListRequest()) { list in
        if list.names.isEmpty { context.note("no durable names") }
        for name in list.names { conversation.print(name, human: [DurableFormat.line(name)]) }
      }
    }
  }
}
