import JSONRPC
import PositionProtocol
import Positioning
import Printable

/// Whether the receiver is on, when it was and will be, and what is wrong on the way to it.
enum PowerPanel {
  static func panel(_ model: MonitorModel, at moment: CodingMoment, width: Int, _ glyphs: Glyphs) -> Panel {
    Panel("Receiver", importance: 2, least: 2, self.rows(model, at: moment, width: width, glyphs), width: width, glyphs)
  }

  static func rows(_ model: MonitorModel, at moment: CodingMoment, width: Int, _ glyphs: Glyphs) -> [Row] {
    let status: DaemonStatus
    switch model.status {
    case .waiting: return [Row("Receiver", ["waiting for positiond"], importance: 1)]
    case .missing(let why): return [Row("Receiver", [why], .bad, importance: 1)]
    case .known(let known): status = known
    }
    let (power, current) = (status.power, status.power.current)
    var rows = [
      Row(
        "Receiver",
        [
          self.word(current), current.evidence.map { "proved by \($0)" } ?? "not proved", current.rung.text,
          TimeSpan.since(current.since, moment),
        ], current.state.emphasis, importance: 1)
    ]
    rows += self.difficulties(status, moment)
    if let saving = current.saving { rows.append(Row("Saving", [PowerFormat.saving(saving)], importance: 6)) }
    rows += [
      Row("Last hour", [self.hour(power, now: moment.now, width: width, glyphs)], importance: 5),
      Row("Next start", [PowerFormat.next(power.nextStart, current.state, now: moment.now)], importance: 4),
      Row("First fix", PowerFormat.starts(power.timeToFirstFix).split(separator: "; ").map(String.init), importance: 8),
      Row(
        "On for",
        PowerFormat.shares(power.dutyCycle, uptime: status.uptime(at: moment.now)).split(separator: ", ").map(
          String.init)
          + [power.starts.total.counted("start", "starts")], importance: 7),
      Row(
        "Device", [status.receiver.device ?? "none", status.receiver.driver, status.receiver.availability.text],
        importance: 6),
    ]
    return rows
  }

  /// A receiver that is off by a rung of its own sleeps; one that only is not read may be on.
  private static func word(_ power: PowerState) -> String {
    switch (power.state, power.rung) {
    case (.off, .ublox), (.off, .mtk): "asleep"
    default: power.state.text
    }
  }

  private static func hour(_ power: DaemonStatus.Power, now: Instant, width: Int, _ glyphs: Glyphs) -> String {
    let columns = [60, 30, 20, 15, 10].first { $0 <= width - Row.labelWidth - 1 } ?? 6
    return glyphs.strip(PowerFormat.timeline(power.periods, over: .seconds(3600), width: columns, now: now))
  }

  /// What is wrong, in words; and gpsd, which is named whether or not it works.
  private static func difficulties(_ status: DaemonStatus, _ moment: CodingMoment) -> [Row] {
    var rows: [Row] = []
    if let problem = status.power.current.problem { rows.append(Row("Problem", [problem], .bad, importance: 2)) }
    if let problem = status.receiver.problem {
      rows.append(Row("Problem", [status.receiver.problemText, problem.advice], .bad, importance: 2))
    }
    if let doubt = status.receiver.integrity?.doubt(status.receiver.integrityReasons) {
      rows.append(Row("Problem", ["its fixes are \(doubt)"], status.receiver.integrity?.emphasis, importance: 3))
    }
    let gpsd = status.gpsd
    rows.append(
      Row(
        "gpsd", [gpsd.state.text(detail: gpsd.detail), gpsd.version.map { "version \($0)" }, gpsd.address],
        gpsd.state.emphasis == .bad ? .bad : nil, importance: gpsd.state.emphasis == .bad ? 2 : 6))
    if let error = status.lastError {
      rows.append(Row("Last error", ["\(error.message) (\(TimeSpan.since(error.at, moment)))"], .bad, importance: 3))
    }
    return rows
  }
}
