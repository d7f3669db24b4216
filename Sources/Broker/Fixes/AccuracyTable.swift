import Geodesy
import Positioning
import ReceiverPorts

/// What receivers' error estimates state, by their source.
///
/// gpsd uses one name for different things: for u-blox it is an estimate near one sigma, for a plain NMEA receiver the
/// HDOP times 19 m, for a GREIS receiver a root mean square; a GST sentence has one sigma for each axis. The table
/// converts each into the radii of 68 % and 95 % that positiond publishes.
enum AccuracyTable {
  /// What `eph` states of the error, for each of gpsd's drivers.
  enum Statistic: Hashable, Sendable {
    /// gpsd's product of the HDOP, unless a manufacturer's sentence gave an estimate.
    case dilution
    /// The receiver's estimate, near the 68 % radius.
    case radius68
    /// The root mean square of the error in both axes together.
    case rootMeanSquare
    /// The receiver's estimate, nominally the 95 % radius.
    case nominal95
  }

  /// gpsd's NMEA drivers: NMEA reports no error, so gpsd computes one.
  private static let nmeaDrivers: Set<String> = [
    "NMEA0183", "Ashtech", "Delorme TripMate", "Pre-2003 Delorme EarthMate", "Furuno Electric GH-79L4", "Garmin NMEA",
    "MTK-3301", "OceanServer OS5000", "San Jose Navigation FV18", "True North", "Jackson Labs Fury", "iSync",
  ]

  /// The drivers that report the receiver's speed error. For all others gpsd computes one: its error of the position,
  /// divided by the time between two fixes.
  private static let speedDrivers: Set<String> = ["u-blox", "SiRF", "Zodiac", "GREIS"]

  static func statistic(driver: String?) -> Statistic {
    switch driver {
    case "u-blox": .radius68
    case "GREIS": .rootMeanSquare
    case let driver? where self.nmeaDrivers.contains(driver): .dilution
    case _: .nominal95
    }
  }

  /// A receiver reports estimates from this on if it does not know its error (HDOP 99.99 or 50).
  static let vagueFrom = 900.0
  static let vagueDilution = 50.0

  /// For one dimension: the 68 % bound divided by the 95 % bound.
  static let axisRatio68To95 = 1 / 1.96

  /// For a round error: the 68 % radius divided by the root mean square of the distance.
  static let ratio68ToRMS = EllipticalError(1, 1).radius(holding: EllipticalError.oneSigma) / 2.0.squareRoot()

  /// Two standard deviations of the same moment, from GST or GBS; `nil` if one is missing or invalid.
  static func horizontal(deviations one: Double?, _ other: Double?) -> HorizontalError? {
    guard let one = one.known, let other = other.known else { return nil }
    guard max(one, other) < self.vagueFrom else { return .vague }
    let ellipse = EllipticalError(one, other)
    return .radii(
      ellipse.radius(holding: EllipticalError.oneSigma), ellipse.radius(holding: 0.95), .standardDeviations)
  }

  /// The error that the report itself has; `nil` if it has none.
  ///
  /// - Parameters:
  ///   - dilution: The HDOP from which gpsd computed `eph`; `nil` if `eph` is an estimate.
  ///   - errorPerDilution: Metres (68 %) per unit of it.
  static func horizontal(
    report: PositionReport, statistic: Statistic, dilution: Double?, errorPerDilution: Double
  ) -> HorizontalError? {
    guard let eph = report.eph.known else {
      // If `eph` is 0, its DOP is 0, and the axes are computed from DOPs as well.
      return report.eph == nil ? self.horizontal(deviations: report.epx, report.epy) : nil
    }
    guard eph < self.vagueFrom, dilution ?? 0 < self.vagueDilution else { return .vague }
    if let dilution {
      // The HDOP says nothing about the error of an assumed altitude or an estimated position.
      return report.mode == .threeDimensional && Fix.Status(gpsd: report.status) != .deadReckoning
        ? .round(dilution * errorPerDilution, .dilution) : .round(eph * Fix.ratio68To95, .nominal95)
    }
    switch statistic {
    case .radius68: return .round(eph, .receiver)
    case .rootMeanSquare: return .round(eph * self.ratio68ToRMS, .receiver)
    case .dilution, .nominal95: return .round(eph * Fix.ratio68To95, .nominal95)
    }
  }

  /// The 68 % bound of the altitude, in metres.
  static func vertical(
    report: PositionReport, estimate: ErrorEstimateReport?, statistic: Statistic, dilution: Double?,
    errorPerDilution: Double
  ) -> Double? {
    if let altitude = self.usable(estimate?.altitude) { return altitude }
    guard let epv = self.usable(report.epv) else { return nil }
    if dilution != nil, report.mode == .threeDimensional {
      // gpsd computed it from the VDOP. The HDOP's error is the deviation in both axes together.
      return epv / DilutionRule.vertical.factor(status: report.status) * errorPerDilution / self.ratio68ToRMS
    }
    return self.isOneSigma(report, statistic) ? epv : epv * self.axisRatio68To95
  }

  /// The 68 % bound of the speed, in metres per second; `nil` if the receiver reported none.
  ///
  /// - Parameter cycle: The time between two fixes.
  static func speed(report: PositionReport, driver: String?, cycle: Duration) -> Double? {
    guard let driver, self.speedDrivers.contains(driver), let eps = self.usable(report.eps) else { return nil }
    // gpsd's own value is the sum of both positions' errors divided by the time between them.
    if let epx = report.epx, let epy = report.epy, eps * cycle.seconds >= max(epx, epy) { return nil }
    return self.isOneSigma(report, self.statistic(driver: driver)) ? eps : eps * self.axisRatio68To95
  }

  /// The 68 % bound of the course, in degrees.
  static func course(report: PositionReport, statistic: Statistic) -> Double? {
    guard let epd = self.usable(report.epd), epd <= 180 else { return nil }
    return self.isOneSigma(report, statistic) ? epd : epd * self.axisRatio68To95
  }

  private static func isOneSigma(_ report: PositionReport, _ statistic: Statistic) -> Bool {
    switch statistic {
    case .radius68, .rootMeanSquare: true
    case .dilution, .nominal95: report.eph == nil && report.epx != nil
    }
  }

  private static func usable(_ value: Double?) -> Double? {
    value.known.flatMap { $0 < self.vagueFrom ? $0 : nil }
  }
}

extension Fix {
  /// Whether the receiver's own error, 95 % of it, explains the speed. One that reports no error of its speed explains
  /// nothing.
  var isSpeedExplained: Bool {
    guard let speed, let speedAccuracy else { return false }
    return speed <= speedAccuracy / AccuracyTable.axisRatio68To95
  }

  /// Removes the course if the device may be at rest: a receiver's course is random then.
  mutating func removeCourseOfError() {
    guard self.isSpeedExplained else { return }
    (self.course, self.courseAccuracy) = (nil, nil)
  }
}

extension Double? {
  /// A valid estimate: a receiver without one reports 0.
  fileprivate var known: Double? { self.flatMap { $0 > 0 ? $0 : nil } }
}

/// gpsd's rule for receivers without error estimates: a dilution of precision times metres that date from the days of
/// selective availability.
///
/// gpsd uses the same name for the product as for a receiver's own estimate. It can be recognised: receivers report
/// dilutions in hundredths, so the product is a multiple of a hundredth of the factor.
enum DilutionRule {
  /// gpsd's metres for a plain fix, and for one with corrections.
  struct Factors: Hashable, Sendable {
    let plain: Double
    let corrected: Double

    /// gpsd's factor for the fix's status: 2 is a fix with differential corrections.
    func factor(status: Int) -> Double { status == 2 ? self.corrected : self.plain }
  }

  static let horizontal = Factors(plain: 19, corrected: 4.75)
  static let vertical = Factors(plain: 23, corrected: 5.75)

  /// The best possible HDOP.
  private static let leastDilution = 0.3
  /// gpsd writes millimetres.
  private static let rounding = 0.0006

  /// The HDOP from which `eph` was computed; `nil` if it is no such product.
  ///
  /// If the reports of an epoch were merged, the status may come from another report: then the other factor fits.
  static func dilution(madeInto eph: Double, status: Int) -> Double? {
    let factor = self.horizontal.factor(status: status)
    let other = self.horizontal.plain + self.horizontal.corrected - factor
    return [factor, other].lazy.compactMap { factor in
      let hundredths = (eph / factor * 100).rounded()
      let dilution = hundredths / 100
      return dilution >= self.leastDilution && abs(dilution * factor - eph) <= self.rounding ? dilution : nil
    }.first
  }

  /// Whether `eph` is the product of this HDOP.
  ///
  /// - Parameter isExact: Whether the receiver reported the HDOP in hundredths; else gpsd computed it from the
  ///   satellites and rounded it.
  static func isMade(_ eph: Double, of hdop: Double, status: Int, isExact: Bool) -> Bool {
    let factor = self.horizontal.factor(status: status)
    return abs(eph - factor * hdop) <= self.rounding + (isExact ? 0 : factor * 0.005)
  }
}
