import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import ProgramArguments

/// `positionctl watch`: fixes as they come.
struct WatchCommand: Command {
  static let mode = Option<SubscriptionParameters.Mode>(
    "mode", .choice("MODE"),
    "continuous (keeps the receiver on; default), significant (far from the last fix; lets it sleep), passive (only "
      + "what others ask for) or deferred (many fixes at once)")
  static let accuracy = Option("accuracy", .accuracy, "accuracy to ask of the receiver (room); does not filter fixes")
  static let minDistance = Option("min-distance", .distance, "least distance between fixes (0)")
  static let minInterval = Option("min-interval", .seconds, "least time between fixes (1)")
  static let maxInterval = Option("max-interval", .period, "repeat the newest fix after this time without a new one")
  static let onlyBetterThan = Option("only-better-than", .meters, "drop fixes less accurate than this")
  static let deferredDistance = Option(
    "deferred-distance", .meters, "with deferred: deliver after a path of this length")
  static let deferredTimeout = Option(
    "deferred-timeout", .period, "with deferred: deliver this long after the first fix")
  static let significantDistance = Option("significant-distance", .meters, "with significant: least distance (500)")
  static let significantInterval = Option(
    "significant-interval", .seconds, "with significant: least time between fixes (300)")
  static let acquire = Option(
    "acquire", .acquisition,
    "with significant: how long to look for a better fix, the desired accuracy, and the accuracy accepted in the end "
      + "(10m,100m)")
  static let autoPause = Option(flag: "auto-pause", "pause while the device is at rest")
  static let count = Option("count", letter: "n", .count, "end after this many fixes")
  static let duration = Option("duration", .period, "end after this time")
  static let activity = Option<Activity>(
    "activity", .choice("ACTIVITY"), "what moves the device: other, automotive, fitness, otherNavigation, airborne")

  static let description = CommandDescription(
    name: "watch", summary: "print fixes as they come",
    explanation: [
      "One line per fix; a line that begins with \"--\" reports an event or begins a batch. Runs until Ctrl-C, or until "
        + "--count or --duration is reached; the exit code is 2 if no fix came in that time."
    ],
    options: [
      Self.mode, Self.accuracy, Self.minDistance, Self.minInterval, Self.maxInterval, Self.onlyBetterThan,
      Self.deferredDistance, Self.deferredTimeout, Self.significantDistance, Self.significantInterval, Self.acquire,
      Self.autoPause, Self.count, Self.duration, Self.activity,
    ],
    examples: [
      .init(line: "positionctl watch", meaning: "every fix, until Ctrl-C"),
      .init(line: "positionctl watch --min-distance 25m -n 10", meaning: "ten fixes, at least 25 m apart"),
      .init(
        line: "positionctl watch --mode passive --json",
        meaning: "fixes that others ask for, without turning the receiver on"
      ),
      .init(
        line: "positionctl watch --mode significant --acquire 30s,5m",
        meaning: "a good fix every 500 m; the receiver sleeps in between"),
      .init(
        line: "positionctl watch --mode deferred --deferred-timeout 10min",
        meaning: "the fixes of ten minutes at once"),
    ])

  let request: PositionSubscribeRequest

  /// The modes that have options of their own.
  private static let modeOptions: [(mode: SubscriptionParameters.Mode, options: [any CommandOption])] = [
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
    var asked = SubscriptionChange()
    asked.mode = arguments[Self.mode]
    asked.accuracy = arguments[Self.accuracy]
    asked.minInterval = arguments[Self.minInterval]
    asked.minDistance = arguments[Self.minDistance]
    asked.maxInterval = arguments[Self.maxInterval]
    asked.onlyBetterThan = arguments[Self.onlyBetterThan]
    asked.maxUpdates = arguments[Self.count]
    asked.duration = arguments[Self.duration]
    asked.deferredDistance = arguments[Self.deferredDistance]
    asked.deferredTimeout = arguments[Self.deferredTimeout]
    asked.significantDistance = arguments[Self.significantDistance]
    asked.significantInterval = arguments[Self.significantInterval]
    asked.acquire = arguments[Self.acquire]
    asked.activity = arguments[Self.activity]
    asked.autoPause = arguments.has(Self.autoPause) ? true : nil
    self.request = PositionSubscribeRequest(asked)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      var hasFix = false
      conversation.follow(self.request, missed: "fixes in between were missed") { [unowned conversation] event in
        switch event {
        case .begun(let subscription), .reconnected(let subscription): conversation.stands(subscription)
        case .notified(let notification as PositionUpdateNotification):
          let update = notification.update
          if update.fix != nil || !update.fixes.isEmpty { hasFix = true }
          conversation.print(notification, human: UpdateFormat.lines(update, now: conversation.context.moment.now))
        case .stopped(let reason): conversation.ended(reason, hasFix: hasFix)
        case .over(nil): conversation.ended(.expired, hasFix: hasFix)
        case .notified, .disconnected, .suspended, .over: break
        }
      }
    }
  }
}

extension Conversation {
  fileprivate func stands(_ subscription: SubscriptionResult) {
    guard subscription.availability != .available, !self.context.wantsJSON else { return }
    self.print(subscription, human: ["-- \(subscription.availability.rawValue): \(subscription.availability.text)"])
  }

  fileprivate func ended(_ reason: EndReason, hasFix: Bool) {
    switch reason {
    case .expired where !hasFix:
      self.context.report("no fix in this time; run \"positionctl doctor\" to find the cause")
      self.finish(.timedOut)
    case .expired, .cancelled: self.finish(.success)
    default:
      self.context.report("positiond ended it: \(reason.rawValue)")
      self.finish(.failure)
    }
  }
}
