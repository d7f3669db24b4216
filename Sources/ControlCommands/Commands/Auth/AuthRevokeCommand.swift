import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl auth revoke`: removes a stored decision.
struct AuthRevokeCommand: Command {
  static let description = CommandDescription(
    name: "auth revoke", summary: "remove a stored decision (administrators)",
    explanation: [
      "The user may be asked again. If nothing else grants permission, the user's programs get no more positions, and "
        + "their waiting events are removed."
    ],
    operands: [.init(name: "USER", .required)],
    examples: [.init(line: "positionctl auth revoke ada", meaning: "shows the removed decision")])

  private let user: String

  init(_ arguments: Arguments) throws(UsageError) {
    self.user = arguments.operands[0]
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.request(AdminRevokeRequest(user: .name(self.user))) { result in
        switch result {
        case .success(let grant):
          conversation.print(grant, human: ["revoked: \(AuthorizationFormat.line(grant))"])
          conversation.finish(.success)
        case .failure(let error) where Self.isNothingStored(error):
          context.report("no stored decision for user \(self.user)")
          conversation.finish(.failure)
        case .failure(let error): conversation.fail(error)
        }
      }
    }
  }

  /// Whether the user exists and has no decision; for an unknown user the error names what was searched.
  private static func isNothingStored(_ error: PositionError) -> Bool {
    guard let error = error.rpcError, error.code == .invalidParams else { return false }
    return error.data?["path"] == "user" && error.data?["found"] == .string(ErrorFormat.unnamed)
  }
}
