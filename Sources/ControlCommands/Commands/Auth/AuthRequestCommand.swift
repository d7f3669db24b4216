import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl auth request`: asks for permission.
struct AuthRequestCommand: Command {
  static let parameters = ParameterOptions<AuthorizationRequestRequest>()

  static let description = CommandDescription(
    name: "auth request", summary: "ask for permission",
    explanation: [
      "If no rule decides and an agent is running, asks a person and waits up to two minutes for the answer, which holds "
        + "for all your programs. Prints the permission then. The exit code is 0 if everything requested is granted, "
        + "else 3."
    ],
    options: Self.parameters.all,
    examples: [
      .init(line: "positionctl auth request", meaning: "while connected, precise"),
      .init(line: "positionctl auth request --level always", meaning: "also for durable names"),
      .init(line: "positionctl auth request --precision reduced --force", meaning: "ask again for less"),
    ])

  let request: AuthorizationRequestRequest

  init(_ arguments: Arguments) throws(UsageError) {
    self.request = try Self.parameters.request(arguments)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.request(self.request) { result in
        switch result {
        case .success(let authorization):
          conversation.print(authorization, human: AuthorizationFormat.lines(authorization))
          let asked = self.request.request
          let isCovered = authorization.covers(level: asked.level, precision: asked.precision)
          conversation.finish(isCovered ? .success : .notPermitted)
        case .failure(let error): conversation.fail(error)
        }
      }
    }
  }
}
