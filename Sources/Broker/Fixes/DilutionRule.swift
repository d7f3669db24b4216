/// gpsd's rule for receivers that tell no error: a dilution of precision, times metres that date from the days of
/// selective availability.
///
/// gpsd passes the product on under the same name as a receiver's own estimate. It is recognised by what it is made of:
/// receivers tell dilutions in hundredths, so the product is a multiple of a hundredth of its factor.
enum DilutionRule {
  /// gpsd's metres for a plain fix, and for one with corrections.
  struct Factors: Hashable, Sendable {
    let plain: Double
    let corrected: Double

    /// The factor that gpsd takes by the fix's status: 2 is a fix with differential corrections.
    func factor(status: Int) -> Double { status == 2 ? self.corrected : self.plain }
  }

  static let horizontal = Factors(plain: 19, corrected: 4.75)
  static let vertical = Factors(plain: 23, corrected: 5.75)

  /// No sky is better than this.
  private static let leastDilution = 0.3
  /// gpsd writes millimetres.
  private static let rounding = 0.0006

  /// The HDOP that `eph` was made of; `nil` where it is no such product.
  ///
  /// Where an epoch's reports were joined, the status may be another report's: then the other factor fits.
  static func dilution(madeInto eph: Double, status: Int) -> Double? {
    let factor = self.horizontal.factor(status: status)
    let other = self.horizontal.plain + self.horizontal.corrected - factor
    return [factor, other].lazy.compactMap { factor in
      let hundredths = (eph / factor * 100).rounded()
      let dilution = hundredths / 100
      return dilution >= self.leastDilution && abs(dilution * factor - eph) <= self.rounding ? dilution : nil
    }.first
  }

  /// Whether `eph` is this HDOP under another name.
  ///
  /// - Parameter isExact: the receiver told the HDOP in hundredths, as gpsd repeats it; else gpsd computed it from the
  ///   satellites and rounded it to write it down.
  static func isMade(_ eph: Double, of hdop: Double, status: Int, isExact: Bool) -> Bool {
    let factor = self.horizontal.factor(status: status)
    return abs(eph - factor * hdop) <= self.rounding + (isExact ? 0 : factor * 0.005)
  }
}
