import Positioning
import ReceiverPorts

/// The newest complete sky of the chosen receiver.
///
/// gpsd sends skies in pieces: some reports have only dilutions of precision, before or after the satellites. Recent
/// pieces of one receiver are joined; older ones say nothing about the present sky.
struct SkyView: Hashable, Sendable {
  /// Older pieces and skies say nothing about a fix.
  static let lifetime: Duration = .seconds(5)

  /// The newest satellites with their dilutions, as far as known; `arrival` is the satellites'.
  private(set) var sky: Sky?
  private var dilutions: SkyReport?

  /// Returns the sky if the report has satellites.
  mutating func received(_ report: SkyReport) -> Sky? {
    let dilutions = self.joinedDilutions(report)
    self.dilutions = dilutions
    var sky: Sky
    if let satellites = report.satellites {
      sky = Sky(satellites: satellites, arrival: report.arrival, device: report.device)
    } else if let known = self.sky, known.device == report.device, report.arrival - known.arrival <= Self.lifetime {
      sky = known
    } else {
      return nil
    }
    sky.hdop = dilutions.hdop
    sky.vdop = dilutions.vdop
    sky.pdop = dilutions.pdop
    self.sky = sky
    return report.satellites == nil ? nil : sky
  }

  /// How many satellites a fix of that moment uses.
  func satellitesUsed(device: String?, at now: Instant) -> Int? {
    guard let sky, sky.device == device, now - sky.arrival <= SkyView.lifetime else { return nil }
    return sky.satellitesUsed
  }

  /// The report's dilutions; a missing one is taken from a recent piece.
  private func joinedDilutions(_ report: SkyReport) -> SkyReport {
    guard let previous = self.dilutions, previous.device == report.device,
      report.arrival - previous.arrival <= Self.lifetime
    else { return report }
    var joined = report
    joined.hdop = report.hdop ?? previous.hdop
    joined.vdop = report.vdop ?? previous.vdop
    joined.pdop = report.pdop ?? previous.pdop
    return joined
  }
}
