import JSONRPC
import Notations
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
      "positionctl watch": "every fix, until Ctrl-C",
      "positionctl watch --min-distance 25m -n 10": "ten fixes, at least 25 m apart",
      "positionctl watch --mode passive --json": "fixes that others ask for, without turning the receiver on",
      "positionctl watch --mode significant --acquire 30s,5m": "a good fix every 500 m; the receiver sleeps in between",
      "positionctl watch --mode deferred --deferred-timeout 10min": "the fixes of ten minutes at once",
      "positionctl watch --duration 30min --format geojson": "half an hour's way, for map programs and gpsbabel",
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
      let notation = self.notation
      var writer = notation.map { FixWriter($0) }
      if let notation, let writer {
        conversation.write(writer.beginning, in: notation)
        // However it ends: a collection must be complete.
        conversation.onFinish = { context.process.print(writer.end.map { Line($0) }) }
      }
      conversation.follow(self.request, missed: "fixes in between were missed") { [unowned conversation] event in
        switch event {
        case .begun(let subscription):
          shortfall?.begin()
          conversation.reportAvailability(subscription, notation)
        case .reconnected(let subscription): conversation.reportAvailability(subscription, notation)
        case .notified(let notification as PositionUpdateNotification):
          let update = notification.update
          if update.fix != nil || !update.fixes.isEmpty { hasFix = true }
          guard writer == nil else {
            if let notice = UpdateFormat.notice(update) { context.report(notice) }
            for fix in update.fix.map({ [$0] }) ?? update.fixes {
              if let notation, let line = writer?.line(fix, at: context.moment) {
                conversation.write([line], in: notation)
              }
            }
            return
          }
          conversation.print(
            notification, human: UpdateFormat.lines(update, now: context.moment.now, in: context.format))
        case .stopped(let reason): conversation.ended(reason, hasFix: hasFix, shortfall?.line)
        case .over(nil): conversation.ended(.expired, hasFix: hasFix, shortfall?.line)
        case .notified, .disconnected, .suspended, .over: break
        }
      }
    }
  }
}

extension Conversation {
  fileprivate func reportAvailability(_ subscription: SubscriptionResult, _ notation: FixNotation?) {
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
    default: self.fail(reason)
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
    let format = self.conversation.context.format
    let came = self.count.counted("fix came", "fixes came")
    let best = self.best.map { "the best \(UnmetAccuracyFormat.text($0, format))" } ?? "of unknown accuracy"
    return "no fix was better than \(UnmetAccuracyFormat.text(self.limit, format)): \(came), \(best)"
  }
}

/// The text form of the updates of a position subscription.
enum UpdateFormat {
  /// The fix or the batch, if there is one, and the reason; empty if there is nothing new.
  static func lines(
    _ update: PositionUpdate, now: Instant, in format: PositionFormat = PositionFormat()
  ) -> [String] {
    var lines = self.notice(update).map { ["-- \($0)"] } ?? []
    if update.dropped > 0 { lines.append("-- \(update.dropped.counted("fix", "fixes")) skipped") }
    if let fix = update.fix {
      var line = FixFormat.line(fix, level: update.achievedAccuracy, now: now, in: format)
      if update.isReplay { line += " (cached)" }
      if update.isRepeat { line += " (repeated)" }
      lines.append(line)
    }
    return lines + update.fixes.map { FixFormat.line($0, level: nil, now: now, in: format) }
  }

  /// The reason for the update; `nil` if the fix says everything.
  static func notice(_ update: PositionUpdate) -> String? {
    if update.state == .suspended {
      return "suspended: permission was withdrawn; delivery resumes when it is granted again"
    }
    guard let reason = update.reason else {
      if update.fix != nil || !update.fixes.isEmpty { return nil }
      return "\(update.availability.rawValue): \(update.availability.text)"
    }
    let batch = update.fixes.isEmpty ? nil : self.batch(update.fixes)
    let words = batch ?? reason.text ?? update.availability.text
    return "\(reason.rawValue): \(words)"
  }

  /// `batch of 12 fixes over 55 s`.
  private static func batch(_ fixes: [Fix]) -> String {
    var text = "batch of \(fixes.count.counted("fix", "fixes"))"
    if let first = fixes.first, let last = fixes.last, fixes.count > 1 {
      text += " over \(TimeSpan.words((last.arrival - first.arrival).seconds))"
    }
    return text
  }
}

extension DeliveryReason {
  /// The reason for people; `nil` if the availability says it.
  fileprivate var text: String? {
    switch self {
    case .paused: "delivery is paused"
    case .resumed: "delivery resumes"
    case .significantChange: "the device has moved; acquiring a better fix"
    case .acquiring: "acquiring a fix"
    case .acquired: "the acquired fix"
    case .acquisitionFailed: "no fix was accurate enough in time"
    case .expired: "its duration or its number of updates is reached"
    default: nil  // A change of availability, and reasons of a later daemon.
    }
  }
}
