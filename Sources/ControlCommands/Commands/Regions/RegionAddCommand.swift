import PositionClient
import PositionProtocol
import Positioning
import ProgramArguments

/// `positionctl region add`: adds a region to a durable name.
struct RegionAddCommand: Command {
  static let description = CommandDescription(
    name: "region add", summary: "add or change a region under a durable name",
    explanation: [
      "The region stays until it is removed, and its events wait for a program that attaches to the durable name, such as "
        + "\"positionctl durable attach\". To watch a region only while a command runs, use "
        + "\"positionctl region watch\"."
    ],
    operands: [.init(name: "ID", .required)],
    options: RegionOptions.all + [DurableOptions.durable, DurableOptions.wake],
    examples: [
      .init(
        line: "positionctl region add home --circle 48.137,11.575,150m --durable tracker",
        meaning: "its events wait for the program of \"tracker\""),
      .init(
        line: "positionctl region add hut --circle 47,11,1km --durable hut --wake hut.service",
        meaning: "events start hut.service, if the administrator allows it"),
    ])

  let request: RegionAddRequest

  init(_ arguments: Arguments) throws(UsageError) {
    let region = try RegionOptions.region(id: arguments.operands[0], arguments)
    guard let name = arguments[DurableOptions.durable] else {
      throw UsageError(
        "missing --durable NAME; \"positionctl region watch\" needs none")
    }
    self.request = RegionAddRequest(
      region: region, durable: DurableRequest(name: name, wake: arguments[DurableOptions.wake]))
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(self.request) { result in
        conversation.print(result, human: ["\(self.request.region.id): \(result.state.text)"])
        if let warning = result.warning { context.report("note: \(warning)") }
        // The daemon accepts it, since a unit may be installed later; a mistyped name is seen by nobody else.
        if let unit = self.request.durable?.wake, context.process.machine.lacksUnit(unit) {
          context.report("note: there is no unit \(unit); its events wait, and start nothing until it is installed")
        }
      }
    }
  }
}

extension Conversation {
  /// Sends a request whose answer or error ends the command.
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
