import JSONRPC
import PositionProtocol
import Positioning

/// The daemon's figures: how well it works and what the receiver costs, and never where the device is.
enum StatusMetrics {
  /// - Parameters:
  ///   - status: `nil`: the daemon did not answer.
  ///   - fix: The newest fix, if whoever asks may know it. Of it only its accuracy and its satellites are shown.
  static func lines(_ status: DaemonStatus?, fix: Fix?, at moment: CodingMoment) -> [String] {
    var metrics = OpenMetrics()
    metrics.add("positiond_up", .gauge, "Whether positiond answers.", status == nil ? 0 : 1)
    if let status { self.add(status, fix, at: moment, to: &metrics) }
    return metrics.lines
  }

  private static func add(_ status: DaemonStatus, _ fix: Fix?, at moment: CodingMoment, to metrics: inout OpenMetrics) {
    let versions = ["version": status.version, "gpsd": status.gpsd.version ?? ""]
    metrics.add("positiond", .info, "The daemon's version, and gpsd's.", [(labels: versions, value: 1)])
    metrics.add(
      "positiond_uptime_seconds", .gauge, unit: "seconds", "Since the daemon started.",
      status.uptime(at: moment.now).seconds)
    self.addFixes(status, fix, now: moment.now, to: &metrics)
    self.addPower(status.power, to: &metrics)
    metrics.add("positiond_gpsd_state", "The connection to gpsd.", is: status.gpsd.state)
    metrics.add(
      "positiond_gpsd_reconnects", .counter, "Connections to gpsd that were made anew.",
      Double(status.gpsd.reconnects))
    metrics.add(
      "positiond_store_up", .gauge, "Whether what the daemon promises can be stored.",
      status.lastError?.part == .store ? 0 : 1)
    metrics.add("positiond_connections", .gauge, "Connections of clients.", Double(status.clients))
    metrics.add("positiond_requests", .gauge, "Requests that wait for their answer.", Double(status.requests))
    metrics.add("positiond_subscriptions", .gauge, "Subscriptions.", Double(status.subscriptions))
    metrics.add(
      "positiond_denials", .counter, "Calls that were refused for want of permission.", Double(status.denials))
  }

  private static func addFixes(
    _ status: DaemonStatus, _ fix: Fix?, now: Instant, to metrics: inout OpenMetrics
  ) {
    let receiver = status.receiver
    metrics.add("positiond_availability", "Why there is or is not a fresh fix.", is: receiver.availability)
    metrics.add("positiond_receiver_problem", "What is wrong with the receiver's reports.", is: receiver.problem)
    metrics.add("positiond_integrity", "Whether the receiver's fixes can be trusted.", is: receiver.integrity)
    metrics.add("positiond_reports", .counter, "Reports of the receiver.", Double(status.reports.received))
    metrics.add(
      "positiond_reports_rejected", .counter, "Reports that became no fix.",
      status.reports.rejected.sorted { $0.key < $1.key }.map { (["reason": $0.key], Double($0.value)) })
    metrics.add("positiond_fixes", .counter, "Reports that became a fix.", Double(status.reports.fixes))
    metrics.add(
      "positiond_fix_age_seconds", .gauge, unit: "seconds", "Since the newest fix arrived.",
      status.lastFix.map { max((now - $0.arrival).seconds, 0) })
    metrics.add(
      "positiond_fix_accuracy_meters", .gauge, unit: "meters", "The radius of 68 % of the newest fix.",
      fix?.horizontalAccuracy)
    metrics.add(
      "positiond_fix_satellites", .gauge, "Satellites that the newest fix uses.", fix?.satellitesUsed.map { Double($0) }
    )
  }

  private static func addPower(_ power: DaemonStatus.Power, to metrics: inout OpenMetrics) {
    metrics.add("positiond_receiver_power", "The receiver's power, as far as it is known.", is: power.current.state)
    metrics.add(
      "positiond_receiver_power_verified", .gauge, "Whether that was proved.", power.current.verifiedBy == nil ? 0 : 1)
    metrics.add(
      "positiond_receiver_on_seconds", .counter, unit: "seconds", "How long the receiver was on.", power.onTime.seconds)
    metrics.add(
      "positiond_receiver_starts", .counter, "How often the receiver was started.", Double(power.starts.total))
    let times = power.timeToFirstFix
    metrics.add(
      "positiond_first_fix_last_seconds", .gauge, unit: "seconds", "From the last start to its first fix.",
      times.last?.seconds)
    let starts = [("hot", times.hot), ("warm", times.warm), ("cold", times.cold)].compactMap { name, time in
      time.map { (labels: ["start": name] as [String: String], time: $0) }
    }
    metrics.add(
      "positiond_first_fix_mean_seconds", .gauge, unit: "seconds", "From a start to its first fix, on average.",
      starts.map { ($0.labels, $0.time.mean.seconds) })
    metrics.add(
      "positiond_first_fix_most_seconds", .gauge, unit: "seconds",
      "From a start to its first fix, in all but one of 200 starts.", starts.map { ($0.labels, $0.time.most.seconds) })
  }
}
