import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
import Printable
import ProgramArguments

/// `positionctl time`: the receiver's time beside this machine's.
struct TimeCommand: Command {
  static let description = CommandDescription(
    name: "time", summary: "show the receiver's time beside this machine's",
    explanation: [
      "The receiver's time is that of its newest fix, and is compared with what this machine's clock showed when it arrived. "
        + "Nobody knows how long a report is under way, so the comparison is good to 2 seconds; chrony's own figure, where it "
        + "answers, is much better. Never turns the receiver on."
    ],
    examples: ["positionctl time": "the two times, and their difference"])

  init(_ arguments: Arguments) {}

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      conversation.ask(TimeGetRequest()) { time in
        conversation.print(time, human: ClockFormat.lines(time, at: context.moment))
        conversation.finish(.success)
      }
    }
  }
}

/// The text form of what is known of the clock.
enum ClockFormat {
  static func lines(_ time: ReceiverTime, at moment: CodingMoment) -> [String] {
    let clock = time.clock.map { self.figure($0, at: moment.now) } ?? "chrony does not answer"
    guard let reading = time.reading else {
      return [
        "No time from the receiver: it has no fix yet, or you may not know when it had one.", "Clock       \(clock)",
      ]
    }
    let system = Timestamp(of: reading.arrival, at: moment)
    let ahead = (reading.time - system).seconds
    return [
      "Receiver    \(reading.time), \(TimeSpan.words((moment.now - reading.arrival).seconds)) ago",
      "System      \(system) when that arrived",
      "Difference  \(ahead.fixed(3)) s, and up to \(ReceiverTime.Reading.uncertainty.seconds.fixed(0)) s more, for which it may "
        + "have been under way",
      "Clock       \(clock)",
    ]
  }

  /// What chrony says.
  static func figure(_ figure: ClockFigure, at now: Instant) -> String {
    guard let error = figure.error(at: now) else { return "chrony has no time yet" }
    let kind = figure.isReferenceClock ? ", a clock of this machine," : ""
    let correction =
      figure.correction.seconds.magnitude >= 0.001 ? "; it has yet to correct \(self.span(figure.correction))" : ""
    return "chrony follows \(figure.reference ?? "nothing")\(kind) and is right to \(self.span(error)), "
      + "\(self.span(.seconds(figure.drift * 3600))) more each hour\(correction)"
  }

  /// Whether it is kept right.
  static func status(_ clock: DaemonStatus.Clock, isReceiverOn: Bool, at now: Instant) -> String {
    var parts = clock.figure.map { [self.figure($0, at: now)] } ?? []
    if let keep = clock.keep {
      let need = clock.isNeeded ? ", for which it needs the receiver now" : ""
      parts.append(clock.problem.map { "not kept: \($0)" } ?? "kept to \(self.span(keep))\(need)")
    } else if clock.figure?.isReferenceClock == true, !isReceiverOn {
      parts.append("the receiver is off: if that is the clock it follows, keep= in [time] turns it on often enough")
    }
    return parts.joined(separator: "; ")
  }

  /// A time that may be short.
  static func span(_ duration: Duration) -> String {
    let seconds = duration.seconds
    return seconds.magnitude < 1 ? "\((seconds * 1000).fixed(3)) ms" : "\(seconds.fixed(3)) s"
  }
}
