import EventLoop
import JSONRPC
import Notations
import PositionClient
import PositionProtocol
import Positioning
import Printable
import ProgramArguments

/// `positionctl monitor`: when the receiver is on, and for whom.
struct MonitorCommand: Command {
  static let interval = Option("interval", .period, "time between two pictures (1s)")
  static let count = Option("count", letter: "n", .count, "end after this many pictures")

  static let description = CommandDescription(
    name: "monitor", summary: "watch when the receiver is on, and for whom",
    explanation: [
      "Shows the last hour as a line, in which \"#\" is a minute in which the receiver was on, \"+\" one in which it was "
        + "on for a part, and \".\" one in which it was off; and what the next start is for. Never turns the receiver on."
    ],
    options: [Self.interval, Self.count],
    examples: [
      "positionctl monitor": "a picture that follows the receiver, until Ctrl-C",
      "positionctl monitor -n 1": "one picture",
    ])

  private let interval: Duration
  private let count: Int?

  init(_ arguments: Arguments) throws(UsageError) {
    self.interval = arguments[Self.interval] ?? .seconds(1)
    self.count = arguments[Self.count]
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      let monitor = Monitor(conversation, interval: self.interval, count: self.count)
      conversation.onFinish = { monitor.end() }
      monitor.ask()
    }
  }
}

/// Asks for the status again and again.
private final class Monitor {
  private unowned let conversation: Conversation
  private let interval: Duration
  private var left: Int?
  private var isFirst = true
  private var timer: LoopTimer?

  init(_ conversation: Conversation, interval: Duration, count: Int?) {
    self.conversation = conversation
    self.interval = interval
    self.left = count
  }

  func end() { self.timer = nil }

  func ask() {
    self.conversation.ask(StatusGetRequest(), within: .seconds(10)) { self.show($0) }
  }

  private func show(_ status: DaemonStatus) {
    let context = self.conversation.context
    if !self.isFirst, !context.wantsJSON { context.process.turnPage() }
    self.isFirst = false
    self.conversation.print(status, human: MonitorFormat.lines(status, at: context.moment, in: context.format))
    self.left = self.left.map { $0 - 1 }
    if self.left == 0 { return self.conversation.finish(.success) }
    self.timer = self.conversation.timer { [unowned self] in self.ask() }
    self.timer?.arm(at: self.conversation.loop.now + self.interval)
  }
}

/// The picture of `positionctl monitor`.
enum MonitorFormat {
  /// The time that the line shows.
  private static let span: Duration = .seconds(3600)
  private static let width = 60

  static func lines(
    _ status: DaemonStatus, at moment: CodingMoment, in format: PositionFormat = PositionFormat()
  ) -> [String] {
    let power = status.power
    let timeline = PowerFormat.timeline(power.periods, over: Self.span, width: Self.width, now: moment.now)
    let next = PowerFormat.next(power.nextStart, power.current.state, now: moment.now)
    let hour = "-60 min".padded(Self.width - 3) + "now"
    return [
      "The receiver is \(power.current.state.text), \(TimeSpan.since(power.current.since, moment)); "
        + power.current.rung.text,
      "", timeline, hour, "",
      "Next start  \(next)",
      "First fix   \(PowerFormat.starts(power.timeToFirstFix))",
      "Was on      \(PowerFormat.shares(power.dutyCycle, uptime: status.uptime(at: moment.now)))",
      "",
    ] + StatusFormat.why(status, in: format)
  }
}
