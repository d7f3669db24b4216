import PositionClient
import PositionProtocol

/// `positionctl auth grants`: what persons and administrators have decided.
struct AuthGrantsCommand: Command {
  static let description = CommandDescription(
    name: "auth grants", summary: "list what was decided for users (administrators)",
    explanation: ["A line for each user; rules of the configuration come before these, and are not listed."],
    examples: [
      .init(line: "positionctl auth grants", meaning: "for a person"),
      .init(line: "positionctl auth grants --json", meaning: "one JSON text for each user"),
    ])

  init(_ arguments: Arguments) throws(UsageError) {}

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(AdminGrantsRequest()) { list in
        for grant in list.grants {
          conversation.print(grant, human: ["\(AuthorizationFormat.line(grant)); decided at \(grant.time)"])
        }
        if let omitted = list.omitted { context.tell("\(omitted) more are not listed") }
      }
    }
  }
}
