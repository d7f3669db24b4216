import Positioning

/// The sentences about satellites.
extension NMEAEncoder {
  /// The identification of a constellation in NMEA 4.11: talker, number of the system, number of the first satellite
  /// less one.
  private struct System {
    var constellation: Sky.Constellation
    var talker: String
    var number: String
    var firstSatellite: Int
  }

  private static let systems = [
    System(constellation: .gps, talker: "GP", number: "1", firstSatellite: 0),
    System(constellation: .glonass, talker: "GL", number: "2", firstSatellite: 64),
    System(constellation: .galileo, talker: "GA", number: "3", firstSatellite: 0),
  ]

  /// GSA, one for each constellation with the constellation's talker: in GNGSA, which is as common, gpsd 3.22 takes
  /// Galileo's satellites for those of GPS.
  static func activeSatellites(_ epoch: Epoch) -> [NMEASentence] {
    let dilution = epoch.solution?.dilution
    let dilutions = [dilution?.position, dilution?.horizontal, dilution?.vertical].map {
      FixedPoint.text($0 ?? 99.99, decimals: 2)
    }
    return Self.systems.map { system in
      let used = epoch.satellites.filter { $0.constellation == system.constellation && $0.isUsed }.prefix(12)
        .map { FixedPoint.padded($0.svid + system.firstSatellite, width: 2) }
      let empty = Array(repeating: "", count: 12 - used.count)
      return NMEASentence(
        ["\(system.talker)GSA", "A", epoch.solution == nil ? "1" : "3"] + used + empty + dilutions + [system.number])
    }
  }

  /// GSV, four satellites in a sentence. Satellites without a signal have an empty field for it.
  static func satellitesInView(_ satellites: [Sky.Satellite]) -> [NMEASentence] {
    Self.systems.flatMap { system in
      let visible = satellites.filter { $0.constellation == system.constellation }
      let count = FixedPoint.padded(visible.count, width: 2)
      let sentences = max((visible.count + 3) / 4, 1)
      return (0..<sentences).map { index in
        let fields = visible.dropFirst(index * 4).prefix(4).flatMap { satellite in
          [
            FixedPoint.padded(satellite.svid + system.firstSatellite, width: 2),
            Self.number(satellite.elevation, width: 2), Self.number(satellite.azimuth, width: 3),
            Self.number(satellite.snr, width: 2),
          ]
        }
        return NMEASentence(["\(system.talker)GSV", "\(sentences)", "\(index + 1)", count] + fields + ["1"])
      }
    }
  }

  private static func number(_ value: Double?, width: Int) -> String {
    value.map { FixedPoint.text($0, decimals: 0, width: width) } ?? ""
  }
}
