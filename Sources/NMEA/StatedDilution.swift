package import Positioning

/// The dilution of precision that is stated for a fix.
///
/// NMEA has no accuracy in the sentences that most programs read, so they make one of the HDOP. It is chosen so that what
/// they make of it is never better than the radius that holds 95 % of the fixes.
package enum StatedDilution {
  /// Metres per unit, by which gpsd multiplies an HDOP: for a plain fix, and for a corrected one.
  static let gpsdFactor = 19.0
  static let correctedGpsdFactor = 4.75
  /// Metres per unit, by which gpsd multiplies a VDOP.
  static let verticalGpsdFactor = 23.0

  /// If nothing is known: the largest that fits into its field.
  static let largest = 99.9

  /// The accuracy that GeoClue takes for an HDOP up to `dilution`, in metres. Above the last it takes 300 m.
  static let geoClueSteps: [(dilution: Double, accuracy: Double)] = [(1, 0), (2, 1), (5, 3), (10, 50), (20, 100)]

  /// The HDOP for a fix, a multiple of 0.1.
  package static func horizontal(of fix: Fix) -> Double {
    guard let accuracy = fix.horizontalAccuracy95, !fix.isVague else { return self.largest }
    let factor = self.isCorrected(fix) ? self.correctedGpsdFactor : self.gpsdFactor
    // The first step that is not better than the truth begins above the last one that is.
    let floor = self.geoClueSteps.last { $0.accuracy < accuracy }.map { $0.dilution + 0.1 } ?? 0
    return min(self.largest, max(floor, (accuracy / factor * 10).rounded(.up) / 10))
  }

  /// The VDOP for a fix; `nil` if its vertical accuracy is unknown.
  static func vertical(of fix: Fix) -> Double? {
    // The accuracy of one dimension is one sigma; 95 % are within 1.96.
    fix.verticalAccuracy.map { accuracy in
      let dilution = accuracy * 1.96 / self.verticalGpsdFactor
      return min(self.largest, max(0.1, (dilution * 10).rounded(.up) / 10))
    }
  }

  /// Whether gpsd takes the smaller factor.
  private static func isCorrected(_ fix: Fix) -> Bool {
    switch fix.status {
    case .dgnss, .rtkFixed, .rtkFloat: true
    case .gnss, .deadReckoning, .combined, .surveyed, .simulated: false
    }
  }
}
