import Positioning

/// The newest whole sky of the receiver that is believed.
///
/// gpsd sends skies in pieces: some reports carry only dilutions of precision. Those are joined to the satellites that
/// the same receiver told last.
struct SkyView: Hashable, Sendable {
  private(set) var sky: Sky?

  /// Satellites older than this say nothing about a fix.
  static let lifetime: Duration = .seconds(5)

  /// Returns the sky if the report made it newer.
  mutating func received(_ report: SkyReport) -> Sky? {
    let previous = self.sky.flatMap { $0.device == report.device ? $0 : nil }
    guard let satellites = report.satellites ?? previous?.satellites else { return nil }
    self.sky = Sky(
      satellites: satellites, hdop: report.hdop ?? previous?.hdop, vdop: report.vdop ?? previous?.vdop,
      pdop: report.pdop ?? previous?.pdop, arrival: report.arrival, device: report.device)
    return report.satellites == nil ? nil : self.sky
  }

  /// How many satellites a fix of that moment uses.
  func satellitesUsed(device: String?, at now: Instant) -> Int? {
    guard let sky, sky.device == device, now - sky.arrival <= SkyView.lifetime else { return nil }
    return sky.satellitesUsed
  }
}
