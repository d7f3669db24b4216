import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl auth grant`: stores a decision for a user.
struct AuthGrantCommand: Command {
  static let deny = Option(flag: "deny", "deny, and do not ask the user again")

  static let description = CommandDescription(
    name: "auth grant", summary: "grant or deny permission to a user (administrators)",
    explanation: [
      "Works at once, for all programs of the user, until it is revoked or the user answers a prompt differently. "
        + "Rules in positiond.conf take precedence."
    ],
    operands: [.init(name: "USER", isRequired: true)],
    options: [AuthRequestCommand.level, AuthRequestCommand.precision, Self.deny],
    examples: [
      .init(line: "positionctl auth grant ada", meaning: "while connected, precise"),
      .init(
        line: "positionctl auth grant ada --level always --precision reduced", meaning: "always, to a few kilometres"),
      .init(line: "positionctl auth grant ben --deny", meaning: "deny"),
    ])

  let request: AdminGrantRequest

  init(_ arguments: Arguments) throws(UsageError) {
    let (level, precision) = (arguments[AuthRequestCommand.level], arguments[AuthRequestCommand.precision])
    // The daemon also takes a number, if no user has it as a name.
    let user = UserParameter.name(arguments.operands[0])
    guard arguments.has(Self.deny) else {
      self.request = AdminGrantRequest(user: user, level: level ?? .whenInUse, precision: precision ?? .precise)
      return
    }
    guard level == nil, precision == nil else {
      throw UsageError("auth grant: --deny cannot be combined with --level or --precision")
    }
    self.request = AdminGrantRequest(user: user, level: nil)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(self.request) { conversation.print($0, human: [AuthorizationFormat.line($0)]) }
    }
  }
}
