import PositionClient
import PositionProtocol

/// `positionctl auth revoke`: takes a decision back.
struct AuthRevokeCommand: Command {
  static let description = CommandDescription(
    name: "auth revoke", summary: "take back what was decided for a user (administrators)",
    explanation: [
      "The user may be asked again. Where nothing else grants it, the user's programs are told no position from now on, "
        + "and what waits for them is removed."
    ],
    operands: [.init(name: "USER", isRequired: true)],
    examples: [.init(line: "positionctl auth revoke ada", meaning: "tells what was decided before")])

  let request: AdminRevokeRequest

  init(_ arguments: Arguments) throws(UsageError) {
    self.request = AdminRevokeRequest(user: .name(arguments.operands[0]))
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(self.request) { conversation.print($0, human: ["revoked: \(AuthorizationFormat.line($0))"]) }
    }
  }
}
