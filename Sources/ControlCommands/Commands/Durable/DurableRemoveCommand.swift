import PositionClient
import PositionProtocol
import Printable
import ProgramArguments

/// `positionctl durable remove`: removes a durable name.
struct DurableRemoveCommand: Command {
  static let description = CommandDescription(
    name: "durable remove", summary: "remove a durable name",
    explanation: ["Removes its regions, subscriptions and waiting events too."],
    operands: [.init(name: "NAME", .required)],
    examples: [.init(line: "positionctl durable remove tracker", meaning: "and report how many events were waiting")])

  let request: DurableRemoveRequest

  init(_ arguments: Arguments) throws(UsageError) {
    self.request = DurableRemoveRequest(name: arguments.operands[0])
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(self.request) { result in
        let lost = result.waiting > 0 ? "; \(result.waiting.counted("waiting event", "waiting events")) dropped" : ""
        conversation.print(result, human: ["removed \(self.request.name)\(lost)"])
      }
    }
  }
}
