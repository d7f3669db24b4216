import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import Printable
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
      "positionctl heading": "the current heading",
      "positionctl heading --watch --min-change 5": "one line per turn of 5 degrees or more",
      "positionctl heading --json": "for a script",
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
      case .once(let request): conversation.ask(request) { conversation.answered($0) }
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
      case .stopped(let reason): self.fail(reason)
      case .notified, .disconnected, .suspended, .over: break
      }
    }
  }
}

/// The text form of headings.
enum HeadingFormat {
  /// One line, such as `271° true, 267° magnetic, ±4° (course), 0.4 s ago`.
  static func line(_ heading: Heading, now: Instant) -> String {
    var parts: [String] = []
    if let direction = heading.trueHeading { parts.append("\(FixFormat.degrees(direction)) true") }
    if let direction = heading.magneticHeading { parts.append("\(FixFormat.degrees(direction)) magnetic") }
    if let accuracy = heading.accuracy { parts.append("±\(accuracy.short)°") }
    return parts.joined(separator: ", ")
      + " (\(heading.source.rawValue)), \(TimeSpan.words(heading.age(at: now).seconds)) ago"
  }

  static func lines(_ update: HeadingUpdate, now: Instant) -> [String] {
    let dropped = update.dropped > 0 ? ["-- \(update.dropped.counted("update", "updates")) skipped"] : []
    let line = update.heading.map { self.line($0, now: now) } ?? self.line(update.state ?? .invalid)
    return dropped + [line + (update.isRepeat ? " (repeated)" : "")]
  }

  /// That there is no heading, and why.
  static func line(_ state: HeadingState) -> String {
    switch state {
    case .valid: "-- valid: there is a heading"
    case .invalid: "-- invalid: no heading now; without a compass the device must move and have a fix"
    case .unavailable: "-- unavailable: the receiver has no compass and reports no course"
    }
  }
}
