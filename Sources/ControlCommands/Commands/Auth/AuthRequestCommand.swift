import PositionClient
import PositionProtocol
import Positioning
import ProgramArguments

/// `positionctl auth request`: asks for permission.
struct AuthRequestCommand: Command {
  static let level = Option<AuthorizationLevel>(
    "level", .choice("LEVEL"), "whenInUse (while connected; the default) or always")
  static let precision = Option<Precision>(
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

  let request: AuthorizationRequest

  init(_ arguments: Arguments) throws(UsageError) {
    var request = AuthorizationRequest(isForced: arguments.has(Self.force))
    if let level = arguments[Self.level] { request.level = level }
    if let precision = arguments[Self.precision] { request.precision = precision }
    self.request = request
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.request(AuthorizationRequestRequest(self.request)) { result in
        switch result {
        case .success(let authorization):
          conversation.print(authorization, human: AuthorizationFormat.lines(authorization))
          let isCovered = authorization.covers(level: self.request.level, precision: self.request.precision)
          conversation.finish(isCovered ? .success : .notPermitted)
        case .failure(let error): conversation.fail(error)
        }
      }
    }
  }
}
