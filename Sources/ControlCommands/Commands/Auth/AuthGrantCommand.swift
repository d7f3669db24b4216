import JSONRPC
import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl auth grant`: stores a decision for a user.
struct AuthGrantCommand: Command {
  static let parameters = ParameterOptions<AdminGrantRequest>(except: ["user"])
  static let deny = Option(flag: "deny", "the same as --level deny: do not ask the user again")

  static let description = CommandDescription(
    name: "auth grant", summary: "grant or deny permission to a user (administrators)",
    explanation: [
      "Works at once, for all programs of the user, until it is revoked or the user answers a prompt differently. "
        + "Rules in positiond.conf take precedence. Without --level it grants whenInUse."
    ],
    operands: [.init(name: "USER", .required)],
    options: Self.parameters.all + [Self.deny],
    examples: [
      .init(line: "positionctl auth grant ada", meaning: "while connected, precise"),
      .init(
        line: "positionctl auth grant ada --level always --precision reduced", meaning: "always, to a few kilometres"),
      .init(line: "positionctl auth grant ben --deny", meaning: "deny"),
    ])

  let request: AdminGrantRequest

  init(_ arguments: Arguments) throws(UsageError) {
    let isDenied = arguments.has(Self.deny)
    guard !isDenied || Self.parameters.given(in: arguments).isEmpty else {
      throw UsageError("--deny cannot be combined with --level or --precision")
    }
    // The daemon also takes a number, if no user has it as a name.
    self.request = try Self.parameters.request(
      arguments, beside: ["user": .string(arguments.operands[0]), "level": isDenied ? "deny" : "whenInUse"])
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(self.request) { conversation.print($0, human: [AuthorizationFormat.line($0)]) }
    }
  }
}
