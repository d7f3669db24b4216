package import NMEA
import Positioning

/// Encodes an epoch as the NMEA 0183 sentences (version 4.11) of a receiver for several constellations.
package struct NMEAEncoder: Hashable, Sendable {
  /// The sentence with the heading; real compasses differ in it.
  package enum HeadingSentence: String, Hashable, Sendable, CaseIterable {
    /// True heading.
    case hdt
    /// Magnetic heading and variation.
    case hdg
    /// Attitude with accuracy, of inertial systems.
    case pashr
    /// Magnetic heading and attitude, of True North's compasses.
    case tnthtm
  }

  /// Digits after the point of the minutes: 5 are 2 cm, 8 are for RTK.
  package var decimals = 7
  /// Whether standard deviations are sent too (GST).
  package var includesErrorEstimate = false
  package var headingSentence = HeadingSentence.hdt

  /// All sentences of the epoch, in the order in which receivers send them: those with a time first, because gpsd takes
  /// the last of them for the end of the epoch.
  package func sentences(for epoch: Epoch) -> [NMEASentence] {
    var sentences = [
      self.recommendedMinimum(epoch), self.velocity(epoch.solution), self.fixData(epoch),
    ]
    if self.includesErrorEstimate { sentences.append(self.errorEstimate(epoch)) }
    sentences += Self.activeSatellites(epoch)
    if epoch.includesSky { sentences += Self.satellitesInView(epoch.satellites) }
    if let heading = epoch.heading { sentences.append(self.heading(heading, time: epoch.time)) }
    return sentences
  }

  /// The sentences' bytes.
  package func bytes(for epoch: Epoch) -> [UInt8] {
    self.sentences(for: epoch).flatMap(\.bytes)
  }

  private func recommendedMinimum(_ epoch: Epoch) -> NMEASentence {
    let date = NMEASentence.date(epoch.time)
    guard let solution = epoch.solution else {
      return NMEASentence([
        "GNRMC", NMEASentence.timeOfDay(epoch.time), "V", "", "", "", "", "", "", date, "", "", "N", "V",
      ])
    }
    let motion = solution.motion
    return NMEASentence(
      ["GNRMC", NMEASentence.timeOfDay(epoch.time), "A"] + self.coordinates(motion.coordinate) + [
        FixedPoint.text(motion.speed * NMEASentence.knots, decimals: 4), FixedPoint.text(motion.course, decimals: 3),
        date, "",
        "", Self.mode(solution.quality), "V",
      ])
  }

  private func velocity(_ solution: Solution?) -> NMEASentence {
    guard let solution else { return NMEASentence("GNVTG,,,,,,,,,N") }
    let motion = solution.motion
    return NMEASentence([
      "GNVTG", FixedPoint.text(motion.course, decimals: 3), "T", "", "M",
      FixedPoint.text(motion.speed * NMEASentence.knots, decimals: 4), "N",
      FixedPoint.text(motion.speed * 3.6, decimals: 4),
      "K", Self.mode(solution.quality),
    ])
  }

  private func fixData(_ epoch: Epoch) -> NMEASentence {
    let time = NMEASentence.timeOfDay(epoch.time)
    guard let solution = epoch.solution else {
      return NMEASentence(["GNGGA", time, "", "", "", "", "0", "00", "99.99", "", "", "", "", "", ""])
    }
    let isCorrected: Bool
    let quality: String
    switch solution.quality {
    case .gnss: (quality, isCorrected) = ("1", false)
    case .differential: (quality, isCorrected) = ("2", true)
    case .rtkFixed: (quality, isCorrected) = ("4", true)
    case .rtkFloat: (quality, isCorrected) = ("5", true)
    case .deadReckoning: (quality, isCorrected) = ("6", false)
    }
    return NMEASentence(
      ["GNGGA", time] + self.coordinates(solution.motion.coordinate) + [
        quality, FixedPoint.padded(min(epoch.satellitesUsed, 99), width: 2),
        FixedPoint.text(solution.dilution.horizontal, decimals: 2),
        FixedPoint.text(solution.motion.altitude, decimals: 3), "M",
        FixedPoint.text(Motion.geoidSeparation, decimals: 3), "M",
      ] + (isCorrected ? ["1.0", "0000"] : ["", ""]))
  }

  private func errorEstimate(_ epoch: Epoch) -> NMEASentence {
    let time = NMEASentence.timeOfDay(epoch.time)
    guard let solution = epoch.solution else { return NMEASentence(["GNGST", time, "", "", "", "", "", "", ""]) }
    let axis = FixedPoint.text(solution.horizontalAccuracy / 2.0.squareRoot(), decimals: 3)
    return NMEASentence([
      "GNGST", time, "10", axis, axis, "0", axis, axis, FixedPoint.text(solution.verticalAccuracy, decimals: 3),
    ])
  }

  private func heading(_ heading: Double, time: Timestamp) -> NMEASentence {
    let variation = 3.5
    switch self.headingSentence {
    case .hdt:
      return NMEASentence(["GNHDT", FixedPoint.text(heading, decimals: 3), "T"])
    case .hdg:
      let magnetic = (heading - variation).wrappedCourse
      return NMEASentence([
        "HCHDG", FixedPoint.text(magnetic, decimals: 1), "0.0", "E", FixedPoint.text(variation, decimals: 1), "E",
      ])
    case .pashr:
      return NMEASentence([
        "PASHR", NMEASentence.timeOfDay(time), FixedPoint.text(heading, decimals: 2), "T", "+1.25", "-0.75", "+0.01",
        "0.100",
        "0.100", "0.200", "1",
      ])
    case .tnthtm:
      return NMEASentence([
        "PTNTHTM", FixedPoint.text((heading - variation).wrappedCourse, decimals: 1), "N", "-0.7", "N", "1.2", "N",
        "1.05", "0.80",
      ])
    }
  }

  private func coordinates(_ place: Coordinate) -> [String] {
    NMEASentence.coordinates(place, decimals: self.decimals)
  }

  private static func mode(_ quality: FixQuality) -> String {
    switch quality {
    case .gnss: "A"
    case .differential: "D"
    case .rtkFixed: "R"
    case .rtkFloat: "F"
    case .deadReckoning: "E"
    }
  }
}

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
