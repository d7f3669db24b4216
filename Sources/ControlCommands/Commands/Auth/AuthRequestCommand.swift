import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl auth request`: asks for permission.
struct AuthRequestCommand: Command {
  static let level = Option<AuthorizationObject.Level>(
    "level", .choice("LEVEL"), "whenInUse (while connected; the default) or always")
  static let precision = Option<AuthorizationObject.Precision>(
    "precision", .choice("PRECISION"), "precise (the default) or reduced (to a few kilometres)")
  static let force = Option(flag: "force", "ask again after a denial")

  static let description = CommandDescription(
    name: "auth request", summary: "ask for permission",
    explanation: [
      "If no rule decides and an agent is running, asks a person and waits up to two minutes for the answer, which holds "
        + "for all your programs. Prints the permission then. The exit code is 0 if everything requested is granted, "
        + "else 3."
    ],
    options: [Self.level, Self.precision, Self.force],
    examples: [
      .init(line: "positionctl auth request", meaning: "while connected, precise"),
      .init(line: "positionctl auth request --level always", meaning: "also for durable names"),
      .init(line: "positionctl auth request --precision reduced --force", meaning: "ask again for less"),
    ])

  let request: AuthorizationRequestRequest

  init(_ arguments: Arguments) throws(UsageError) {
    self.request = AuthorizationRequestRequest(
      level: arguments[Self.level], precision: arguments[Self.precision],
      force: arguments.has(Self.force) ? true : nil)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.request(self.request) { result in
        switch result {
        case .success(let authorization):
          conversation.print(authorization, human: AuthorizationFormat.lines(authorization))
          let isCovered = authorization.covers(
            level: self.request.level ?? .whenInUse, precision: self.request.precision ?? .precise)
          conversation.finish(isCovered ? .success : .notPermitted)
        case .failure(let error): conversation.fail(error)
        }
      }
    }
  }
}
