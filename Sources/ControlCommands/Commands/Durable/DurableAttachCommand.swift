import JSONRPC
import PositionClient
import PositionProtocol

/// `positionctl durable attach`: what happened, and what happens.
struct DurableAttachCommand: Command {
  static let since = Option("since", .event, "acknowledge the events up to this one first")
  static let acknowledge = Option(flag: "acknowledge", "acknowledge each event once it is printed")

  static let description = CommandDescription(
    name: "durable attach", summary: "print the events of a durable name",
    explanation: [
      "First those that wait, then each as it comes. Each event begins with its number. It waits, and comes again next time, until it is acknowledged. Ends with "
        + "Ctrl-C, or as --count and --duration say; the exit code is 2 if the time was over before any event came.",
      "One program takes the events of a name: this one takes them from the one that did until then.",
    ],
    operands: [.init(name: "NAME", isRequired: true)],
    options: [Self.since, Self.acknowledge, EventWatch.count, EventWatch.duration],
    examples: [
      .init(line: "positionctl durable attach tracker", meaning: "look, and leave everything where it is"),
      .init(line: "positionctl durable attach tracker --acknowledge", meaning: "take everything"),
      .init(
        line: "positionctl durable attach tracker --since 1234 --json",
        meaning: "what came after the event 1234, for a script that remembers it"),
    ])

  let request: DurableAttachRequest
  private let acknowledges: Bool
  private let limits: EventWatch.Limits

  init(_ arguments: Arguments) throws(UsageError) {
    self.request = DurableAttachRequest(name: arguments.operands[0], sinceEvent: arguments[Self.since])
    self.acknowledges = arguments.has(Self.acknowledge)
    self.limits = EventWatch.Limits(arguments)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      let watch = EventWatch(self.limits, in: conversation)
      watch.acknowledges = self.acknowledges ? self.request.name : nil
      watch.begin(self.request) { name in
        if !context.wantsJSON { conversation.print(name, human: ["-- \(DurableFormat.line(name))"]) }
      }
    }
  }
}
