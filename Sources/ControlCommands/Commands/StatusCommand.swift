import EventLoop
import JSONRPC
import Notations
import PositionClient
import PositionProtocol
import Positioning
import Printable
import ProgramArguments

/// `positionctl status`: the status of the daemon and the receiver.
struct StatusCommand: Command {
  static let why = Option(flag: "why", "show who keeps the receiver on")

  static let description = CommandDescription(
    name: "status", summary: "show the status of positiond and the receiver", options: [Self.why],
    examples: [
      "positionctl status": "receiver, power, gpsd and demand",
      "positionctl status --why": "who keeps the receiver on",
    ])

  private let showsWhy: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    self.showsWhy = arguments.has(Self.why)
  }

  func run(in context: CommandContext) -> ExitCode {
    context.converse(Self.description) { conversation in
      var notice: [String] = []
      conversation.request(AuthorizationGetRequest()) { result in
        // Without this line the status would look as if programs could get positions. Why there is no answer is reported
        // for the status itself.
        if case .success(let authorization) = result { notice = StatusFormat.notice(authorization) }
      }
      conversation.ask(StatusGetRequest()) { status in
        let process = context.process
        let lines =
          self.showsWhy
          ? StatusFormat.why(status, at: context.moment.now, in: context.format)
          : StatusFormat.lines(
            status, at: context.moment, in: context.format, isRoot: process.isRoot,
            columns: process.output.isTerminal ? process.columns : nil)
        conversation.print(status, human: notice + lines)
        conversation.finish(.success)
      }
    }
  }
}

/// The text form of the daemon's status.
enum StatusFormat {
  /// A line for each subject; where it is wider than the window, it goes on below its beginning.
  ///
  /// - Parameters:
  ///   - isRoot: Whether the user sees what belongs to others.
  ///   - columns: How wide the window is; `nil`: no line is broken.
  static func lines(
    _ status: DaemonStatus, at moment: CodingMoment, in format: PositionFormat = PositionFormat(), isRoot: Bool = false,
    columns: Int? = nil
  ) -> [String] {
    let uptime = status.uptime(at: moment.now)
    var rows: [(String, String)] = [
      ("positiond", "\(status.version), up for \(TimeSpan.words(uptime.seconds))"),
      ("Receiver", self.receiver(status.receiver, moment)),
      ("Power", self.power(status.power, moment)),
      ("Was on", PowerFormat.onTime(status.power, uptime: uptime)),
      ("First fix", PowerFormat.starts(status.power.timeToFirstFix)),
      ("Next start", PowerFormat.next(status.power.nextStart, status.power.current.state, now: moment.now)),
      ("gpsd", self.gpsd(status.gpsd)),
      ("Demand", self.demand(status.demand, format)),
      ("In use by", self.inUse(status.inUse, moment, isRoot: isRoot)),
      ("Reports", self.reports(status.reports)),
    ]
    // Below the first fix, and above it.
    if let assist = status.power.current.assist {
      rows.insert(("Assistance", PowerFormat.assistance(assist, moment)), at: 4)
    }
    if let saving = status.power.current.saving {
      rows.insert(("Saving", PowerFormat.saving(saving)), at: 3)
    }
    if let problem = status.power.current.problem {
      rows.insert(("Problem", problem), at: 3)
    }
    if let fix = status.lastFix {
      let words = [fix.level?.rawValue, fix.accuracySource.map { "accuracy \($0.text)" }].compactMap { $0 }
      rows.append(
        ("Last fix", (["\(TimeSpan.words((moment.now - fix.arrival).seconds)) ago"] + words).joined(separator: ", ")))
    }
    if let clock = status.clock {
      let isOn = status.power.current.state == .on
      rows.append(("Clock", ClockFormat.status(clock, isReceiverOn: isOn, at: moment.now)))
    }
    if let error = status.lastError {
      rows.append(("Last error", "\(error.message), \(TimeSpan.ago(error.at, moment))"))
    }
    rows.append(
      (
        "Clients",
        status.clients.counted("connection", "connections") + ", "
          + status.requests.counted("request", "requests") + " in flight, "
          + status.subscriptions.counted("subscription", "subscriptions")
      ))
    return rows.flatMap { Self.row($0.0, $0.1, columns: columns) }
  }

  /// The subject and the text, whose lines begin in one column.
  private static func row(_ subject: String, _ text: String, columns: Int?) -> [String] {
    // A window that is narrower than a word or two gets the line as it is.
    guard let columns, columns > 30 else { return ["\(subject.padded(10))  \(text)"] }
    let lines = text.broken(into: columns - 13)
    return lines.enumerated().map { place, line in "\((place == 0 ? subject : "").padded(10))  \(line)" }
  }

  /// The line that comes first if positions are turned off for everybody.
  static func notice(_ authorization: Authorization) -> [String] {
    guard authorization.state == .disabled else { return [] }
    let remedy = authorization.remedy.map { "; to turn them on: \(PermissionAdvice.text($0))" } ?? ""
    return ["Positions are turned off for everybody\(remedy)"]
  }

  /// The needs that keep the receiver on.
  static func why(
    _ status: DaemonStatus, at now: Instant = .boot, in format: PositionFormat = PositionFormat()
  ) -> [String] {
    let clock = status.clock.flatMap { clock in
      clock.isNeeded
        ? "This machine's clock needs the receiver: \(ClockFormat.status(clock, isReceiverOn: true, at: now))." : nil
    }
    return (clock.map { [$0] } ?? []) + self.programs(status, isAlone: clock == nil, format)
  }

  /// - Parameter isAlone: Whether nothing else needs it.
  private static func programs(_ status: DaemonStatus, isAlone: Bool, _ format: PositionFormat) -> [String] {
    guard let demand = status.demand else {
      guard isAlone else { return [] }
      switch status.power.current.state {
      case .turningOff: return ["Nobody needs the receiver; it is being turned off."]
      case .on, .turningOn:
        return [
          "Nobody needs the receiver; it stays on for a moment in case somebody asks again."
        ]
      case .released, .off: return ["Nobody needs the receiver."]
      case .unknown: return ["Nobody needs the receiver; whether it is off is unknown: run \"positionctl doctor\"."]
      }
    }
    let lines = demand.clients.map { client in
      "\(client.isDecisive ? "*" : " ") \(PrincipalFormat.line(client.principal)): \(client.what),"
        + " \(self.need(client.demand, format))"
    }
    return (lines.isEmpty ? [] : ["Who needs the receiver (* sets accuracy and rate):"]) + lines
      + self.others(demand, isAlone: lines.isEmpty)
  }

  /// The needs that are not listed, because the client may not see them or there is no room.
  static func others(_ demand: DaemonStatus.Demands, isAlone: Bool) -> [String] {
    let omitted = demand.omitted
    guard omitted > 0 else {
      return isAlone ? ["Somebody needs the receiver; only administrators can see who."] : []
    }
    return isAlone
      ? ["\(omitted.counted("other needs", "others need")) the receiver; only administrators can see who."]
      : ["  and \(omitted) more; only administrators can see those of other users"]
  }

  private static func receiver(_ receiver: DaemonStatus.Receiver, _ moment: CodingMoment) -> String {
    let device = receiver.device ?? "none"
    let driver = receiver.driver.map { " (\($0))" } ?? ""
    let doubt = receiver.integrity?.doubt(receiver.integrityReasons).map { "; its fixes are \($0)" } ?? ""
    let problem = (receiver.problemText.map { "; \($0)" } ?? "") + doubt
    return "\(device)\(driver); \(receiver.availability.text), \(TimeSpan.since(receiver.since, moment))\(problem)"
  }

  private static func power(_ power: DaemonStatus.Power, _ moment: CodingMoment) -> String {
    let confirmed = power.current.evidence.map { ", confirmed by \($0)" } ?? ""
    return "\(power.current.state.text)\(confirmed), \(TimeSpan.since(power.current.since, moment)); "
      + power.current.rung.text
  }

  private static func gpsd(_ gpsd: DaemonStatus.Gpsd) -> String {
    var parts = [gpsd.state.text(detail: gpsd.detail)]
    if let version = gpsd.version { parts.append("version \(version)") }
    if gpsd.reconnects > 0 {
      parts.append(gpsd.reconnects.counted("reconnect", "reconnects"))
    }
    return parts.joined(separator: ", ")
  }

  /// The finest accuracy and the shortest interval of all, and for what movement.
  static func demand(_ demands: DaemonStatus.Demands?, _ format: PositionFormat) -> String {
    guard let demand = demands?.merged else { return "none" }
    return self.need(demand, format) + (demand.activity == .other ? "" : ", \(demand.activity.rawValue)")
  }

  /// The users that are in use of positions.
  static func inUse(_ users: [DaemonStatus.InUse], _ moment: CodingMoment, isRoot: Bool) -> String {
    guard !users.isEmpty else {
      return isRoot ? "nobody" : "none of your programs; those of other users are shown to administrators"
    }
    return users.map { user in
      var text = user.user ?? "uid \(user.uid)"
      if let unit = user.unit { text += ", \(unit)" }
      let programs = user.programs.map { "\"\($0)\"" }
      if !programs.isEmpty { text += " (\(programs.joined(separator: ", ")))" }
      return "\(text) \(TimeSpan.since(user.since, moment))"
    }.joined(separator: "; ")
  }

  static func need(_ demand: Demand, _ format: PositionFormat) -> String {
    "\(format.accuracy(demand.accuracy)) every \(TimeSpan.words(demand.interval.seconds))"
  }

  private static func reports(_ reports: DaemonStatus.Reports) -> String {
    let rejected = reports.rejected.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) \(self.rejection($0.key))" }
    let parts = [reports.fixes.counted("fix", "fixes")] + rejected
    return "\(reports.received.counted("report", "reports")): \(parts.joined(separator: ", "))"
  }

  /// Why a report became no fix; an unknown word of a later daemon is not changed.
  private static func rejection(_ word: String) -> String {
    switch word {
    case "noFix": "without fix"
    case "noPosition": "without position"
    case "unknownMode": "without fix mode"
    case "otherReceiver": "from another receiver"
    case "jump": "implausible jump"
    case "superseded": "too late"
    default: word
    }
  }
}

extension PowerRung {
  /// Who turns the receiver off and on, with the word of the configuration.
  var text: String {
    let words =
      switch self {
      case .watch: "gpsd decides whether it sleeps"
      case .ublox, .mtk: "messages to it turn it off and on"
      case .unit: "units of the administrator turn it off and on"
      }
    return "\(words) (rung=\(self.rawValue))"
  }
}

extension PowerState {
  /// What shows that it is so, in words.
  var evidence: String? {
    // The daemon's text for a receiver that reports.
    self.verifiedBy.map { $0 == "its reports" ? "incoming data" : $0 }
  }
}

extension PowerState.State {
  var text: String {
    switch self {
    case .on: "on"
    case .released: "released"
    case .off: "off"
    case .turningOn: "turning on"
    case .turningOff: "turning off"
    case .unknown: "unknown"
    }
  }
}

extension GpsdState {
  /// The daemon's detail of a fault if it has one.
  func text(detail: String?) -> String {
    switch self {
    case .receiverMissing, .gpsdFull, .gpsdDown: detail ?? self.text
    case .idle, .opening, .streaming, .unknown: self.text
    }
  }

  var text: String {
    switch self {
    case .idle: "not connected, not in use"
    case .opening: "connecting, or opening the receiver"
    case .streaming: "streaming"
    case .receiverMissing: "no receiver, or it sends nothing"
    case .gpsdFull: "accepts no more clients"
    case .gpsdDown: "cannot be reached"
    case .unknown: "unknown to this version of positionctl"
    }
  }
}

/// The text form of when the receiver is on.
enum PowerFormat {
  /// When it was on within a time, a character for each part of it: `#` on all the time, `+` for some of it, `.` off.
  static func timeline(_ periods: [DaemonStatus.OnPeriod], over span: Duration, width: Int, now: Instant) -> String {
    let part = span / width
    return (0..<width).map { index in
      let begin = now - span + part * index
      let end = begin + part
      let on = periods.reduce(Duration.zero) { sum, period in
        sum + max(min(period.until ?? now, end) - max(period.from, begin), .zero)
      }
      // Rounding must not hide that it was on all the time.
      return on >= part * 0.999 ? "#" : on > .zero ? "+" : "."
    }.joined()
  }

  /// When it is turned on next, and the reason.
  static func next(_ start: DaemonStatus.NextStart?, _ state: PowerState.State, now: Instant) -> String {
    guard let start else {
      switch state {
      case .on, .turningOn: return "none is planned while the receiver is on"
      case .released, .off, .turningOff, .unknown: return "when somebody asks"
      }
    }
    let time = "in \(TimeSpan.words(max((start.at - now).seconds, 0)))"
    switch start.reason {
    case .due:
      let due = start.due.map { ", due in \(TimeSpan.words(max(($0 - now).seconds, 0)))" } ?? ""
      return "\(time), for \(start.what ?? "a fix")\(due)"
    case .retry: return "\(time), to search again: there was no fix"
    case .keepHot: return "\(time), so that a later start is quick"
    case .unknown: return time
    }
  }

  /// For how long it was on. A share of an hour or of a day is only said once that has passed.
  static func onTime(_ power: DaemonStatus.Power, uptime: Duration) -> String {
    "\(self.shares(power.dutyCycle, uptime: uptime)); \(power.starts.total.counted("start", "starts")), "
      + "\(TimeSpan.words(power.onTime.seconds)) in all"
  }

  /// Such as `12 % of the last hour, 3 % of the last day`, or `34 of 38 s`.
  static func shares(_ cycle: DaemonStatus.DutyCycle, uptime: Duration) -> String {
    let percent = { (share: Double) in "\((share * 100).fixed(0)) %" }
    let sinceStart = { (share: Double) in
      TimeSpan.share(share * uptime.seconds, of: uptime.seconds) + " since positiond started"
    }
    guard uptime >= .seconds(3600) else { return sinceStart(cycle.hour) }
    let hour = "\(percent(cycle.hour)) of the last hour"
    return uptime >= .seconds(86400)
      ? "\(hour), \(percent(cycle.day)) of the last day" : "\(hour), \(sinceStart(cycle.day))"
  }

  /// How long the starts take.
  static func starts(_ times: DaemonStatus.StartTimes) -> String {
    let kinds = [("hot", times.hot), ("warm", times.warm), ("cold", times.cold)].compactMap { name, time in
      time.map { "\(name) \(Self.seconds($0.mean)), at most \(Self.seconds($0.most)) (\($0.count))" }
    }
    let last = times.last.map { ["last \(Self.seconds($0))"] } ?? []
    return kinds.isEmpty && last.isEmpty ? "no start was measured yet" : (last + kinds).joined(separator: "; ")
  }

  /// How the receiver works while it is on.
  static func saving(_ saving: PowerSaving) -> String {
    switch saving {
    case .full: "full power"
    case .balanced: "balanced"
    case .oneHertz: "tracks for a part of each second"
    case .impossible: "full power, because the receiver refuses to save any, or does not confirm it"
    }
  }

  /// What the receiver was given at its last start.
  static func assistance(_ assistance: Assistance, _ moment: CodingMoment) -> String {
    let parts = assistance.given.map(\.text).joined(separator: ", ")
    let problem = assistance.problem.map { parts.isEmpty ? ": \($0)" : "; \($0)" } ?? ""
    let ago = TimeSpan.words(max((moment.now - assistance.at).seconds, 0))
    return "\(parts.isEmpty ? "none" : parts)\(problem), \(ago) ago"
  }

  private static func seconds(_ duration: Duration) -> String { "\(duration.seconds.fixed(1)) s" }
}

extension Assistance.Part {
  fileprivate var text: String {
    switch self {
    case .time: "time"
    case .position: "position"
    case .orbits: "its orbits"
    case .predictedOrbits: "predicted orbits"
    }
  }
}

extension DaemonStatus.Receiver {
  /// What is wrong with its reports, in words; `nil` if nothing is.
  var problemText: String? {
    guard let problem = self.problem else { return nil }
    guard problem == .late, let lag = self.lag else { return problem.text }
    return "\(problem.text): by \(TimeSpan.words(lag.seconds))"
  }
}

extension ReceiverProblem {
  /// What to do.
  var advice: String {
    switch self {
    case .repeating: "unplug the receiver and plug it in again; one that does this often is broken"
    case .late: "connect the receiver without the bridge that holds its data back, or have it send less"
    case .noAccuracy:
      "set assumed-accuracy= in [receiver] of positiond.conf: the metres within which 68 % of its fixes are"
    case .antennaShort: "look for a crushed cable or a bent plug; the short can break the receiver"
    case .antennaOpen: "plug the antenna in, or look for a break in its cable"
    }
  }
}

extension TimeSpan {
  /// How much of a time, in one unit, such as `34 of 38 s`.
  static func share(_ part: Double, of whole: Double) -> String {
    switch whole {
    case ..<119.5: "\(part.fixed(0)) of \(whole.fixed(0)) s"
    case ..<7170: "\((part / 60).fixed(0)) of \((whole / 60).fixed(0)) min"
    default: "\((part / 3600).fixed(1)) of \((whole / 3600).fixed(1)) h"
    }
  }

  /// When something was, such as `3 min ago`; the time itself if the wall clock is not the daemon's.
  static func ago(_ instant: Instant, _ moment: CodingMoment) -> String {
    let time = Timestamp(of: instant, at: moment)
    let seconds = (Timestamp(since1970: moment.since1970) - time).seconds
    return seconds >= 0 ? "\(self.words(seconds)) ago" : "at \(time)"
  }

  /// How long a state has held, such as `for 3 min`; the time itself if the wall clock is not the daemon's.
  static func since(_ instant: Instant, _ moment: CodingMoment) -> String {
    self.since(Timestamp(of: instant, at: moment), Timestamp(since1970: moment.since1970))
  }

  /// How long a state has held, such as `for 3 min`.
  static func since(_ time: Timestamp, _ now: Timestamp) -> String {
    let seconds = (now - time).seconds
    // The clock may have been stepped in between; then only the time itself is shown.
    return seconds >= 0 ? "for \(self.words(seconds))" : "since \(time)"
  }
}
