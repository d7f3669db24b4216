package import Positioning

/// A satellite navigation system in NMEA 0183, version 4.11.
package struct NMEASystem: Hashable, Sendable {
  /// The first two letters of its sentences.
  package let talker: String
  /// Its number in GSA.
  let number: String
  /// Its constellations, and the numbers of their satellites: the number within the constellation, plus the offset.
  private let constellations: [Numbering]

  private struct Numbering: Hashable {
    let constellation: Sky.Constellation
    let offset: Int
  }

  private init(talker: String, number: String, _ constellations: Numbering...) {
    self.talker = talker
    self.number = number
    self.constellations = constellations
  }

  /// With the satellites of SBAS, which have the numbers from 33 on.
  package static let gps = Self(
    talker: "GP", number: "1", Numbering(constellation: .gps, offset: 0), Numbering(constellation: .sbas, offset: -87))
  package static let glonass = Self(talker: "GL", number: "2", Numbering(constellation: .glonass, offset: 64))
  package static let galileo = Self(talker: "GA", number: "3", Numbering(constellation: .galileo, offset: 0))
  package static let beidou = Self(talker: "GB", number: "4", Numbering(constellation: .beidou, offset: 0))
  package static let qzss = Self(talker: "GQ", number: "5", Numbering(constellation: .qzss, offset: 0))
  package static let navic = Self(talker: "GI", number: "6", Numbering(constellation: .navic, offset: 0))

  package static let all = [gps, glonass, galileo, beidou, qzss, navic]

  /// The satellite's number in sentences of this system; `nil` if it belongs to another, or has no number of two digits.
  func number(of satellite: Sky.Satellite) -> Int? {
    guard let numbering = self.constellations.first(where: { $0.constellation == satellite.constellation }) else {
      return nil
    }
    let number = satellite.svid + numbering.offset
    return (1...99).contains(number) ? number : nil
  }
}

/// The sentences about satellites.
extension NMEASentence {
  /// GSA of one system, with the system's talker: in GNGSA, which is as common, gpsd 3.22 takes Galileo's satellites for
  /// those of GPS.
  ///
  /// - Parameters:
  ///   - mode: 1 is no fix, 2 and 3 are the dimensions of one.
  ///   - dilutions: of the position, horizontal, vertical.
  package static func activeSatellites(
    _ satellites: [Sky.Satellite], of system: NMEASystem, mode: Int, dilutions: [String]
  ) -> NMEASentence {
    let used = satellites.filter(\.isUsed).compactMap { system.number(of: $0) }.prefix(12)
      .map { FixedPoint.padded($0, width: 2) }
    let empty = Array(repeating: "", count: 12 - used.count)
    return NMEASentence(
      ["\(system.talker)GSA", "A", "\(mode)"] + used + empty + dilutions + [system.number])
  }

  /// GSV of one system, four satellites in a sentence and nine sentences at most. Satellites without a signal have an
  /// empty field for it.
  ///
  /// - Parameter signal: The signal's number in the system; 0: all signals.
  package static func satellitesInView(
    _ satellites: [Sky.Satellite], of system: NMEASystem, signal: Int
  ) -> [NMEASentence] {
    let visible = satellites.compactMap { satellite in system.number(of: satellite).map { (satellite, $0) } }.prefix(36)
    let count = FixedPoint.padded(visible.count, width: 2)
    let sentences = max((visible.count + 3) / 4, 1)
    return (0..<sentences).map { index in
      let fields = visible.dropFirst(index * 4).prefix(4).flatMap { satellite, number in
        [
          FixedPoint.padded(number, width: 2), Self.whole(satellite.elevation, in: 0...90, width: 2),
          Self.whole(satellite.azimuth, in: 0...359, width: 3), Self.whole(satellite.snr, in: 0...99, width: 2),
        ]
      }
      return NMEASentence(["\(system.talker)GSV", "\(sentences)", "\(index + 1)", count] + fields + ["\(signal)"])
    }
  }

  /// A whole number, limited to the range; empty if it is unknown.
  private static func whole(_ value: Double?, in range: ClosedRange<Double>, width: Int) -> String {
    value.map { FixedPoint.text(min(max($0, range.lowerBound), range.upperBound), decimals: 0, width: width) } ?? ""
  }
}
