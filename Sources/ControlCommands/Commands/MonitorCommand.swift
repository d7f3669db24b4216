import EventLoop
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
      .init(line: "positionctl monitor", meaning: "a picture that follows the receiver, until Ctrl-C"),
      .init(line: "positionctl monitor -n 1", meaning: "one picture"),
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
    self.conversation.request(StatusGetRequest(), within: .seconds(10)) { result in
      switch result {
      case .success(let status): self.show(status)
      case .failure(let error): self.conversation.fail(error)
      }
    }
  }

  private func show(_ status: DaemonStatus) {
    let context = self.conversation.context
    if !self.isFirst, !context.wantsJSON { context.process.turnPage() }
    self.isFirst = false
    self.conversation.print(status, human: MonitorFormat.lines(status, at: context.moment))
    self.left = self.left.map { $0 - 1 }
    if self.left == 0 { return self.conversation.finish(.success) }
    do throws(SystemError) {
      let timer = try self.conversation.loop.timer(accuracy: .milliseconds(50)) { [unowned self] in self.ask() }
      timer.arm(at: self.conversation.loop.now + self.interval)
      self.timer = timer
    } catch {
      context.report("\(error)")
      self.conversation.finish(.failure)
    }
  }
}
