import FoundationEssentials
import PositionProtocol
import Positioning

/// The daemon's status as people read it.
enum StatusFormat {
  static func lines(_ status: StatusObject, now: Date) -> [String] {
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
          "Nobody needs the receiver; it is still held for a moment, in case somebody asks again."
        ]
      case .released, .off: return ["Nobody needs the receiver."]
      case .unknown: return ["Nobody needs the receiver; whether it sleeps is not known: see \"positionctl doctor\"."]
      }
    }
    let clients = demand.clients ?? []
    let lines = clients.map { client in
      "\(client.isDecisive ? "*" : " ") \(PrincipalFormat.line(client.principal)): \(client.what),"
        + " \(self.need(accuracy: client.accuracy, interval: client.interval))"
    }
    return (lines.isEmpty ? [] : ["These need the receiver (* decides how much):"]) + lines
      + self.others(demand, isAlone: lines.isEmpty)
  }

  /// Those who ask and are not listed: the client may not know them, or there is no room.
  private static func others(_ demand: StatusObject.Demand, isAlone: Bool) -> [String] {
    guard let omitted = demand.omitted else {
      return isAlone ? ["Somebody needs the receiver; who it is, is told to administrators only."] : []
    }
    return isAlone
      ? ["\(omitted.counted("other needs", "others need")) the receiver; who it is, is told to administrators only."]
      : ["  and \(omitted) more; administrators are told of others than their own"]
  }

  private static func receiver(_ receiver: StatusObject.Receiver, _ now: Date) -> String {
    let device = receiver.device ?? "none"
    let driver = receiver.driver.map { " (\($0))" } ?? ""
    return "\(device)\(driver); \(receiver.availability.words), \(TimeSpan.since(receiver.since, now))"
  }

  private static func power(_ power: StatusObject.Power, _ now: Date) -> String {
    let verified = power.verifiedBy.map { ", verified by \($0)" } ?? ""
    return
      "\(power.state.words) (rung \(power.rung))\(verified), \(TimeSpan.since(power.since, now)); "
      + "on \((power.dutyCycle.hour * 100).fixed(0)) % of the last hour, "
      + "\((power.dutyCycle.day * 100).fixed(0)) % of the last day; "
      + "\(power.starts.total.counted("start", "starts")), \(TimeSpan.words(power.onSeconds)) in all"
  }

  private static func gpsd(_ gpsd: StatusObject.Gpsd) -> String {
    var parts = [gpsd.state.words]
    if let version = gpsd.version { parts.append("version \(version)") }
    if let reconnects = gpsd.reconnects, reconnects > 0 {
      parts.append(reconnects.counted("reconnect", "reconnects"))
    }
    if let detail = gpsd.detail { parts.append(detail) }
    return parts.joined(separator: ", ")
  }

  private static func demand(_ demand: StatusObject.Demand?) -> String {
    guard let demand else { return "none" }
    return self.need(accuracy: demand.accuracy, interval: demand.interval)
      + (demand.activity == .other ? "" : ", \(demand.activity.rawValue)")
  }

  /// Who is being given positions.
  private static func inUse(_ users: [StatusObject.InUse], _ now: Date) -> String {
    guard !users.isEmpty else { return "nobody, as far as you may know" }
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
      .map { "\($0.value) \($0.key)" }
    let text = "\(reports.received) received, \(reports.fixes) became a fix"
    return rejected.isEmpty ? text : "\(text); not: \(rejected.joined(separator: ", "))"
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
    case .unknown: "not known"
    }
  }
}

extension StatusObject.Gpsd.State {
  var words: String {
    switch self {
    case .idle: "not connected, nobody needs it"
    case .opening: "connecting, or opening the receiver"
    case .streaming: "streaming"
    case .receiverMissing: "has no receiver, or it went silent"
    case .gpsdFull: "full"
    case .gpsdDown: "cannot be reached"
    case .unknown: "not known to this version"
    }
  }
}
