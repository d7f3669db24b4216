import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// `positionctl region watch`: what happens with a region, as it happens.
struct RegionWatchCommand: Command {
  static let description = CommandDescription(
    name: "region watch", summary: "tell when the device comes to a place and leaves it",
    explanation: [
      "Watches the region for as long as the command runs: until Ctrl-C, or as --count and --duration say; the exit "
        + "code is 2 if the time was over before anything happened.",
      "With --durable it tells what happens with the regions of that name, or the one with the ID, instead. It takes the "
        + "name's events from the program that took them until then, and acknowledges none.",
    ],
    operands: [.init(name: "ID", isRequired: false)],
    options: RegionOptions.all + [DurableOptions.durable, EventWatch.count, EventWatch.duration],
    examples: [
      .init(line: "positionctl region watch home --circle 48.137,11.575,150m", meaning: "until Ctrl-C"),
      .init(
        line: "positionctl region watch home --circle 48.137,11.575,150m --notify enter -n 1",
        meaning: "ends when the device comes home; for a script"),
      .init(line: "positionctl region watch --durable tracker", meaning: "the regions of \"tracker\""),
    ])

  private enum Source {
    case region(Region)
    /// The one of the id, or all.
    case durable(name: String, id: String?)
  }

  private let source: Source
  private let limits: EventWatch.Limits

  init(_ arguments: Arguments) throws(UsageError) {
    self.limits = EventWatch.Limits(arguments)
    let id = arguments.operands.first
    if let name = arguments[DurableOptions.durable] {
      guard !RegionOptions.areGiven(in: arguments) else {
        throw UsageError("region watch: with --durable it watches what is there; \"positionctl region add\" adds to it")
      }
      self.source = .durable(name: name, id: id)
    } else {
      guard let id else { throw UsageError("region watch: ID is missing") }
      self.source = .region(try RegionOptions.region(id: id, arguments, of: Self.description.name))
    }
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      let watch = EventWatch(self.limits, in: conversation)
      switch self.source {
      case .region(let region):
        watch.begin(region) { [unowned conversation] result in
          if !context.wantsJSON { conversation.print(result, human: ["-- \(result.state.words)"]) }
          if let warning = result.warning { context.tell("note: \(warning)") }
        }
      case .durable(let name, let id):
        watch.take = { event in
          guard let event = event as? RegionEventNotification else { return false }
          return id == nil || event.id == id
        }
        watch.begin(DurableAttachRequest(name: name)) { _ in }
      }
    }
  }
}
