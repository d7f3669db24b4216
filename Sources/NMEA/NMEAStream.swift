package import Positioning

/// What a reader of NMEA 0183 gets: sentences about each fix, the satellites in view, and a loss.
///
/// An epoch is GGA, GST, GSA, RMC, VTG and, with a compass, HDT. GGA is first, because GeoClue takes the accuracy of an
/// RMC without a GGA before it for 5 m. A loss is a void epoch.
package struct NMEAStream: Hashable, Sendable {
  /// Digits after the point of the minutes: 2 cm, and a GGA still fits into the 82 characters of a sentence.
  static let decimals = 5
  /// For how long satellites count as those of a fix.
  static let skyLifetime: Duration = .seconds(10)

  private var sky: Sky?
  /// The true heading of a compass.
  private var heading: Double?
  private var hasFix = false

  package init() {}

  /// The epoch of a fix.
  package mutating func fixed(_ fix: Fix) -> [UInt8] {
    self.hasFix = true
    var sentences = [self.fixData(fix)]
    if let errors = Self.errorEstimate(fix) { sentences.append(errors) }
    sentences += self.activeSatellites(fix)
    sentences += [Self.recommendedMinimum(fix), Self.velocity(fix)]
    if let heading { sentences.append(NMEASentence(["GNHDT", Self.degrees(heading), "T"])) }
    return sentences.flatMap(\.bytes)
  }

  /// The satellites in view; without a fix, with a void epoch before them.
  package mutating func received(_ sky: Sky) -> [UInt8] {
    self.sky = sky
    let sentences = NMEASystem.all.flatMap { system in
      let sentences = NMEASentence.satellitesInView(sky.satellites, of: system, signal: 0)
      // Only GPS says that it has no satellite: most readers know no other system.
      return system == .gps || !sentences[0].isWithoutSatellites ? sentences : []
    }
    return (self.hasFix ? [] : Self.void).flatMap(\.bytes) + sentences.flatMap(\.bytes)
  }

  /// The newest heading; `nil` if there is none. A course is no heading of a compass.
  package mutating func turned(to heading: Heading?) {
    self.heading = heading.flatMap { $0.source == .sensor ? $0.trueHeading : nil }
  }

  /// There is no fix.
  package mutating func lost() -> [UInt8] {
    self.hasFix = false
    self.sky = nil
    return Self.void.flatMap(\.bytes)
  }

  // MARK: Sentences

  private static let void = [
    NMEASentence("GNGGA,,,,,,0,00,99.9,,,,,,"), NMEASentence("GNGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9"),
    NMEASentence("GNRMC,,V,,,,,,,,,,N,V"), NMEASentence("GNVTG,,,,,,,,,N"),
  ]

  private func fixData(_ fix: Fix) -> NMEASentence {
    let used = fix.satellitesUsed ?? self.satellites(of: fix)?.count(where: \.isUsed)
    return NMEASentence(
      ["GNGGA", Self.timeOfDay(fix)] + Self.coordinates(fix) + [
        Self.quality(fix), used.map { FixedPoint.padded(min($0, 99), width: 2) } ?? "",
        Self.dilution(StatedDilution.horizontal(of: fix)), Self.metres(fix.altitude), fix.altitude == nil ? "" : "M",
      ] + Self.geoidSeparation(fix) + ["", ""])
  }

  private static func geoidSeparation(_ fix: Fix) -> [String] {
    guard let altitude = fix.altitude, let ellipsoidal = fix.ellipsoidalAltitude else { return ["", ""] }
    return [self.metres(ellipsoidal - altitude), "M"]
  }

  /// Standard deviations, for an error that is round.
  private static func errorEstimate(_ fix: Fix) -> NMEASentence? {
    guard let accuracy = fix.horizontalAccuracy95, !fix.isVague else { return nil }
    let axis = FixedPoint.text(min(accuracy / 2.448, 99999), decimals: 2)
    let vertical = fix.verticalAccuracy.map { FixedPoint.text(min($0, 99999), decimals: 2) } ?? ""
    return NMEASentence(["GNGST", self.timeOfDay(fix), "", axis, axis, "0", axis, axis, vertical])
  }

  private func activeSatellites(_ fix: Fix) -> [NMEASentence] {
    let horizontal = StatedDilution.horizontal(of: fix)
    let vertical = StatedDilution.vertical(of: fix)
    let position = vertical.map { ($0 * $0 + horizontal * horizontal).squareRoot() }
    let dilutions = [position.map { min($0, StatedDilution.largest) }, horizontal, vertical].map {
      $0.map(Self.dilution) ?? ""
    }
    let mode = fix.mode == .threeDimensional && fix.altitude != nil ? 3 : 2
    guard let satellites = self.satellites(of: fix) else {
      return [NMEASentence(["GNGSA", "A", "\(mode)"] + Array(repeating: "", count: 12) + dilutions)]
    }
    let sentences = NMEASystem.all.map {
      NMEASentence.activeSatellites(satellites, of: $0, mode: mode, dilutions: dilutions)
    }
    let used = zip(NMEASystem.all, sentences).filter { system, _ in
      satellites.contains { $0.isUsed && system.number(of: $0) != nil }
    }
    return used.isEmpty ? [sentences[0]] : used.map(\.1)
  }

  private static func recommendedMinimum(_ fix: Fix) -> NMEASentence {
    NMEASentence(
      ["GNRMC", self.timeOfDay(fix), "A"] + self.coordinates(fix) + [
        self.knots(fix), self.degrees(fix.course), fix.time.map { NMEASentence.date($0) } ?? "", "", "", self.mode(fix),
        "V",
      ])
  }

  private static func velocity(_ fix: Fix) -> NMEASentence {
    let kilometres = fix.speed.map { FixedPoint.text($0 * 3.6, decimals: 2) } ?? ""
    return NMEASentence([
      "GNVTG", self.degrees(fix.course), fix.course == nil ? "" : "T", "", "", self.knots(fix),
      fix.speed == nil ? "" : "N", kilometres, fix.speed == nil ? "" : "K", self.mode(fix),
    ])
  }

  // MARK: Fields

  /// The satellites, if they were seen together with the fix.
  private func satellites(of fix: Fix) -> [Sky.Satellite]? {
    guard let sky, fix.arrival - sky.arrival <= Self.skyLifetime else { return nil }
    return sky.satellites
  }

  private static func timeOfDay(_ fix: Fix) -> String { fix.time.map { NMEASentence.timeOfDay($0) } ?? "" }

  private static func coordinates(_ fix: Fix) -> [String] {
    NMEASentence.coordinates(fix.coordinate, decimals: self.decimals)
  }

  private static func dilution(_ value: Double) -> String { FixedPoint.text(value, decimals: 1) }

  private static func metres(_ value: Double?) -> String { value.map { FixedPoint.text($0, decimals: 1) } ?? "" }

  /// A direction in 0..<360, also after rounding.
  private static func degrees(_ value: Double?) -> String {
    value.map { FixedPoint.text($0 >= 359.995 ? 0 : $0, decimals: 2) } ?? ""
  }

  private static func knots(_ fix: Fix) -> String {
    fix.speed.map { FixedPoint.text($0 * NMEASentence.knots, decimals: 2) } ?? ""
  }

  /// GGA's number of the kind of solution.
  private static func quality(_ fix: Fix) -> String {
    switch fix.status {
    case .gnss, .combined: "1"
    case .dgnss: "2"
    case .rtkFixed: "4"
    case .rtkFloat: "5"
    case .deadReckoning: "6"
    case .surveyed: "7"
    case .simulated: "8"
    }
  }

  /// RMC's and VTG's letter for it.
  private static func mode(_ fix: Fix) -> String {
    switch fix.status {
    case .gnss, .combined: "A"
    case .dgnss: "D"
    case .rtkFixed: "R"
    case .rtkFloat: "F"
    case .deadReckoning: "E"
    case .surveyed: "M"
    case .simulated: "S"
    }
  }
}

extension NMEASentence {
  /// Whether a GSV lists none.
  fileprivate var isWithoutSatellites: Bool { self.body.utf8.count { $0 == UInt8(ascii: ",") } <= 4 }
}
