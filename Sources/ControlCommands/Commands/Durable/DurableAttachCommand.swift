import JSONRPC
import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl durable attach`: the events of a durable name.
struct DurableAttachCommand: Command {
  static let parameters = ParameterOptions<DurableAttachRequest>(
    except: ["name"], named: ["sinceEvent": ("since", nil)],
    kinds: ["sinceEvent": ValueKind<Int>.event.map { .integer($0) }])
  static let acknowledge = Option(flag: "acknowledge", "acknowledge each event after printing it")

  static let description = CommandDescription(
    name: "durable attach", summary: "print the events of a durable name",
    explanation: [
      "Prints waiting events first, then new ones. Each line begins with the event's number. An event is delivered "
        + "again next time until it is acknowledged. Runs until Ctrl-C, or until --count or --duration is reached; the "
        + "exit code is 2 if no event came in that time.",
      "Only one program can be attached to a name: this command detaches the one that is.",
    ],
    operands: [.init(name: "NAME", .required)],
    options: Self.parameters.all + [Self.acknowledge, EventWatch.count, EventWatch.duration],
    examples: [
      .init(line: "positionctl durable attach tracker", meaning: "show events without acknowledging them"),
      .init(line: "positionctl durable attach tracker --acknowledge", meaning: "show and acknowledge events"),
      .init(
        line: "positionctl durable attach tracker --since 1234 --json",
        meaning: "events after 1234, for a script that remembers it"),
    ])

  let request: DurableAttachRequest
  private let acknowledges: Bool
  private let limits: EventWatch.Limits

  init(_ arguments: Arguments) throws(UsageError) {
    self.request = try Self.parameters.request(
      arguments, beside: ["name": .string(arguments.operands[0])])
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
