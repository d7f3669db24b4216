import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import Printable
import ProgramArguments

/// `positionctl watch`: fixes as they arrive.
struct WatchCommand: Command {
  static let options = ParameterOptions<PositionSubscribeRequest>(
    except: ["durable"], named: ["maxUpdates": ("count", "n")])

  static let description = CommandDescription(
    name: "watch", summary: "print fixes as they come",
    explanation: [
      "One line per fix; a line that begins with \"--\" reports an event or begins a batch. Runs until Ctrl-C, or until "
        + "--count or --duration is reached; the exit code is 2 if no fix came in that time."
    ],
    options: Self.options.all + [FixNotation.option],
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
      .init(
        line: "positionctl watch --duration 30min --format geojson",
        meaning: "half an hour's way, for map programs and gpsbabel"),
    ])

  let request: PositionSubscribeRequest
  private let notation: FixNotation?

  init(_ arguments: Arguments) throws(UsageError) {
    try Self.checkModes(arguments)
    self.request = try Self.options.request(arguments)
    self.notation = try FixNotation.given(in: arguments)
  }

  /// A conflict of modes is reported with the names of the command line's options.
  private static func checkModes(_ arguments: Arguments) throws(UsageError) {
    let options = Self.options
    var mode = SubscriptionParameters().mode
    if let option = options["mode"], case .string(let word)? = arguments[option] {
      mode = SubscriptionParameters.Mode(rawValue: word) ?? mode
    }
    for parameter in SubscriptionParameter.allCases {
      guard let owner = parameter.mode, owner != mode, let option = options[parameter.name], arguments.has(option)
      else {
        continue
      }
      throw UsageError("--\(option.name) needs --mode \(owner.rawValue)")
    }
    let batches = [SubscriptionParameter.deferredDistance, .deferredTimeout].compactMap { options[$0.name] }
    if mode == .deferred, !batches.contains(where: { arguments.has($0) }) {
      throw UsageError("--mode deferred needs \(batches.map { "--\($0.name)" }.joined(separator: " or "))")
    }
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      var hasFix = false
      let shortfall = self.request.asked.onlyBetterThan.map { Shortfall(of: $0, in: conversation) }
      conversation.onSignal = { [unowned conversation] code in
        if !hasFix, let line = shortfall?.line { context.report(line) }
        conversation.finish(code)
      }
      var writer = self.notation.map { FixWriter($0) }
      if let writer {
        conversation.write(writer.beginning)
        // However it ends: a collection must be complete.
        conversation.onFinish = { context.process.print(writer.end.map { Line($0) }) }
      }
      conversation.follow(self.request, missed: "fixes in between were missed") { [unowned conversation] event in
        switch event {
        case .begun(let subscription):
          shortfall?.begin()
          conversation.stands(subscription, self.notation)
        case .reconnected(let subscription): conversation.stands(subscription, self.notation)
        case .notified(let notification as PositionUpdateNotification):
          let update = notification.update
          if update.fix != nil || !update.fixes.isEmpty { hasFix = true }
          guard writer == nil else {
            if let notice = UpdateFormat.notice(update) { context.report(notice) }
            for fix in update.fix.map({ [$0] }) ?? update.fixes {
              if let line = writer?.line(fix, at: context.moment) { conversation.write([line]) }
            }
            return
          }
          conversation.print(notification, human: UpdateFormat.lines(update, now: conversation.context.moment.now))
        case .stopped(let reason): conversation.ended(reason, hasFix: hasFix, shortfall?.line)
        case .over(nil): conversation.ended(.expired, hasFix: hasFix, shortfall?.line)
        case .notified, .disconnected, .suspended, .over: break
        }
      }
    }
  }
}

extension Conversation {
  fileprivate func stands(_ subscription: SubscriptionResult, _ notation: FixNotation?) {
    guard subscription.availability != .available, !self.context.wantsJSON else { return }
    if notation != nil {
      return self.context.report("\(subscription.availability.rawValue): \(subscription.availability.text)")
    }
    self.print(subscription, human: ["-- \(subscription.availability.rawValue): \(subscription.availability.text)"])
  }

  /// - Parameter shortfall: What came instead, if fixes came and none was good enough.
  fileprivate func ended(_ reason: EndReason, hasFix: Bool, _ shortfall: String?) {
    switch reason {
    case .expired where !hasFix:
      self.context.report(shortfall ?? "no fix in this time; run \"positionctl doctor\" to find the cause")
      self.finish(.timedOut)
    case .expired, .cancelled: self.finish(.success)
    default:
      self.context.report("positiond ended it: \(reason.rawValue)")
      self.finish(.failure)
    }
  }
}

/// The fixes that came although none was as good as `--only-better-than` asks. A passive subscription sees them, which turns
/// no receiver on.
private final class Shortfall {
  private let limit: Double
  private unowned let conversation: Conversation
  private var count = 0
  /// Metres; `nil` while every accuracy is unknown.
  private var best: Double?

  /// - Parameter limit: Metres.
  init(of limit: Double, in conversation: Conversation) {
    self.limit = limit
    self.conversation = conversation
  }

  /// Once, since it begins again by itself after an outage.
  func begin() {
    var passive = SubscriptionChange()
    passive.mode = .passive
    passive.minInterval = .zero
    self.conversation.follow(beside: PositionSubscribeRequest(passive)) { [weak self] in
      if let notification = $0 as? PositionUpdateNotification, let fix = notification.update.fix { self?.saw(fix) }
    }
  }

  private func saw(_ fix: Fix) {
    self.count += 1
    if let accuracy = fix.horizontalAccuracy { self.best = min(self.best ?? accuracy, accuracy) }
  }

  /// For people; `nil` if no fix came, or one was withheld for another reason than its accuracy.
  var line: String? {
    guard self.count > 0, self.best ?? .infinity >= self.limit else { return nil }
    let came = self.count.counted("fix came", "fixes came")
    let best = self.best.map { "the best \(UnmetAccuracyFormat.text($0))" } ?? "of unknown accuracy"
    return "no fix was better than \(UnmetAccuracyFormat.text(self.limit)): \(came), \(best)"
  }
}
