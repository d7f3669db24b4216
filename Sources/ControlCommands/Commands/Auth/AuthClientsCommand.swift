import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl auth clients`: the connected clients.
struct AuthClientsCommand: Command {
  static let description = CommandDescription(
    name: "auth clients", summary: "list connected clients (administrators)",
    explanation: [
      "One line per connection: its user and program, its permission and the rule for it, and what it has open."
    ],
    examples: [
      .init(line: "positionctl auth clients", meaning: "one line per connection"),
      .init(line: "positionctl auth clients --json", meaning: "for a script"),
    ])

  init(_ arguments: Arguments) throws(UsageError) {}

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(AdminClientsRequest()) { list in
        if list.clients.isEmpty { context.note("no clients") }
        for client in list.clients { conversation.print(client, human: [AuthorizationFormat.line(client)]) }
        if let omitted = list.omitted { context.report("\(omitted) more are not listed") }
      }
    }
  }
}
