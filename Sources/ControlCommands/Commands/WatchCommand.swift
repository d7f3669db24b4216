import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// `positionctl watch`: fixes as they come.
struct WatchCommand: Command {
  static let mode = Option<PositionSubscribeRequest.Mode>(
    "mode", .choice("MODE"),
    "continuous (keeps the receiver on), significant (far from the last fix; lets it sleep), passive (rides on what "
      + "others need) or deferred (many fixes at once)")
  static let accuracy = Option("accuracy", .accuracy, "what is asked of the receiver (room); withholds no fix")
  static let minDistance = Option("min-distance", .distance, "only after moving so far (0)")
  static let minInterval = Option("min-interval", .seconds, "not more often (1)")
  static let maxInterval = Option("max-interval", .period, "tell the newest fix again after so long without news")
  static let onlyBetterThan = Option("only-better-than", .meters, "withhold fixes that are less accurate")
  static let deferredDistance = Option("deferred-distance", .meters, "with deferred: once the path is so long")
  static let deferredTimeout = Option("deferred-timeout", .period, "with deferred: so long after the first fix")
  static let significantDistance = Option("significant-distance", .meters, "with significant: so far away (500)")
  static let significantInterval = Option(
    "significant-interval", .seconds, "with significant: not more often (300)")
  static let acquire = Option(
    "acquire", .acquisition,
    "with significant: look for a better fix for so long, until it is so accurate, and take what is so accurate then "
      + "(10m,100m)")
  static let autoPause = Option(flag: "auto-pause", "pause while the device rests")
  static let count = Option("count", letter: "n", .count, "end after so many fixes")
  static let duration = Option("duration", .period, "end after so long")
  static let activity = Option<Activity>(
    "activity", .choice("ACTIVITY"), "what moves the device: other, automotive, fitness, otherNavigation, airborne")

  static let description = CommandDescription(
    name: "watch", summary: "print fixes as they come",
    explanation: [
      "A line for each fix; a line that begins with \"--\" tells what happened, or begins a batch. Ends with Ctrl-C, or "
        + "as --count and --duration say; the exit code is 2 if the time was over before any fix came."
    ],
    options: [
      Self.mode, Self.accuracy, Self.minDistance, Self.minInterval, Self.maxInterval, Self.onlyBetterThan,
      Self.deferredDistance, Self.deferredTimeout, Self.significantDistance, Self.significantInterval, Self.acquire,
      Self.autoPause, Self.count, Self.duration, Self.activity,
    ],
    examples: [
      .init(line: "positionctl watch", meaning: "every fix, until Ctrl-C"),
      .init(line: "positionctl watch --min-distance 25m -n 10", meaning: "ten fixes, 25 m apart"),
      .init(
        line: "positionctl watch --mode passive --json", meaning: "what others ask for, without keeping the receiver on"
      ),
      .init(
        line: "positionctl watch --mode significant --acquire 30s,5m",
        meaning: "a good fix every 500 m, and a receiver that sleeps"),
      .init(
        line: "positionctl watch --mode deferred --deferred-timeout 10min",
        meaning: "the way of ten minutes at once"),
    ])

  let request: PositionSubscribeRequest

  /// The modes that have options of their own.
  private static let modeOptions: [(mode: PositionSubscribeRequest.Mode, options: [any CommandOption])] = [
    (.deferred, [Self.deferredDistance, Self.deferredTimeout]),
    (.significant, [Self.significantDistance, Self.significantInterval, Self.acquire]),
  ]

  init(_ arguments: Arguments) throws(UsageError) {
    let mode = arguments[Self.mode] ?? .continuous
    for (owner, options) in Self.modeOptions where owner != mode {
      if let option = options.first(where: { arguments.has($0) }) {
        throw UsageError("watch: --\(option.name) needs --mode \(owner.rawValue)")
      }
    }
    if mode == .deferred, !arguments.has(Self.deferredDistance), !arguments.has(Self.deferredTimeout) {
      throw UsageError("watch: --mode deferred needs --deferred-distance or --deferred-timeout")
    }
    self.request = PositionSubscribeRequest(
      mode: arguments[Self.mode], accuracy: arguments[Self.accuracy], minInterval: arguments[Self.minInterval],
      minDistance: arguments[Self.minDistance], maxInterval: arguments[Self.maxInterval],
      onlyBetterThan: arguments[Self.onlyBetterThan], maxUpdates: arguments[Self.count],
      duration: arguments[Self.duration], deferredDistance: arguments[Self.deferredDistance],
      deferredTimeout: arguments[Self.deferredTimeout], significantDistance: arguments[Self.significantDistance],
      significantInterval: arguments[Self.significantInterval], acquire: arguments[Self.acquire],
      activity: arguments[Self.activity], autoPause: arguments.has(Self.autoPause) ? true : nil)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      var hasFix = false
      conversation.follow(self.request, missed: "the fixes in between are missing") { [unowned conversation] event in
        switch event {
        case .begun(let subscription), .reconnected(let subscription): conversation.stands(subscription)
        case .told(let update as PositionUpdateNotification):
          if update.fix != nil || update.fixes != nil { hasFix = true }
          conversation.print(update, human: UpdateFormat.lines(update))
        case .stopped(let reason): conversation.ended(reason, hasFix: hasFix)
        case .over(nil): conversation.ended(.expired, hasFix: hasFix)
        case .told, .disconnected, .suspended, .over: break
        }
      }
    }
  }
}

extension Conversation {
  fileprivate func stands(_ subscription: SubscriptionResult) {
    guard subscription.availability != .available, !self.context.wantsJSON else { return }
    self.print(subscription, human: ["-- \(subscription.availability.rawValue): \(subscription.availability.words)"])
  }

  fileprivate func ended(_ reason: EndReason, hasFix: Bool) {
    switch reason {
    case .expired where !hasFix:
      self.context.tell("no fix came in this time; \"positionctl doctor\" looks for the cause")
      self.finish(.timedOut)
    case .expired, .cancelled: self.finish(.success)
    default:
      self.context.tell("the daemon ended it: \(reason.rawValue)")
      self.finish(.failure)
    }
  }
}
