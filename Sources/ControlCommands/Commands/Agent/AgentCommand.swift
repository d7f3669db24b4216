import EventLoop
import PositionClient
import ProgramArguments

/// `positionctl agent`: asks a person whether programs may know the position.
struct AgentCommand: Command {
  static let once = Option(flag: "once", "end after one answer")
  static let yes = Option(flag: "yes", "allow everything without asking")
  static let no = Option(flag: "no", "deny everything without asking")

  static let description = CommandDescription(
    name: "agent", summary: "ask you whether programs may know where the device is",
    explanation: [
      "Shows each prompt on this terminal: what the system knows of the program, then what the program says of itself. "
        + "Answer yes, no, once (this time only), reduced (to a few kilometres) or, if it was requested, always (even "
        + "when the program is not connected). First letters are enough, and two answers combine, such as "
        + "\"once reduced\". Runs until Ctrl-C.",
      "A rule in positiond.conf must allow this user to be an agent, with agent=yes.",
    ],
    options: [Self.once, Self.yes, Self.no],
    examples: [
      .init(line: "positionctl agent", meaning: "ask on this terminal until Ctrl-C"),
      .init(line: "positionctl agent --once", meaning: "ask once"),
      .init(line: "positionctl agent --no --json", meaning: "deny everything, with a line for each; for a script"),
    ])

  private let endsAfterFirst: Bool
  /// The automatic answer; `nil`: a person answers.
  private let verdict: Bool?

  init(_ arguments: Arguments) throws(UsageError) {
    let (isYes, isNo) = (arguments.has(Self.yes), arguments.has(Self.no))
    guard !isYes || !isNo else { throw UsageError("--yes and --no cannot be combined") }
    self.endsAfterFirst = arguments.has(Self.once)
    self.verdict = isYes || isNo ? isYes : nil
  }

  func run(in context: CommandContext) -> ExitCode {
    do throws(SystemError) {
      let answerer: AgentSession.Answerer
      if let verdict {
        answerer = .always(isAllowed: verdict)
      } else if let terminal = try context.process.openTerminal() {
        let dialog = TerminalDialog(terminal)
        try dialog.begin(on: context.loop)
        answerer = .person(dialog)
      } else {
        context.report("agent: no terminal to show prompts on; --yes or --no answers without asking")
        return .usage
      }
      return context.converse(Self.description) { conversation in
        AgentSession(answerer, endsAfterFirst: self.endsAfterFirst, in: conversation).begin()
      }
    } catch {
      context.report("\(error)")
      return .failure
    }
  }
}
