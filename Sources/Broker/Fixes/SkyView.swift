import Positioning
import ReceiverPorts

/// The newest whole sky of the receiver that is believed.
///
/// gpsd sends skies in pieces: some reports carry only dilutions of precision, before or after the satellites. Pieces of
/// one receiver that came shortly after each other are joined; older ones say nothing about the sky of now.
struct SkyView: Hashable, Sendable {
  /// Pieces, and skies, older than this say nothing about a fix.
  static let lifetime: Duration = .seconds(5)

  /// The newest satellites with what is known of their dilutions; `arrival` is the satellites'.
  private(set) var sky: Sky?
  private var dilutions: SkyReport?

  /// Returns the sky if the report brought satellites.
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

  /// The report's dilutions; one that it leaves out is taken from the piece before, if that came shortly before.
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
