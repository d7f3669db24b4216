import Positioning

/// What a receiver's error estimates mean, by their source.
///
/// gpsd passes on whatever a driver gives under one name: u-blox's own estimate is near one sigma, a plain NMEA
/// receiver's is its HDOP times 19 m (nominally 95 %), a GBS sentence is one sigma for each axis. The table turns each
/// into the 68 % radius that positiond publishes.
package enum AccuracyTable {
  /// Where an epoch's horizontal accuracy came from, best first.
  package enum Source: Hashable, Sendable {
    /// Standard deviations of a GST sentence.
    case standardDeviations
    /// `eph` of a u-blox receiver in its binary protocol: its own `hAcc`.
    case ubloxEstimate
    /// Any other `eph`, nominally a 95 % radius.
    case nominal95
    /// `epx` and `epy` without an `eph`, one sigma each.
    case axes
  }

  /// Estimates at or above this are a receiver's way to say that it does not know (HDOP 99.99 or 50).
  static let unknownAbove = 900.0

  /// One-dimensional: the 68 % bound divided by the 95 % bound.
  static let axisRatio68To95 = 1 / 1.96

  /// The 68 % radius in metres and its source; `nil` where nothing usable is known.
  package static func horizontal(
    report: PositionReport, estimate: ErrorEstimateReport?, isUbloxBinary: Bool
  ) -> (meters: Double, source: Source)? {
    if let estimate, let latitude = usable(estimate.latitude), let longitude = usable(estimate.longitude) {
      return (hypotenuse(latitude, longitude), .standardDeviations)
    }
    if let eph = usable(report.eph) {
      return isUbloxBinary ? (eph, .ubloxEstimate) : (eph * Fix.ratio68To95, .nominal95)
    }
    // An `eph` that is no estimate (0, HDOP 99.99) says that the axes are none either: they are DOPs as well.
    if report.eph == nil, let epx = usable(report.epx), let epy = usable(report.epy) {
      return (hypotenuse(epx, epy), .axes)
    }
    return nil
  }

  /// The 68 % bound of the altitude, in metres.
  static func vertical(report: PositionReport, estimate: ErrorEstimateReport?, isUbloxBinary: Bool) -> Double? {
    if let altitude = usable(estimate?.altitude) { return altitude }
    return usable(report.epv).map { isOneSigma(report, isUbloxBinary) ? $0 : $0 * self.axisRatio68To95 }
  }

  /// The 68 % bound of the speed, in metres per second.
  static func speed(report: PositionReport, isUbloxBinary: Bool) -> Double? {
    usable(report.eps).map { isOneSigma(report, isUbloxBinary) ? $0 : $0 * self.axisRatio68To95 }
  }

  /// The 68 % bound of the course, in degrees.
  static func course(report: PositionReport, isUbloxBinary: Bool) -> Double? {
    guard let epd = usable(report.epd), epd <= 180 else { return nil }
    return isOneSigma(report, isUbloxBinary) ? epd : epd * self.axisRatio68To95
  }

  private static func isOneSigma(_ report: PositionReport, _ isUbloxBinary: Bool) -> Bool {
    isUbloxBinary || (report.eph == nil && report.epx != nil)
  }

  private static func usable(_ value: Double?) -> Double? {
    guard let value, value > 0, value < self.unknownAbove else { return nil }
    return value
  }

  private static func hypotenuse(_ a: Double, _ b: Double) -> Double {
    (a * a + b * b).squareRoot()
  }
}
