import PositionClient
import PositionProtocol

/// `positionctl durable remove`: a name, and all that it has.
struct DurableRemoveCommand: Command {
  static let description = CommandDescription(
    name: "durable remove", summary: "remove a durable name",
    explanation: ["With all that is registered under it, and all that waits."],
    operands: [.init(name: "NAME", isRequired: true)],
    examples: [.init(line: "positionctl durable remove tracker", meaning: "tells how many events nobody took")])

  let request: DurableRemoveRequest

  init(_ arguments: Arguments) throws(UsageError) {
    self.request = DurableRemoveRequest(name: arguments.operands[0])
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(self.request) { result in
        let lost = result.waiting > 0 ? "; nobody took \(result.waiting.counted("event", "events"))" : ""
        conversation.print(result, human: ["\(self.request.name) is removed\(lost)"])
      }
    }
  }
}
