import PositionClient
import PositionProtocol

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
    explanation: ["Nobody is told a position until they are turned on again; a restart changes nothing of that."],
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
      ["what was decided before cannot be read (\($0)): who was denied is not any more, unless you deny again"]
    }
    self.print(result, human: ["positions are turned \(result.isEnabled ? "on" : "off")\(doubt)"] + (lost ?? []))
  }
}
