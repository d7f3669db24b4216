import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl auth enable`: turns the master switch on.
struct AuthEnableCommand: Command {
  static let description = CommandDescription(
    name: "auth enable", summary: "turn positions on again (administrators)",
    examples: [.init(line: "positionctl auth enable", meaning: "after \"positionctl auth disable\"")])

  init(_ arguments: Arguments) throws(UsageError) {}

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(AdminEnableRequest()) { conversation.show($0) }
    }
  }
}

/// `positionctl auth disable`: turns it off.
struct AuthDisableCommand: Command {
  static let description = CommandDescription(
    name: "auth disable", summary: "turn positions off for everybody (administrators)",
    explanation: ["Nobody gets a position until \"positionctl auth enable\", not even after a restart."],
    examples: [.init(line: "positionctl auth disable", meaning: "until \"positionctl auth enable\"")])

  init(_ arguments: Arguments) throws(UsageError) {}

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(AdminDisableRequest()) { conversation.show($0) }
    }
  }
}

extension Conversation {
  fileprivate func show(_ result: EnabledResult) {
    let doubt = result.stored == false ? "; \(AuthorizationFormat.unstored)" : ""
    let lost = result.unread.map {
      ["earlier decisions cannot be read (\($0)): deny again the users who were denied"]
    }
    self.print(result, human: ["positions are turned \(result.isEnabled ? "on" : "off")\(doubt)"] + (lost ?? []))
  }
}
