import PositionClient
import PositionProtocol
import Positioning
import ProgramArguments

/// `positionctl auth grants`: the stored decisions of persons and administrators.
struct AuthGrantsCommand: Command {
  static let description = CommandDescription(
    name: "auth grants", summary: "list stored decisions (administrators)",
    explanation: ["One line per user. Rules in positiond.conf take precedence and are not listed."],
    examples: [
      .init(line: "positionctl auth grants", meaning: "one line per user"),
      .init(line: "positionctl auth grants --json", meaning: "for a script"),
    ])

  init(_ arguments: Arguments) throws(UsageError) {}

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(AdminGrantsRequest()) { list in
        if list.grants.isEmpty { context.note("no stored decisions") }
        for grant in list.grants {
          conversation.print(
            grant,
            human: [
              "\(AuthorizationFormat.line(grant)); decided at \(Timestamp(of: grant.decision.at, at: context.moment))"
            ])
        }
        if let omitted = list.omitted { context.report("\(omitted) more are not listed") }
      }
    }
  }
}
