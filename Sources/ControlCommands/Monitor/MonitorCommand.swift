import EventLoop
import ProgramArguments

/// `positionctl monitor`: everything that positiond knows, on one screen that follows it.
struct MonitorCommand: Command {
  static let on = Option(flag: "on", "keep the receiver on; else the screen only observes, and turns nothing on")
  static let interval = Option("interval", .period, "time between two pictures (1s)")
  static let count = Option("count", letter: "n", .count, "print lines, and end after this many")

  static let description = CommandDescription(
    name: "monitor", summary: "watch fix, sky, receiver and programs on a screen",
    explanation: [
      "On a terminal, shows the fix and what it may be trusted for, the satellites, the way of the last fixes, when the "
        + "receiver was and will be on, who asks for what and who decides the rate, regions near by, and the last events. "
        + "The keys 1 to 5 choose all or one subject, u and c choose units and the notation of places, space freezes the screen, \"?\" shows all keys, and q or Ctrl-C quits.",
      "In the receiver's hour a full block (without Unicode: \"#\") is a minute in which it was on, a half one (\"+\") one "
        + "in which it was on for a part, and a dot one in which it was off.",
      "Into a pipe, or with --json, it prints the present state and then a line for each change.",
    ],
    options: [Self.on, Self.interval, Self.count],
    examples: [
      "positionctl monitor": "a screen that only observes, until q",
      "positionctl monitor --on": "the same, and the receiver stays on",
      "positionctl monitor --json": "the whole status at each change, for a program",
    ])

  private let keepsOn: Bool
  private let interval: Duration
  private let count: Int?

  init(_ arguments: Arguments) throws(UsageError) {
    self.keepsOn = arguments.has(Self.on)
    self.interval = arguments[Self.interval] ?? .seconds(1)
    self.count = arguments[Self.count]
  }

  func run(in context: CommandContext) -> ExitCode {
    guard self.count == nil, !context.wantsJSON, context.process.canRedrawOutput, let output = context.process.screen
    else { return self.printLines(in: context) }
    guard TerminalScreen.load() else {
      context.report("the screen needs ncurses: install the package libncursesw6; a line for each change follows")
      return self.printLines(in: context)
    }
    guard let screen = self.openScreen(output, in: context) else {
      context.report("this terminal can show no screen, so a line for each change follows")
      return self.printLines(in: context)
    }
    // However it ends.
    defer { screen.end() }
    return context.converse(Self.description, waits: true) { conversation in
      let session = MonitorSession(keepsOn: self.keepsOn, in: conversation)
      ScreenMonitor(screen, session, interval: self.interval, in: conversation).begin()
    }
  }

  private func printLines(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      LineMonitor(keepsOn: self.keepsOn, count: self.count, in: conversation).begin()
    }
  }

  private func openScreen(_ output: Int32, in context: CommandContext) -> TerminalScreen? {
    let process = context.process
    let own: FileDescriptor?
    do throws(SystemError) { own = try process.openTerminal() } catch { own = nil }
    guard let input = own ?? PersonTerminal.reopen(output) else { return nil }
    return TerminalScreen(
      output: output, input: input, type: process.environment["TERM"] ?? "", isUnicode: process.isUnicode,
      wantsColor: process.wantsColor)
  }
}
