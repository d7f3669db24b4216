import Notations
import PositionClient
import PositionProtocol
import Positioning
import Printable
import ProgramArguments

/// `positionctl get`: one fix.
struct GetCommand: Command {
  static let options = ParameterOptions<PositionGetRequest>(named: ["acceptableAccuracy": ("accept", nil)])

  static let description = CommandDescription(
    name: "get", summary: "get one fix",
    explanation: [
      "Answers at once if positiond has a fix that is good enough; else turns the receiver on and waits. "
        + "At the timeout the best fix so far is printed, and the exit code is 2 if it is not accurate enough.",
      "A receiver that was off for long needs minutes. On a terminal, without --timeout, it waits on for as long as the "
        + "receiver's starts have taken, until Ctrl-C.",
    ],
    options: Self.options.all + [FixNotation.option],
    examples: [
      "positionctl get": "100 m or better, at most a minute old",
      "positionctl get --accuracy house --timeout 60": "15 m or better, waiting up to a minute",
      "positionctl get --accuracy 10m --accept 50m --json": "10 m if possible within 30 s, else 50 m; for a script",
      "positionctl get --format latitude,longitude": "two numbers, for a script",
      "positionctl get --units nautical --coordinates dm": "knots, and degrees and minutes",
    ])

  let request: PositionGetRequest
  private let notation: FixNotation?
  private let isTimeoutGiven: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    self.request = try Self.options.request(arguments)
    self.notation = try FixNotation.given(in: arguments)
    self.isTimeoutGiven = Self.options.given(in: arguments).contains { $0.name == "timeout" }
  }

  func run(in context: CommandContext) -> ExitCode {
    let isPersonThere = context.process.output.isTerminal && context.process.canRedrawErrors
    return context.converse(Self.description) { conversation in
      self.ask(self.request, in: conversation, mayWaitOn: isPersonThere && !self.isTimeoutGiven)
    }
  }

  private func ask(_ request: PositionGetRequest, in conversation: Conversation, mayWaitOn: Bool) {
    let display = AcquisitionDisplay(timeout: request.request.timeout.seconds, in: conversation)
    conversation.request(request) { result in
      // Before anything is printed, because the output may be the same terminal.
      display?.end()
      switch result {
      case .success(let result):
        guard mayWaitOn, result.isOnlyLate else {
          return conversation.answered(result, to: request.request, self.notation)
        }
        self.waitOn(after: result, in: conversation)
      case .failure(let error): conversation.fail(error)
      }
    }
  }

  /// Asks again, for as long as a start of this receiver takes.
  private func waitOn(after result: PositionGetRequest.Result, in conversation: Conversation) {
    conversation.ask(StatusGetRequest()) { status in
      var request = self.request
      request.request.timeout = ColdStart.timeout(status.power.timeToFirstFix)
      let words = UnmetAccuracyFormat.line(
        result, wanted: request.request.accuracy ?? .block, conversation.context.format)
      conversation.context.report(
        "\(words); waiting up to \(TimeSpan.words(request.request.timeout.seconds)) more, until Ctrl-C")
      self.ask(request, in: conversation, mayWaitOn: false)
    }
  }
}

/// How long the first fix of a receiver that was off for long may take.
enum ColdStart {
  /// Under an open sky a receiver that knows nothing needs half a minute, and in a street several times as long.
  private static let usual = Duration.seconds(300)
  /// A receiver gets the almanac within 12.5 minutes.
  private static let limit = Duration.seconds(900)

  /// Twice its longest cold start so far, within bounds.
  static func timeout(_ times: DaemonStatus.StartTimes) -> Duration {
    min(max(times.cold.map { $0.most * 2 } ?? Self.usual, .seconds(120)), Self.limit)
  }
}

extension PositionGetRequest.Result {
  /// Whether nothing is wrong: the receiver searches, and has not found its position yet.
  fileprivate var isOnlyLate: Bool {
    guard self.status == .timedOut, self.diagnostics.problem == nil else { return false }
    return switch self.diagnostics.availability {
    case .searching, .lost: true
    case .available, .untrusted, .stale, .accuracyLimited, .poweredDown, .receiverMissing, .gpsdFull, .gpsdDown,
      .denied, .unknown:
      false
    }
  }
}

extension Conversation {
  fileprivate func answered(_ result: PositionGetRequest.Result, to request: FixRequest, _ notation: FixNotation?) {
    if let notation {
      self.write(result.fix, in: notation)
    } else {
      let fix =
        result.fix.map {
          [FixFormat.line($0, level: result.achievedAccuracy, now: self.context.moment.now, in: self.context.format)]
        } ?? []
      self.print(result, human: fix)
    }
    switch result.status {
    case .success:
      if !result.isSatisfied {
        self.context.report(UnmetAccuracyFormat.line(result, wanted: request.accuracy ?? .block, self.context.format))
        if let problem = result.diagnostics.problem { self.context.report("what to do: \(problem.advice)") }
      }
      self.finish(.success)
    case .timedOut:
      self.context.report(
        UnmetAccuracyFormat.line(
          result, wanted: request.acceptableAccuracy ?? request.accuracy ?? .block, self.context.format))
      if let advice = DiagnosticsFormat.advice(result.diagnostics) { self.context.report("what to do: \(advice)") }
      self.finish(.timedOut)
    }
  }
}

/// Why a one-shot's fix is missing or less accurate than requested, for people.
enum UnmetAccuracyFormat {
  /// One line, such as `no fix was accurate enough within 30 s: best 9.8 m, wanted 5 m; try --accept 50m`.
  static func line(
    _ result: PositionGetRequest.Result, wanted: AccuracyDemand, _ format: PositionFormat = PositionFormat()
  ) -> String {
    let time = TimeSpan.words(result.elapsed.seconds)
    guard let fix = result.fix else { return "no fix within \(time): \(DiagnosticsFormat.line(result.diagnostics))" }
    let start = result.status == .success ? "no better fix within" : "no fix was accurate enough within"
    guard let best = fix.horizontalAccuracy else {
      return "\(start) \(time): accuracy unknown, wanted \(self.text(wanted.meters, format))"
    }
    // The fix is accurate enough but too old, or as accurate as the permission allows.
    guard best > wanted.meters, !fix.isReduced else {
      return "\(start) \(time): \(DiagnosticsFormat.line(result.diagnostics))"
    }
    let proposal = result.status == .success ? nil : self.steps.first { $0 >= 1.5 * best }
    return "\(start) \(time): best \(self.text(best, format)), wanted \(self.text(wanted.meters, format))"
      + (proposal.map { "; try --accept \($0.fixed(0))m" } ?? "")
  }

  /// Accuracies to propose, in metres.
  private static let steps = [10.0, 50, 100, 500, 1000, 5000]

  /// Such as `9.8 m` and `5 m`, from metres.
  static func text(_ meters: Double, _ format: PositionFormat) -> String {
    format.length(meters).replacing(".0 ", with: " ")
  }
}

/// The text form of diagnostics: why there is no better fix.
enum DiagnosticsFormat {
  static func line(_ diagnostics: Diagnostics) -> String {
    var parts = [diagnostics.availability.text(detail: self.detail(diagnostics))]
    if let seen = diagnostics.satellitesSeen {
      let used = diagnostics.satellitesUsed.map { ", \($0) used" } ?? ""
      parts.append("\(seen.counted("satellite", "satellites")) seen\(used)")
    }
    if let age = diagnostics.lastFixAge { parts.append("newest fix \(TimeSpan.words(age.seconds)) ago") }
    return parts.joined(separator: "; ")
  }

  /// A search without a fix is interrupted by pauses, in which the connection to gpsd says nothing about it.
  private static func detail(_ diagnostics: Diagnostics) -> String? {
    guard diagnostics.availability == .searching else { return diagnostics.detail }
    switch diagnostics.power {
    case .released, .off, .turningOff: return "the receiver rests until the next attempt"
    case .on, .turningOn, .unknown: return diagnostics.detail
    }
  }

  /// What the user can do; `nil` if waiting is all.
  static func advice(_ diagnostics: Diagnostics) -> String? {
    if let problem = diagnostics.problem { return problem.advice }
    return switch diagnostics.availability {
    case .searching, .lost:
      "give the receiver a free view of the sky; after a long time off it needs minutes: --timeout 5min"
    case .receiverMissing, .gpsdFull, .gpsdDown: "run \"positionctl doctor\" to find the cause"
    case .available, .untrusted, .stale, .accuracyLimited, .poweredDown, .denied, .unknown: nil
    }
  }
}
