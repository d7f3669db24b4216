import PositionClient
import PositionProtocol
import Positioning

/// `positionctl region add`: a region that stays.
struct RegionAddCommand: Command {
  static let description = CommandDescription(
    name: "region add", summary: "watch a region under a durable name, or change it",
    explanation: [
      "The region stays until it is removed, and what happens waits for a program that takes it: \"positionctl durable "
        + "attach\", for example. A region without a durable name ends with the program that watches it; for that there "
        + "is \"positionctl region watch\"."
    ],
    operands: [.init(name: "ID", isRequired: true)],
    options: RegionOptions.all + [DurableOptions.durable, DurableOptions.wake],
    examples: [
      .init(
        line: "positionctl region add home --circle 48.137,11.575,150m --durable tracker",
        meaning: "what is entered and left waits for \"tracker\""),
      .init(
        line: "positionctl region add hut --circle 47,11,1km --durable hut --wake hut.service",
        meaning: "and starts its service, if the administrator lists it"),
    ])

  let request: RegionAddRequest

  init(_ arguments: Arguments) throws(UsageError) {
    let region = try RegionOptions.region(id: arguments.operands[0], arguments, of: Self.description.name)
    guard let name = arguments[DurableOptions.durable] else {
      throw UsageError(
        "region add: without --durable NAME a region ends with the program that watches it, and this one ends at once;"
          + " \"positionctl region watch\" goes on")
    }
    self.request = RegionAddRequest(
      region: RegionObject(region), durable: DurableParameter(name: name, wake: arguments[DurableOptions.wake]))
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(self.request) { result in
        conversation.print(result, human: ["\(self.request.region.id): \(result.state.words)"])
        if let warning = result.warning { context.tell("note: \(warning)") }
      }
    }
  }
}

extension Conversation {
  /// Asks something whose answer ends the command, well or with the error.
  func ask<Request: RequestType>(_ request: Request, then show: @escaping (Request.Result) -> Void) {
    self.request(request) { [unowned self] result in
      switch result {
      case .success(let value):
        show(value)
        self.finish(.success)
      case .failure(let error): self.fail(error)
      }
    }
  }
}
