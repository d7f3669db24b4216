import PositionClient
import PositionProtocol

/// `positionctl auth status`: what this user's programs may know.
struct AuthStatusCommand: Command {
  static let description = CommandDescription(
    name: "auth status", summary: "tell what you may know, and who can change that",
    explanation: ["The exit code is 0 where the position may be known, and 3 where it may not."],
    examples: [
      .init(line: "positionctl auth status", meaning: "for a person"),
      .init(line: "positionctl auth status --json", meaning: "state, precision, rule and remedy, for a script"),
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
