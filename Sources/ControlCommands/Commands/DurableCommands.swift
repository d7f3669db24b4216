import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import Printable
import ProgramArguments

/// `positionctl durable list`: the user's durable names.
struct DurableListCommand: RequestCommand {
  static let description = CommandDescription(
    name: "durable list", summary: "list your durable names and waiting events",
    explanation: [
      "One line per name: what is registered, how many events are waiting, and whether a program is attached. "
        + "\"positionctl region list\" lists the regions."
    ],
    examples: [
      "positionctl durable list": "one line per name",
      "positionctl durable list --json": "in full, for a script",
    ])

  let request = DurableListRequest()

  init(_ arguments: Arguments) throws(UsageError) {}

  func show(_ list: DurableListRequest.Result, in conversation: Conversation) {
    if list.names.isEmpty { conversation.context.note("no durable names") }
    for name in list.names { conversation.print(name, human: [DurableFormat.line(name)]) }
  }
}

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
      "positionctl durable attach tracker": "show events without acknowledging them",
      "positionctl durable attach tracker --acknowledge": "show and acknowledge events",
      "positionctl durable attach tracker --since 1234 --json": "events after 1234, for a script that remembers it",
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

/// `positionctl durable acknowledge`: acknowledges events.
struct DurableAcknowledgeCommand: RequestCommand {
  static let description = CommandDescription(
    name: "durable acknowledge", summary: "acknowledge events",
    explanation: ["Acknowledged events are not delivered again."],
    operands: [.init(name: "NAME", .required), .init(name: "EVENT", .required)],
    examples: [
      "positionctl durable acknowledge tracker 1234": "this event and all before it"
    ])

  let request: DurableAcknowledgeRequest

  init(_ arguments: Arguments) throws(UsageError) {
    let event = try ValueKind.event.value(of: arguments.operands[1], option: "EVENT")
    self.request = DurableAcknowledgeRequest(name: arguments.operands[0], event: event)
  }

  func show(_ result: DurableAcknowledgeRequest.Result, in conversation: Conversation) {
    conversation.print(result, human: ["\(result.waiting.counted("event", "events")) waiting"])
  }
}

/// `positionctl durable remove`: removes a durable name.
struct DurableRemoveCommand: RequestCommand {
  static let description = CommandDescription(
    name: "durable remove", summary: "remove a durable name",
    explanation: ["Removes its regions, subscriptions and waiting events too."],
    operands: [.init(name: "NAME", .required)],
    examples: ["positionctl durable remove tracker": "and report how many events were waiting"])

  let request: DurableRemoveRequest

  init(_ arguments: Arguments) throws(UsageError) {
    self.request = DurableRemoveRequest(name: arguments.operands[0])
  }

  func show(_ result: DurableRemoveRequest.Result, in conversation: Conversation) {
    let lost = result.waiting > 0 ? "; \(result.waiting.counted("waiting event", "waiting events")) dropped" : ""
    conversation.print(result, human: ["removed \(self.request.name)\(lost)"])
  }
}

/// The options that select a durable name.
enum DurableOptions {
  static let durable = Option("durable", .name("NAME"), "the durable name of the region")
  static let wake = Option(
    "wake", .name("UNIT"), "with --durable: a service that events start, such as tracker.service")
}

/// The text form of durable names.
enum DurableFormat {
  /// One line: what is registered, how many events wait, whether a program is attached.
  static func line(_ name: DurableInfo) -> String {
    var registered: [String] = []
    let regions = name.regions.count.plus(name.regionsOmitted)
    if regions > 0 { registered.append(regions.counted("region", "regions")) }
    if let position = name.position { registered.append("\(position.mode.rawValue) positions") }
    if name.hasVisits { registered.append("visits") }
    var parts = [registered.isEmpty ? "nothing registered" : registered.joined(separator: ", ")]
    let newest = name.lastEvent > 0 ? ", newest #\(name.lastEvent)" : ""
    parts.append("\(name.waiting.counted("event", "events")) waiting\(newest)")
    parts.append(name.isAttached ? "a program is attached" : "no program is attached")
    if let wake = name.wake {
      let error = name.wakeError.map { ", which failed: \($0)" } ?? ""
      parts.append("wakes \(wake)\(error)")
    }
    return "\(name.name): \(parts.joined(separator: "; "))"
  }
}
