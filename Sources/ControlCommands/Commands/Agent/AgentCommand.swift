import EventLoop
import PositionClient

/// `positionctl agent`: asks a person whether programs may know the position.
struct AgentCommand: Command {
  static let once = Option(flag: "once", "end after one answer")
  static let yes = Option(flag: "yes", "ask nobody, and allow everything that is asked for")
  static let no = Option(flag: "no", "ask nobody, and deny everything")

  static let description = CommandDescription(
    name: "agent", summary: "ask you whether programs may know where the device is",
    explanation: [
      "Shows each question on this terminal: first what the system knows of the program, then what the program says of "
        + "itself. Answer yes, no, once (this time only), reduced (within some kilometres) or, where it is asked for, "
        + "always (also while the program is not connected); the first letter will do, and two may go together, such as "
        + "\"once reduced\". Runs until Ctrl-C.",
      "A rule in positiond.conf must let this user be an agent, with agent=yes.",
    ],
    options: [Self.once, Self.yes, Self.no],
    examples: [
      .init(line: "positionctl agent", meaning: "ask here, for as long as this terminal is open"),
      .init(line: "positionctl agent --once", meaning: "ask once"),
      .init(line: "positionctl agent --no --json", meaning: "deny everything, with a line for each; for a script"),
    ])

  private let endsAfterFirst: Bool
  /// What is answered without a person.
  private let verdict: Bool?

  init(_ arguments: Arguments) throws(UsageError) {
    let (isYes, isNo) = (arguments.has(Self.yes), arguments.has(Self.no))
    guard !isYes || !isNo else { throw UsageError("agent: --yes and --no exclude each other") }
    self.endsAfterFirst = arguments.has(Self.once)
    self.verdict = isYes || isNo ? isYes : nil
  }

  func run(in context: CommandContext) -> ExitCode {
    do throws(SystemError) {
      let answerer: AgentSession.Answerer
      if let verdict {
        answerer = .always(isAllowed: verdict)
      } else if let terminal = try context.surroundings.openTerminal() {
        let dialog = TerminalDialog(terminal)
        try dialog.begin(on: context.loop)
        answerer = .person(dialog)
      } else {
        context.tell("agent: there is no terminal to ask a person on; --yes or --no answers without one")
        return .usage
      }
      return context.converse(Self.description) { conversation in
        AgentSession(answerer, endsAfterFirst: self.endsAfterFirst, in: conversation).begin()
      }
    } catch {
      context.tell("\(error)")
      return .failure
    }
  }
}
