import NMEA
import Positioning

/// The sentences about satellites.
extension NMEAEncoder {
  private static let systems = [NMEASystem.gps, .glonass, .galileo]

  /// GSA, one for each constellation.
  static func activeSatellites(_ epoch: Epoch) -> [NMEASentence] {
    let dilution = epoch.solution?.dilution
    let dilutions = [dilution?.position, dilution?.horizontal, dilution?.vertical].map {
      FixedPoint.text($0 ?? 99.99, decimals: 2)
    }
    return Self.systems.map {
      NMEASentence.activeSatellites(
        epoch.satellites, of: $0, mode: epoch.solution == nil ? 1 : 3, dilutions: dilutions)
    }
  }

  /// GSV, four satellites in a sentence.
  static func satellitesInView(_ satellites: [Sky.Satellite]) -> [NMEASentence] {
    Self.systems.flatMap { NMEASentence.satellitesInView(satellites, of: $0, signal: 1) }
  }
}
