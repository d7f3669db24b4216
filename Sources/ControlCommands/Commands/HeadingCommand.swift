import JSONRPC
import PositionClient
import PositionProtocol
import ProgramArguments

/// `positionctl heading`: where the device points.
struct HeadingCommand: Command {
  static let once = ParameterOptions<HeadingGetRequest>()
  static let watch = Option(flag: "watch", letter: "w", "keep updating until Ctrl-C")
  static let watching = ParameterOptions<HeadingSubscribeRequest>(condition: "with --watch")

  static let description = CommandDescription(
    name: "heading", summary: "show where the device points",
    explanation: [
      "From the receiver's compass if it has one, else the course of the moving device. A device at rest without a "
        + "compass has no heading: the exit code is 2 then, after the timeout. Turns the receiver on."
    ],
    options: Self.once.all + [Self.watch] + Self.watching.all,
    examples: [
      .init(line: "positionctl heading", meaning: "the current heading"),
      .init(line: "positionctl heading --watch --min-change 5", meaning: "one line per turn of 5 degrees or more"),
      .init(line: "positionctl heading --json", meaning: "for a script"),
    ])

  private enum Mode {
    case once(HeadingGetRequest)
    case watching(HeadingSubscribeRequest)
  }

  private let mode: Mode

  init(_ arguments: Arguments) throws(UsageError) {
    if arguments.has(Self.watch) {
      if let option = Self.once.given(in: arguments).first {
        throw UsageError("--\(option.name) and --watch cannot be combined")
      }
      self.mode = .watching(try Self.watching.request(arguments))
    } else {
      if let option = Self.watching.given(in: arguments).first {
        throw UsageError("--\(option.name) needs --watch")
      }
      self.mode = .once(try Self.once.request(arguments))
    }
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      switch self.mode {
      case .once(let request):
        conversation.request(request) { result in
          switch result {
          case .success(let result): conversation.answered(result)
          case .failure(let error): conversation.fail(error)
          }
        }
      case .watching(let request): conversation.watch(request)
      }
    }
  }
}

extension Conversation {
  fileprivate func answered(_ result: HeadingGetRequest.Result) {
    self.print(result, human: result.heading.map { [HeadingFormat.line($0, now: self.context.moment.now)] } ?? [])
    if result.heading != nil {
      self.finish(.success)
    } else {
      self.context.report("no heading in time: without a compass the device must move and have a fix")
      self.finish(.timedOut)
    }
  }

  fileprivate func watch(_ request: HeadingSubscribeRequest) {
    self.follow(request, missed: "headings in between were missed") { [unowned self] event in
      switch event {
      case .begun(let subscription), .reconnected(let subscription):
        // A heading that is known follows as an update.
        if subscription.state != .delivering, !self.context.wantsJSON {
          self.print(subscription, human: [HeadingFormat.line(.invalid)])
        }
      case .notified(let update as HeadingUpdateNotification):
        self.print(update, human: HeadingFormat.lines(update.update, now: self.context.moment.now))
      case .stopped(let reason):
        self.context.report("positiond ended it: \(reason.rawValue)")
        self.finish(.failure)
      case .notified, .disconnected, .suspended, .over: break
      }
    }
  }
}
