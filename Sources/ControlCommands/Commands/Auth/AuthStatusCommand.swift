import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl auth status`: the permission of this user's programs.
struct AuthStatusCommand: Command {
  static let description = CommandDescription(
    name: "auth status", summary: "show your permission and how to change it",
    explanation: ["The exit code is 0 if you may know the position, else 3."],
    examples: [
      .init(line: "positionctl auth status", meaning: "your permission, its rule, and how to change it"),
      .init(line: "positionctl auth status --json", meaning: "for a script"),
    ])

  init(_ arguments: Arguments) throws(UsageError) {}

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.request(AuthorizationGetRequest()) { result in
        switch result {
        case .success(let authorization):
          conversation.print(authorization, human: AuthorizationFormat.lines(authorization))
          conversation.finish(authorization.isGranted ? .success : .notPermitted)
        case .failure(let error): conversation.fail(error)
        }
      }
    }
  }
}
