import Positioning
package import ReceiverPorts

/// Judges whether the fixes of each receiver can be trusted.
///
/// It sees every report as the receiver sent it, before epochs are sorted and jumps are set aside, because a wrong time
/// and an impossible place are what it looks for. Each kind of evidence is a machine of its own; `FindingMemory` joins
/// what they find. The verdict follows the newest report: it changes with reports alone, and needs no timer.
package struct IntegrityJudge: Hashable, Sendable {
  /// gpsd has at most six devices; what has more is not gpsd.
  private static let maximumReceivers = 16

  private var receivers: [String: JudgedReceiver] = [:]
  private var disagreement = DisagreementEvidence()

  package init() {}

  /// - Parameter maximumSpeed: Metres per second that the device reaches.
  package mutating func received(_ report: PositionReport, maximumSpeed: Double) {
    let report = report.sanitized
    guard report.mode != .unknown else { return }
    let key = self.key(of: report.device)
    // In its place: it holds the movement of minutes, which would be copied with each report.
    let epoch = self.receivers[key, default: JudgedReceiver()].received(report, maximumSpeed: maximumSpeed)
    guard let epoch else { return }
    let finding = self.disagreement.received(epoch, of: key)
    self.receivers[key]?.note(finding, for: .disagreement, at: epoch.arrival)
  }

  package mutating func received(_ sky: SkyReport) {
    self.receivers[self.key(of: sky.device), default: JudgedReceiver()].received(sky)
  }

  package mutating func received(_ report: ReceptionReport) {
    self.receivers[self.key(of: report.device), default: JudgedReceiver()].received(report)
  }

  /// The session with gpsd has ended.
  package mutating func sessionEnded() {
    for key in self.receivers.keys { self.receivers[key]?.sessionEnded() }
  }

  package func verdict(of device: String?) -> Verdict { self.receivers[device ?? ""]?.verdict ?? Verdict() }

  /// What a receiver said last of its antenna in this session, which speaks for and against no fix.
  package func antenna(of device: String?) -> Reception.Antenna? { self.receivers[device ?? ""]?.antenna }

  private mutating func key(of device: String?) -> String {
    let key = device ?? ""
    guard self.receivers[key] == nil, self.receivers.count >= Self.maximumReceivers else { return key }
    let oldest = self.receivers.min { ($0.value.lastReport, $0.key) < ($1.value.lastReport, $1.key) }
    if let oldest {
      self.receivers[oldest.key] = nil
      self.disagreement.forget(oldest.key)
    }
    return key
  }
}
