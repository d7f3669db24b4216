import Geodesy
import Positioning
import ReceiverPorts

/// What receivers' error estimates mean, by their source.
///
/// gpsd passes on whatever a driver gives under one name: u-blox's own estimate is near one sigma, a plain NMEA
/// receiver's is its HDOP times 19 m, a GREIS receiver's is a root mean square, a GST sentence holds one sigma for each
/// axis. The table turns each into the radii of 68 % and 95 % that positiond publishes, each by its own law.
enum AccuracyTable {
  /// What `eph` is, where gpsd's driver knows the receiver.
  enum Meaning: Hashable, Sendable {
    /// gpsd's own product of the HDOP, unless a sentence of the maker's gave an estimate.
    case dilution
    /// The receiver's estimate, near the 68 % radius.
    case radius68
    /// The root mean square of the error in both axes together.
    case rootMeanSquare
    /// The receiver's estimate, nominally the 95 % radius.
    case nominal95
  }

  /// The drivers of gpsd that read NMEA: it tells no error, so gpsd makes one up.
  private static let nmeaDrivers: Set<String> = [
    "NMEA0183", "Ashtech", "Delorme TripMate", "Pre-2003 Delorme EarthMate", "Furuno Electric GH-79L4", "Garmin NMEA",
    "MTK-3301", "OceanServer OS5000", "San Jose Navigation FV18", "True North", "Jackson Labs Fury", "iSync",
  ]

  /// The drivers that pass on a speed error of the receiver's. gpsd makes one up for all others: its error of the
  /// position, divided by the time between two fixes.
  private static let speedDrivers: Set<String> = ["u-blox", "SiRF", "Zodiac", "GREIS"]

  static func meaning(driver: String?) -> Meaning {
    switch driver {
    case "u-blox": .radius68
    case "GREIS": .rootMeanSquare
    case let driver? where self.nmeaDrivers.contains(driver): .dilution
    case _: .nominal95
    }
  }

  /// Estimates at or above this are a receiver's way to say that it does not know (HDOP 99.99 or 50).
  static let vagueFrom = 900.0
  static let vagueDilution = 50.0

  /// One-dimensional: the 68 % bound divided by the 95 % bound.
  static let axisRatio68To95 = 1 / 1.96

  /// A round error's 68 % radius divided by the root mean square of its distance.
  static let ratio68ToRMS = EllipticalError(1, 1).radius(holding: EllipticalError.oneSigma) / 2.0.squareRoot()

  /// Two standard deviations of one moment, as GST and GBS tell them; `nil` where one is missing or none.
  static func horizontal(deviations one: Double?, _ other: Double?) -> HorizontalError? {
    guard let one = one.known, let other = other.known else { return nil }
    guard max(one, other) < self.vagueFrom else { return .vague }
    let ellipse = EllipticalError(one, other)
    return .radii(
      ellipse.radius(holding: EllipticalError.oneSigma), ellipse.radius(holding: 0.95), .standardDeviations)
  }

  /// What the report itself tells of its error; `nil` where it tells nothing.
  ///
  /// - Parameters:
  ///   - dilution: the HDOP that gpsd made `eph` of; `nil` where `eph` is an estimate.
  ///   - errorPerDilution: metres (68 %) for each unit of it.
  static func horizontal(
    report: PositionReport, meaning: Meaning, dilution: Double?, errorPerDilution: Double
  ) -> HorizontalError? {
    guard let eph = report.eph.known else {
      // An `eph` of 0 is a DOP of 0, and the axes are DOPs as well.
      return report.eph == nil ? self.horizontal(deviations: report.epx, report.epy) : nil
    }
    guard eph < self.vagueFrom, dilution ?? 0 < self.vagueDilution else { return .vague }
    if let dilution {
      // An altitude that is only assumed, or a position that is only reckoned, has errors that no HDOP knows of.
      return report.mode == .threeDimensional && Fix.Status(gpsd: report.status) != .deadReckoning
        ? .round(dilution * errorPerDilution, .dilution) : .round(eph * Fix.ratio68To95, .nominal95)
    }
    switch meaning {
    case .radius68: return .round(eph, .receiver)
    case .rootMeanSquare: return .round(eph * self.ratio68ToRMS, .receiver)
    case .dilution, .nominal95: return .round(eph * Fix.ratio68To95, .nominal95)
    }
  }

  /// The 68 % bound of the altitude, in metres.
  static func vertical(
    report: PositionReport, estimate: ErrorEstimateReport?, meaning: Meaning, dilution: Double?,
    errorPerDilution: Double
  ) -> Double? {
    if let altitude = self.usable(estimate?.altitude) { return altitude }
    guard let epv = self.usable(report.epv) else { return nil }
    if dilution != nil, report.mode == .threeDimensional {
      // gpsd made it of the VDOP. What the HDOP counts is the deviation in both axes together.
      return epv / DilutionRule.vertical.factor(status: report.status) * errorPerDilution / self.ratio68ToRMS
    }
    return self.isOneSigma(report, meaning) ? epv : epv * self.axisRatio68To95
  }

  /// The 68 % bound of the speed, in metres per second; `nil` where the receiver told none.
  ///
  /// - Parameter cycle: the time between two fixes.
  static func speed(report: PositionReport, driver: String?, cycle: Duration) -> Double? {
    guard let driver, self.speedDrivers.contains(driver), let eps = self.usable(report.eps) else { return nil }
    // gpsd's own is the sum of both positions' errors over the time between them.
    if let epx = report.epx, let epy = report.epy, eps * cycle.seconds >= max(epx, epy) { return nil }
    return self.isOneSigma(report, self.meaning(driver: driver)) ? eps : eps * self.axisRatio68To95
  }

  /// The 68 % bound of the course, in degrees.
  static func course(report: PositionReport, meaning: Meaning) -> Double? {
    guard let epd = self.usable(report.epd), epd <= 180 else { return nil }
    return self.isOneSigma(report, meaning) ? epd : epd * self.axisRatio68To95
  }

  private static func isOneSigma(_ report: PositionReport, _ meaning: Meaning) -> Bool {
    switch meaning {
    case .radius68, .rootMeanSquare: true
    case .dilution, .nominal95: report.eph == nil && report.epx != nil
    }
  }

  private static func usable(_ value: Double?) -> Double? {
    value.known.flatMap { $0 < self.vagueFrom ? $0 : nil }
  }
}

extension Double? {
  /// An estimate that is one: a receiver that has none tells 0.
  fileprivate var known: Double? { self.flatMap { $0 > 0 ? $0 : nil } }
}
