import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import ProgramArguments

/// `positionctl region watch`: the events of a region.
struct RegionWatchCommand: Command {
  static let description = CommandDescription(
    name: "region watch", summary: "report when the device enters or leaves a place",
    explanation: [
      "Watches the region until Ctrl-C, or until --count or --duration is reached; the exit code is 2 if no event came in "
        + "that time.",
      "With --durable, reports events of the regions of that name, or of the one with the ID, instead. It detaches the "
        + "program that is attached to the name, and acknowledges no event.",
    ],
    operands: [.init(name: "ID", .requiredUnless(DurableOptions.durable))],
    options: RegionOptions.all + [DurableOptions.durable, EventWatch.count, EventWatch.duration],
    examples: [
      .init(line: "positionctl region watch home --circle 48.137,11.575,150m", meaning: "until Ctrl-C"),
      .init(
        line: "positionctl region watch home --circle 48.137,11.575,150m --notify enter -n 1",
        meaning: "ends when the device enters home; for a script"),
      .init(line: "positionctl region watch --durable tracker", meaning: "the regions of \"tracker\""),
    ])

  private enum Source {
    case region(Region)
    /// The region with the id, or all.
    case durable(name: String, id: String?)
  }

  private let source: Source
  private let limits: EventWatch.Limits

  init(_ arguments: Arguments) throws(UsageError) {
    self.limits = EventWatch.Limits(arguments)
    if let name = arguments[DurableOptions.durable] {
      guard !RegionOptions.areGiven(in: arguments) else {
        throw UsageError("--durable watches existing regions; to add one, use \"positionctl region add\"")
      }
      self.source = .durable(name: name, id: arguments.operands.first)
    } else {
      self.source = .region(try RegionOptions.region(id: arguments.operands[0], arguments))
    }
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      let watch = EventWatch(self.limits, in: conversation)
      switch self.source {
      case .region(let region):
        watch.begin(region) { [unowned conversation] result in
          if !context.wantsJSON { conversation.print(result, human: ["-- \(region.id): \(result.state.text)"]) }
          if let warning = result.warning { context.report("note: \(warning)") }
        }
      case .durable(let name, let id):
        watch.take = { event in
          guard let event = event as? RegionEventNotification else { return false }
          return id == nil || event.event.id == id
        }
        watch.begin(DurableAttachRequest(name: name)) { _ in }
      }
    }
  }
}
