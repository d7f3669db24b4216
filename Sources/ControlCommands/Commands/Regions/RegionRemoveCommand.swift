import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl region remove`: removes a region of a durable name.
struct RegionRemoveCommand: Command {
  static let description = CommandDescription(
    name: "region remove", summary: "remove a region of a durable name",
    operands: [.init(name: "ID", .required)], options: [DurableOptions.durable],
    examples: [.init(line: "positionctl region remove home --durable tracker", meaning: "events that are waiting stay")]
  )

  let request: RegionRemoveRequest

  init(_ arguments: Arguments) throws(UsageError) {
    guard let name = arguments[DurableOptions.durable] else {
      throw UsageError("missing \(DurableOptions.durable.form)")
    }
    self.request = RegionRemoveRequest(id: arguments.operands[0], durable: name)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(self.request) { result in
        conversation.print(result, human: ["removed \(self.request.id)"])
      }
    }
  }
}
