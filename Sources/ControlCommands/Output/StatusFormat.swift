import JSONRPC
import PositionProtocol
import Positioning
import Printable

/// The text form of the daemon's status.
enum StatusFormat {
  static func lines(_ status: DaemonStatus, at moment: CodingMoment) -> [String] {
    var rows: [(String, String)] = [
      ("positiond", "\(status.version), up for \(TimeSpan.words(status.uptime(at: moment.now).seconds))"),
      ("Receiver", self.receiver(status.receiver, moment)),
      ("Power", self.power(status.power, moment)),
      ("First fix", PowerFormat.starts(status.power.timeToFirstFix)),
      ("Next start", PowerFormat.next(status.power.nextStart, status.power.current.state, now: moment.now)),
      ("gpsd", self.gpsd(status.gpsd)),
      ("Demand", self.demand(status.demand)),
      ("In use by", self.inUse(status.inUse, moment)),
      ("Reports", self.reports(status.reports)),
    ]
    if let problem = status.power.current.problem {
      rows.insert(("Problem", problem), at: 3)
    }
    if let fix = status.lastFix {
      let words = [fix.level?.rawValue, fix.accuracySource.map { "accuracy \($0.text)" }].compactMap { $0 }
      rows.append(
        ("Last fix", (["\(TimeSpan.words((moment.now - fix.arrival).seconds)) ago"] + words).joined(separator: ", ")))
    }
    if let error = status.lastError {
      rows.append(("Last error", "\(error.message) (\(TimeSpan.since(error.at, moment)))"))
    }
    rows.append(
      (
        "Clients",
        status.clients.counted("connection", "connections") + ", "
          + status.requests.counted("request", "requests") + " in flight, "
          + status.subscriptions.counted("subscription", "subscriptions")
      ))
    return rows.map { "\($0.0.padded(10))  \($0.1)" }
  }

  /// What comes before everything else: that positions are turned off for everybody.
  static func notice(_ authorization: Authorization) -> [String] {
    guard authorization.state == .disabled else { return [] }
    let remedy = authorization.remedy.map { "; to turn them on: \(PermissionAdvice.text($0))" } ?? ""
    return ["Positions are turned off for everybody\(remedy)"]
  }

  /// The needs that keep the receiver on.
  static func why(_ status: DaemonStatus) -> [String] {
    guard let demand = status.demand else {
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
        + " \(self.need(client.demand))"
    }
    return (lines.isEmpty ? [] : ["Who needs the receiver (* sets accuracy and rate):"]) + lines
      + self.others(demand, isAlone: lines.isEmpty)
  }

  /// The needs that are not listed, because the client may not see them or there is no room.
  private static func others(_ demand: DaemonStatus.Demands, isAlone: Bool) -> [String] {
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
    let problem = receiver.problemText.map { "; \($0)" } ?? ""
    return "\(device)\(driver); \(receiver.availability.text), \(TimeSpan.since(receiver.since, moment))\(problem)"
  }

  private static func power(_ power: DaemonStatus.Power, _ moment: CodingMoment) -> String {
    // The daemon's text for a receiver that reports.
    let evidence = power.current.verifiedBy.map { $0 == "its reports" ? "incoming data" : $0 }
    let confirmed = evidence.map { ", confirmed by \($0)" } ?? ""
    return
      "\(power.current.state.text)\(confirmed), \(TimeSpan.since(power.current.since, moment)); "
      + "rung \(power.current.rung.rawValue); on \((power.dutyCycle.hour * 100).fixed(0)) % of the last hour, "
      + "\((power.dutyCycle.day * 100).fixed(0)) % of the last day; "
      + "\(power.starts.total.counted("start", "starts")), \(TimeSpan.words(power.onTime.seconds)) in all"
  }

  private static func gpsd(_ gpsd: DaemonStatus.Gpsd) -> String {
    var parts = [gpsd.state.text(detail: gpsd.detail)]
    if let version = gpsd.version { parts.append("version \(version)") }
    if gpsd.reconnects > 0 {
      parts.append(gpsd.reconnects.counted("reconnect", "reconnects"))
    }
    return parts.joined(separator: ", ")
  }

  private static func demand(_ demands: DaemonStatus.Demands?) -> String {
    guard let demand = demands?.merged else { return "none" }
    return self.need(demand) + (demand.activity == .other ? "" : ", \(demand.activity.rawValue)")
  }

  /// The users that are in use of positions.
  private static func inUse(_ users: [DaemonStatus.InUse], _ moment: CodingMoment) -> String {
    guard !users.isEmpty else { return "nobody you can see" }
    return users.map { user in
      var text = user.user ?? "uid \(user.uid)"
      if let unit = user.unit { text += ", \(unit)" }
      let programs = user.programs.map { "\"\($0)\"" }
      if !programs.isEmpty { text += " (\(programs.joined(separator: ", ")))" }
      return "\(text) \(TimeSpan.since(user.since, moment))"
    }.joined(separator: "; ")
  }

  private static func need(_ demand: Demand) -> String {
    "±\(demand.accuracy.short) m every \(TimeSpan.words(demand.interval.seconds))"
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
  fileprivate func text(detail: String?) -> String {
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
