import PositionClient
import PositionProtocol

/// `positionctl auth clients`: who is connected.
struct AuthClientsCommand: Command {
  static let description = CommandDescription(
    name: "auth clients", summary: "list who is connected (administrators)",
    explanation: ["A line for each connection: who it is, what it may know and why, and how much it asks for."],
    examples: [
      .init(line: "positionctl auth clients", meaning: "for a person"),
      .init(line: "positionctl auth clients --json", meaning: "one JSON text for each connection"),
    ])

  init(_ arguments: Arguments) throws(UsageError) {}

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(AdminClientsRequest()) { list in
        for client in list.clients { conversation.print(client, human: [AuthorizationFormat.line(client)]) }
        if let omitted = list.omitted { context.tell("\(omitted) more are not listed") }
      }
    }
  }
}
