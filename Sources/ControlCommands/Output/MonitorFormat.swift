import JSONRPC
import PositionProtocol
import Positioning
import Printable

/// The picture of `positionctl monitor`.
enum MonitorFormat {
  /// The time that the line shows.
  private static let span: Duration = .seconds(3600)
  private static let width = 60

  static func lines(_ status: DaemonStatus, at moment: CodingMoment) -> [String] {
    let power = status.power
    let timeline = PowerFormat.timeline(power.periods, over: Self.span, width: Self.width, now: moment.now)
    let next = PowerFormat.next(power.nextStart, power.current.state, now: moment.now)
    let hour = "-60 min".padded(Self.width - 3) + "now"
    return [
      "\(power.current.state.text) by rung \(power.current.rung.rawValue), \(TimeSpan.since(power.current.since, moment))",
      "", timeline, hour, "",
      "Next start  \(next)",
      "First fix   \(PowerFormat.starts(power.timeToFirstFix))",
      "Duty cycle  \((power.dutyCycle.hour * 100).fixed(1)) % of the hour, \((power.dutyCycle.day * 100).fixed(1)) % of the day",
      "",
    ] + StatusFormat.why(status)
  }
}
