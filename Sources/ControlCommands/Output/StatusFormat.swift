import PositionProtocol
import Positioning
import Printable

/// The daemon's status as people read it.
enum StatusFormat {
  static func lines(_ status: StatusObject, now: Timestamp) -> [String] {
    var rows: [(String, String)] = [
      ("positiond", "\(status.version), up for \(TimeSpan.words(status.uptime))"),
      ("Receiver", self.receiver(status.receiver, now)),
      ("Power", self.power(status.power, now)),
      ("gpsd", self.gpsd(status.gpsd)),
      ("Demand", self.demand(status.demand)),
      ("In use by", self.inUse(status.inUse ?? [], now)),
      ("Reports", self.reports(status.reports)),
    ]
    if let fix = status.lastFix {
      let words = [fix.level?.rawValue, fix.accuracySource.map { "accuracy \($0.words)" }].compactMap { $0 }
      rows.append(("Last fix", (["\(TimeSpan.words(fix.age)) ago"] + words).joined(separator: ", ")))
    }
    if let error = status.lastError {
      rows.append(("Last error", "\(error.message) (\(TimeSpan.since(error.time, now)))"))
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

  /// The answer to "who keeps the receiver on?".
  static func why(_ status: StatusObject) -> [String] {
    guard let demand = status.demand else {
      switch status.power.state {
      case .on, .turningOn, .turningOff:
        return [
          "Nobody needs the receiver; it stays on for a moment in case somebody asks again."
        ]
      case .released, .off: return ["Nobody needs the receiver."]
      case .unknown: return ["Nobody needs the receiver; whether it is off is unknown: run \"positionctl doctor\"."]
      }
    }
    let clients = demand.clients ?? []
    let lines = clients.map { client in
      "\(client.isDecisive ? "*" : " ") \(PrincipalFormat.line(client.principal)): \(client.what),"
        + " \(self.need(accuracy: client.accuracy, interval: client.interval))"
    }
    return (lines.isEmpty ? [] : ["Who needs the receiver (* sets accuracy and rate):"]) + lines
      + self.others(demand, isAlone: lines.isEmpty)
  }

  /// The needs that are not listed: the client may not see them, or there is no room.
  private static func others(_ demand: StatusObject.Demand, isAlone: Bool) -> [String] {
    guard let omitted = demand.omitted else {
      return isAlone ? ["Somebody needs the receiver; only administrators can see who."] : []
    }
    return isAlone
      ? ["\(omitted.counted("other needs", "others need")) the receiver; only administrators can see who."]
      : ["  and \(omitted) more; only administrators can see those of other users"]
  }

  private static func receiver(_ receiver: StatusObject.Receiver, _ now: Timestamp) -> String {
    let device = receiver.device ?? "none"
    let driver = receiver.driver.map { " (\($0))" } ?? ""
    return "\(device)\(driver); \(receiver.availability.words), \(TimeSpan.since(receiver.since, now))"
  }

  private static func power(_ power: StatusObject.Power, _ now: Timestamp) -> String {
    // The daemon's text for a receiver that reports.
    let evidence = power.verifiedBy.map { $0 == "its reports" ? "incoming data" : $0 }
    let confirmed = evidence.map { ", confirmed by \($0)" } ?? ""
    return
      "\(power.state.words)\(confirmed), \(TimeSpan.since(power.since, now)); "
      + "on \((power.dutyCycle.hour * 100).fixed(0)) % of the last hour, "
      + "\((power.dutyCycle.day * 100).fixed(0)) % of the last day; "
      + "\(power.starts.total.counted("start", "starts")), \(TimeSpan.words(power.onSeconds)) in all"
  }

  private static func gpsd(_ gpsd: StatusObject.Gpsd) -> String {
    var parts = [gpsd.state.words(detail: gpsd.detail)]
    if let version = gpsd.version { parts.append("version \(version)") }
    if let reconnects = gpsd.reconnects, reconnects > 0 {
      parts.append(reconnects.counted("reconnect", "reconnects"))
    }
    return parts.joined(separator: ", ")
  }

  private static func demand(_ demand: StatusObject.Demand?) -> String {
    guard let demand else { return "none" }
    return self.need(accuracy: demand.accuracy, interval: demand.interval)
      + (demand.activity == .other ? "" : ", \(demand.activity.rawValue)")
  }

  /// The users that are being given positions.
  private static func inUse(_ users: [StatusObject.InUse], _ now: Timestamp) -> String {
    guard !users.isEmpty else { return "nobody you can see" }
    return users.map { user in
      var text = user.user ?? "uid \(user.uid)"
      if let unit = user.unit { text += ", \(unit)" }
      let programs = user.programs.map { "\"\($0)\"" }
      if !programs.isEmpty { text += " (\(programs.joined(separator: ", ")))" }
      return "\(text) \(TimeSpan.since(user.since, now))"
    }.joined(separator: "; ")
  }

  private static func need(accuracy: Double, interval: Double) -> String {
    "±\(accuracy.short) m every \(TimeSpan.words(interval))"
  }

  private static func reports(_ reports: StatusObject.Reports) -> String {
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

extension StatusObject.Power.State {
  var words: String {
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

extension StatusObject.Gpsd.State {
  /// The daemon's detail where it has one for what is wrong.
  fileprivate func words(detail: String?) -> String {
    switch self {
    case .receiverMissing, .gpsdFull, .gpsdDown: detail ?? self.words
    case .idle, .opening, .streaming, .unknown: self.words
    }
  }

  var words: String {
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
