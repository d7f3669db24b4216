import PositionClient
import PositionProtocol
import Printable
import ProgramArguments

/// `positionctl durable acknowledge`: acknowledges events.
struct DurableAcknowledgeCommand: Command {
  static let description = CommandDescription(
    name: "durable acknowledge", summary: "acknowledge events",
    explanation: ["Acknowledged events are not delivered again."],
    operands: [.init(name: "NAME", .required), .init(name: "EVENT", .required)],
    examples: [
      .init(line: "positionctl durable acknowledge tracker 1234", meaning: "this event and all before it")
    ])

  let request: DurableAcknowledgeRequest

  init(_ arguments: Arguments) throws(UsageError) {
    let event = try ValueKind.event.value(of: arguments.operands[1], option: "EVENT")
    self.request = DurableAcknowledgeRequest(name: arguments.operands[0], event: event)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(self.request) { result in
        conversation.print(result, human: ["\(result.waiting.counted("event", "events")) waiting"])
      }
    }
  }
}
